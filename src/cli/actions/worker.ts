import { databaseAddress, shownAddress } from '../../lib/database-address.ts';
import { createLog } from '../../lib/log.ts';
import { WORK_KINDS, type WorkKind } from '../../shared/system/work-kinds.ts';
import { startWorker } from '../../worker.ts';
import { requireHostFirst, type Context } from '../context.ts';
import type { Result } from '../output.ts';
import { endSoon, watchInterrupt } from '../terminal/interrupt.ts';

/** The flags of `worker`. */
export interface WorkerFlags {
  metricsPort?: number;
  metricsHost: string;
  only?: WorkKind[];
}

/** `worker`: runs operations, schedule, notices and bot until a signal, beside servers and other workers. */
export async function workUntilStopped(context: Context, flags: WorkerFlags): Promise<Result> {
  const interrupt = watchInterrupt();
  await requireHostFirst(context);
  const config = context.config();
  const at = flags.metricsPort === undefined ? null : { host: flags.metricsHost, port: flags.metricsPort };
  const only = flags.only && new Set(flags.only);
  const worker = await startWorker(config, createLog(config.logLevel, context.asked.language), { at, only });
  const database = shownAddress(databaseAddress(config));
  context.warn(context.say('cli.working', { database }));
  if (worker.probes !== null) context.warn(context.say('cli.probes', { url: worker.probes }));
  if (flags.only) context.warn(context.say('cli.working_only', { kinds: flags.only.join(', ') }));
  await context.print({ data: { database, probes: worker.probes, only: flags.only ?? [...WORK_KINDS] }, text: '' });
  await interrupt.fired;
  context.talk(context.say('cli.stopping'));
  if (!(await worker.stop())) endSoon(interrupt.exit());
  return { exit: interrupt.exit(), text: '' };
}
