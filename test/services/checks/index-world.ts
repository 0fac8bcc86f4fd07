// Shared helpers of the tests of indexation: the known state of each domain, a turn of the schedule, and older doubts.
import { execute, executeUnaudited, select, transaction } from '../../../db/index.ts';
import { registerFlows, runOperation } from '../../../src/operations/engine.ts';
import { indexFlow, startDueIndexCheck } from '../../../src/services/checks/check-index.ts';
import { ann } from '../positions/world.ts';

/** Returns what is known of each domain. */
export const shown = () =>
  select<{ name: string; yandex: number | null; google: number | null }>(
    'SELECT domain_name AS name, yandex_indexation AS yandex, google_indexation AS google FROM domains ORDER BY id',
  );

/** Puts the doubts of spans back by hours. */
export const age = (hours: number): Promise<number> =>
  transaction(() =>
    execute('UPDATE indexation_spans SET doubted_at = $at WHERE doubted_at IS NOT NULL', {
      at: new Date(Date.now() - hours * 3_600_000).toISOString(),
    }),
  );

/** Takes a turn of the schedule, to the end of what it queues. */
export async function runDue(): Promise<void> {
  registerFlows([indexFlow]);
  await startDueIndexCheck(ann);
  const [queued] = await select<{ id: number }>(`SELECT id FROM operations WHERE state = 'queued'`);
  if (queued) await runOperation(queued.id);
}

/** Puts the ends of operations back by hours. */
export const endedEarlier = (hours: number): Promise<number> =>
  transaction(() =>
    executeUnaudited('check', 'UPDATE operations SET finished_at = $at WHERE finished_at IS NOT NULL', {
      at: new Date(Date.now() - hours * 3_600_000).toISOString(),
    }),
  );
