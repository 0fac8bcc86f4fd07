import { databaseAddress, shownAddress } from '../../lib/database-address.ts';
import { createLog } from '../../lib/log.ts';
import { startWorker } from '../../worker.ts';
import type { Context } from '../context.ts';
import type { Result } from '../output.ts';
import { endSoon, watchInterrupt } from '../terminal/interrupt.ts';

/** The flags of `worker`. */
export interface WorkerFlags {
  metricsPort?: number;
  metricsHost: string;
}

/** `worker`: runs operations, schedule, notices and bot until a signal, beside servers and other workers. */
export async function workUntilStopped(context: Context, flags: WorkerFlags): Promise<Result> {
  const interrupt = watchInterrupt();
  const config = context.config();
  const at = flags.metricsPort === undefined ? null : { host: flags.metricsHost, port: flags.metricsPort };
  const worker = await startWorker(config, createLog(config.logLevel), at);
  const database = shownAddress(databaseAddress(config));
  context.warn(context.say('cli.working', { database }));
  if (worker.probes !== null) context.warn(context.say('cli.probes', { url: worker.probes }));
  await context.print({ data: { database, probes: worker.probes }, text: '' });
  await interrupt.fired;
  context.talk(context.say('cli.stopping'));
  if (!(await worker.stop())) endSoon(interrupt.exit());
  return { exit: interrupt.exit(), text: '' };
}
