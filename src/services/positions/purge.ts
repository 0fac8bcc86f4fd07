import { deleteLeftTasks } from '../accounts/search-task-rows.ts';
import { inSlices } from '../operations/slices.ts';
import { dayOf } from '../../shared/positions/places.ts';
import { DAY_MS } from '../../shared/time.ts';
import {
  clearResults,
  deleteLeftFailures,
  deleteLeftPages,
  deleteQueriesOf,
  deleteQueriesOfDeleted,
} from './purge-rows.ts';

// Lists of results take far more than the places that were found in them.
const RESULTS_KEPT_DAYS = 30;
// An operation that has left keywords open may be tried again so long.
const PAGES_KEPT_DAYS = 7;
// A query has a thousand rows a year: how long one takes is known after the first.
const ONE_QUERY = 1;

/** Deletes lists of results, paid pages and tasks that are past their time, in slices. Positions stay. */
export async function purgeSearches(): Promise<void> {
  const day = dayOf(Date.now()) - RESULTS_KEPT_DAYS;
  await inSlices((slice) => clearResults(day, slice));
  const before = new Date(Date.now() - PAGES_KEPT_DAYS * DAY_MS).toISOString();
  await inSlices((slice) => deleteLeftPages(before, slice));
  await inSlices((slice) => deleteLeftTasks(before, slice));
}

/** Deletes what operations that ended before a time could not read, in slices: one may have left every keyword of a project. */
export const purgeFailures = (before: string): Promise<void> => inSlices((slice) => deleteLeftFailures(before, slice));

/** Deletes all that was found for keywords, in slices: years of positions would hold every writer for seconds. */
export const clearKeywords = (ids: readonly number[]): Promise<void> =>
  inSlices((slice) => deleteQueriesOf(ids, slice), ONE_QUERY);

/** Deletes all that was found for projects that were deleted before a time, in slices. */
export const clearDeletedProjects = (before: string): Promise<void> =>
  inSlices((slice) => deleteQueriesOfDeleted(before, slice), ONE_QUERY);
