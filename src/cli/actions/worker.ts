import { databaseAddress, shownAddress } from '../../lib/database-address.ts';
import { createLog } from '../../lib/log.ts';
import { startWorker } from '../../worker.ts';
import type { Context } from '../context.ts';
import type { Result } from '../output.ts';
import { watchInterrupt } from '../terminal/interrupt.ts';

/** `worker`: runs operations, schedule, notices and bot until a signal, beside servers and other workers. */
export async function workUntilStopped(context: Context): Promise<Result> {
  const interrupt = watchInterrupt();
  const config = context.config();
  const worker = await startWorker(config, createLog(config.logLevel));
  const database = shownAddress(databaseAddress(config));
  context.warn(context.say('cli.working', { database }));
  await context.print({ data: { database }, text: '' });
  await interrupt.fired;
  context.talk(context.say('cli.stopping'));
  await worker.stop();
  return { exit: interrupt.exit(), text: '' };
}
