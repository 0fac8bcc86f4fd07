import type { CheckDayRow } from '../../shared/checks/tables.ts';
import { figuresOf, joinedDay, stretchesOf, type Stretch } from '../../shared/checks/check-history.ts';
import type { ListOf, Paging } from '../../shared/lists.ts';
import { findDomain } from '../portfolio/domain-lists.ts';
import { inSlices } from '../operations/slices.ts';
import type { Actor } from '../access/scope.ts';
import {
  addDays,
  deleteSamples,
  listCheckRows,
  listDayRows,
  listSampleRows,
  listSamplesBefore,
} from './history-rows.ts';

/** Returns the stored checks of a domain as stretches of equal results, newest first. Throws AppError `not_found`. */
export async function listChecks(
  actor: Actor,
  id: number,
  { limit, offset = 0 }: Pick<Paging, 'limit' | 'offset'> = {},
): Promise<ListOf<Stretch>> {
  await findDomain(actor, id);
  const stretches = stretchesOf(await listCheckRows(id)).toSorted((one, other) =>
    one.checked_at === other.checked_at ? other.id - one.id : one.checked_at < other.checked_at ? 1 : -1,
  );
  if (limit === undefined && offset === 0) return { data: stretches };
  return { data: stretches.slice(offset, offset + (limit ?? stretches.length)), total: stretches.length };
}

/**
 * Returns a domain's HTTP figures by UTC day, newest first, with the current day so far. Throws AppError `not_found`.
 */
export async function listCheckDays(actor: Actor, id: number): Promise<ListOf<CheckDayRow>> {
  await findDomain(actor, id);
  const [closed, open] = await Promise.all([listDayRows(id), listSampleRows(id)]);
  const before = new Map(closed.map((one) => [one.day, one]));
  const days = open.map((sample) => {
    const earlier = before.get(sample.day);
    before.delete(sample.day);
    return earlier ? joinedDay(earlier, figuresOf(sample)) : figuresOf(sample);
  });
  return { data: [...days, ...before.values()] };
}

/** Turns the samples of past days into daily figures, slice by slice. */
export async function closeDays(): Promise<void> {
  const today = new Date().toISOString().slice(0, 10);
  await inSlices((slice) => closeSome(today, slice));
}

async function closeSome(today: string, slice: number): Promise<number> {
  const over = await listSamplesBefore(today, slice);
  if (over.length === 0) return 0;
  const days = over.map((sample) => figuresOf(sample));
  await addDays(days);
  return deleteSamples(days);
}
