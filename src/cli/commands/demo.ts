import type { Command } from 'commander';
import type { Context } from '../context.ts';
import type { Result } from '../output.ts';
import { act } from '../run.ts';
import type { HelpTexts } from '../texts/ru.ts';

/** `demo reset`. */
export function define(noun: Command, help: HelpTexts): void {
  noun.command('reset').description(help['demo reset']).action(act(reset));
}

async function reset(context: Context): Promise<Result> {
  const { resetDemo } = await import('../../demo/index.ts');
  await resetDemo(context.config());
  return { data: { reset: true }, text: context.say('demo.reset_done') };
}
