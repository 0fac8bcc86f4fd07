// Work that nobody holds and that is only to be ended.
import { transaction } from '../../db/index.ts';
import { isFinal, type StoredStep } from '../shared/operations.ts';
import type { OperationRow } from '../shared/operations/tables.ts';
import { actForAsker } from './audit.ts';
import { announce } from './delivery.ts';
import { endOf, type End } from './ending.ts';
import { BROKEN, flowOf, knownKinds, runOperation } from './engine.ts';
import { endingOf, NotClaimed, operationRow, owner, save } from './lease.ts';
import { cancelItems } from './queue.ts';
import { hasKilled, hasOpenEnds, isUnheld, listHalfEnded, requeueStopped, takeHalfEnded } from './unheld-rows.ts';

/**
 * Ends cancelled work at once that nobody holds and of which nothing is in doubt or to be given back: no call goes out. Other work is
 * announced to whoever works on it. Returns false where nobody holds it: it is still to be ended.
 */
export async function endUnheld(id: number): Promise<boolean> {
  const row = await operationRow(id);
  if (isFinal(row.state)) return true;
  if (await dropItems(row)) {
    await runOperation(id).catch((error: unknown) => {
      // Another process has been faster, and ends it.
      if (!(error instanceof NotClaimed)) throw error;
    });
    return true;
  }
  announce(id);
  return !(await isUnheld(id));
}

/** Ends the items of work as cancelled, where nobody holds it and none of them has to be worked on for that; false: they stay. */
async function dropItems({ id, kind, restored_kind }: OperationRow): Promise<boolean> {
  const kinds = knownKinds();
  if (!kinds.has(kind) || (restored_kind !== null && !kinds.has(restored_kind))) return false;
  const goesBack = flowOf(kind).items?.rollback !== undefined;
  return transaction(async () => {
    if (!(await isUnheld(id)) || (await hasOpenEnds(id, goesBack))) return false;
    await cancelItems(id);
    return true;
  });
}

/**
 * Ends operations with a final state and no time of their end: an earlier version stored the two one after the other, and its process was
 * killed in between. Work that a person has stopped, and whose process was then killed, is put back.
 */
export async function endLeftOvers(): Promise<void> {
  if (await hasKilled()) await transaction(requeueStopped);
  const kinds = knownKinds();
  for (const { id, kind } of await listHalfEnded()) {
    if (!kinds.has(kind)) continue;
    const row = await transaction(async () => ((await takeHalfEnded(id, owner)) > 0 ? operationRow(id) : null));
    if (row) await actForAsker(row, () => endHalfEnded(row));
  }
}

async function endHalfEnded(row: OperationRow): Promise<void> {
  Object.assign(row, await restOfEnd(row), { finished_at: new Date().toISOString(), stopped: 0, waits_until: null });
  await save(row, true, flowOf(row.kind).tells);
}

/** Returns the end of work whose state was stored: that state, but for cancelled work, which was not known to be cancelled yet. */
async function restOfEnd(row: OperationRow): Promise<End> {
  const steps = JSON.parse(row.steps) as StoredStep[];
  const isCancelled = (await endingOf(row.id)) !== null;
  if (!isCancelled && steps.some(({ state }) => state === 'running')) return BROKEN;
  const end = await endOf(flowOf(row.kind), row, steps, isCancelled);
  return isCancelled ? end : { ...end, state: row.state };
}
