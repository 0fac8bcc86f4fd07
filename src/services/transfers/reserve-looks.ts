import { recordEvents, type NewEvent } from '../../../db/events.ts';
import { transaction } from '../../../db/index.ts';
import { insertReserveLooks, updateReserveLooks, type ReserveChange } from './reserve-look-rows.ts';

const eventsOf = (changes: readonly ReserveChange[]): NewEvent[] =>
  changes.flatMap(({ id, name, ready, mains }): NewEvent[] => {
    if (ready === 1) return [{ kind: 'reserve_ready', name, project_id: id }];
    // Without a main domain nothing can be moved.
    return mains > 0 ? [{ kind: 'no_reserve', name, project_id: id }] : [];
  });

/**
 * Records the projects that have lost their last reserve which automatic transfer may take, whatever the reason, and those that have
 * one again; each change once, over restarts and processes. A project that never had one is not told of.
 */
export async function recordReserves(): Promise<void> {
  await transaction(async () => {
    await insertReserveLooks();
    await recordEvents(eventsOf(await updateReserveLooks()));
  });
}

/** Returns the events of projects a reserve of which was used just now. Only inside the transaction that uses it. */
export async function usedReserves(projects: readonly number[]): Promise<NewEvent[]> {
  if (projects.length === 0) return [];
  await insertReserveLooks(projects);
  return eventsOf(await updateReserveLooks(projects));
}
