import { resetDemo } from '../../demo/index.ts';
import { requireHost, type Context } from '../context.ts';
import type { Result } from '../output.ts';

/** `demo reset`. */
export async function reset(context: Context): Promise<Result> {
  await requireHost(context);
  await resetDemo(context.config());
  return { data: { reset: true }, text: context.say('demo.reset_done') };
}
