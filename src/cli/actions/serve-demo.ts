import { startDemo } from '../../demo/index.ts';
import { usageError, type Context } from '../context.ts';
import { isLoopback } from '../loopback.ts';
import type { Result } from '../output.ts';
import { watchInterrupt } from '../terminal/interrupt.ts';
import { serveUntilStopped, type ServeFlags } from './serve.ts';

/** `serve --demo`: serves the demo world. Its passwords are public, so it is refused on other than loopback hosts. */
export async function serveDemo(context: Context, flags: ServeFlags): Promise<Result> {
  const interrupt = watchInterrupt();
  if (!isLoopback(flags.host)) throw usageError('demo.host', { host: flags.host });
  const demo = await startDemo(context.config(), { size: flags.demoSize, frozen: flags.demoFreeze ?? false });
  try {
    return await serveUntilStopped(context, flags, demo, interrupt);
  } finally {
    await demo.close();
  }
}
