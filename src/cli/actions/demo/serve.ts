import { existsSync } from 'node:fs';
import { demoDatabase, startDemo } from '../../../demo/index.ts';
import { usageError, type Context } from '../../context.ts';
import { isLoopback } from '../../loopback.ts';
import type { Result } from '../../output.ts';
import { watchInterrupt } from '../../terminal/interrupt.ts';
import { requireDemoHost } from './host.ts';
import { serveUntilStopped, type ServeFlags } from '../serve.ts';

/** `serve --demo`: serves the demo world. Its passwords are public, so it is refused on other than loopback hosts. */
export async function serveDemo(context: Context, flags: ServeFlags): Promise<Result> {
  const interrupt = watchInterrupt();
  if (!isLoopback(flags.host)) throw usageError('demo.host', { host: flags.host });
  const config = context.config();
  // Another size begins the demo anew, and a new demo has its users once it is made.
  if (existsSync(demoDatabase(config))) await requireDemoHost(context);
  const demo = await startDemo(config, { size: flags.demoSize, frozen: flags.demoFreeze ?? false });
  try {
    await requireDemoHost(context);
    return await serveUntilStopped(context, flags, demo, interrupt);
  } finally {
    await demo.close();
  }
}
