import { createSetupToken } from '../../services/access/session.ts';
import { requireHost, type Context } from '../context.ts';
import type { Result } from '../output.ts';

/** `setup-link`. */
export async function makeLink(context: Context, flags: { url?: string }): Promise<Result> {
  await requireHost(context);
  const { config } = await context.open();
  const base = (flags.url ?? config.publicUrl ?? 'http://127.0.0.1:4180').replace(/\/$/, '');
  const url = `${base}/setup#t=${await createSetupToken()}`;
  context.talk(context.say('cli.setup_link'));
  return { data: { url }, text: url };
}
