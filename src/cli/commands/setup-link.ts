import type { Command } from 'commander';
import { requireHost, type Context } from '../context.ts';
import type { Result } from '../output.ts';
import { act } from '../run.ts';
import type { HelpTexts } from '../texts/ru.ts';

/** `setup-link`: creates a new one-time link for the first administrator and revokes the former one. */
export function define(noun: Command, help: HelpTexts): void {
  noun.option('--url <address>', help['setup-link.url']).action(act(makeLink));
}

async function makeLink(context: Context, flags: { url?: string }): Promise<Result> {
  await requireHost(context);
  const { config } = await context.open();
  const { createSetupToken } = await import('../../services/access/session.ts');
  const base = (flags.url ?? config.publicUrl ?? 'http://127.0.0.1:4180').replace(/\/$/, '');
  const url = `${base}/setup#t=${await createSetupToken()}`;
  context.talk(context.say('cli.setup_link'));
  return { data: { url }, text: url };
}
