import { resetDemo } from '../../../demo/index.ts';
import type { Context } from '../../context.ts';
import type { Result } from '../../output.ts';
import { requireDemoHost } from './host.ts';

/** `demo reset`. */
export async function reset(context: Context): Promise<Result> {
  await requireDemoHost(context);
  await resetDemo(context.config());
  return { data: { reset: true }, text: context.say('demo.reset_done') };
}
