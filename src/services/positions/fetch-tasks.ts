import { deflateRawSync } from 'node:zlib';
import { arsenkin } from '../../providers/search/arsenkin.ts';
import type { SearchTaskRow } from '../../shared/accounts/tables.ts';
import type { Engine } from '../../shared/engines.ts';
import { AppError } from '../../shared/errors.ts';
import type { Message } from '../../shared/i18n/index.ts';
import type { OperationRow } from '../../shared/operations/tables.ts';
import { dayOf, placesIn } from '../../shared/positions/places.ts';
import type { Answered, TaskMember } from '../accounts/search-task-run.ts';
import { runTasks } from '../accounts/search-tasks.ts';
import type { FetchRun } from './fetch-run.ts';
import { deleteFailures, listSought, replacePlaces, scopeOf, upsertDays, upsertFailures } from './query-rows.ts';
import { settingsOf } from './settings.ts';
import { countSpent } from './spending-rows.ts';
import { addTaskSpending, listFailedSince, listSentTasks } from './task-rows.ts';

/** A run of an operation that reads by tasks; `onDone` is called with how many queries were read, and how many can't be now. */
export interface TaskFetch extends Omit<FetchRun, 'operation_id' | 'onRead'> {
  operation: OperationRow;
  onDone: (read: number, failed: number) => void;
}

// The service takes far more; a lost task is to cost little.
const SIZE = 200;

/** Takes requests from the cap of the day: a keyword is one. Throws AppError `refused` where the project has used it up. */
async function reserve(project_id: number, arsenkin_id: number, wanted: number): Promise<number> {
  const day = dayOf(Date.now());
  const { daily_cap } = await settingsOf(project_id);
  const requests = Math.min(wanted, daily_cap - (await countSpent(project_id, day)));
  if (requests <= 0) throw new AppError('refused', 'positions.cap', { cap: daily_cap });
  await addTaskSpending({ project_id, day, arsenkin_id, requests, limits: 0 });
  return requests;
}

/**
 * Prepares result lists for the database. They belong to the day on which their task was sent, whenever they are fetched. A list is
 * as deep as it is long: whether it was cut is not told.
 */
function storeLists(
  { operation, input }: TaskFetch,
  lists: readonly Answered<string[]>[],
  { created_at }: SearchTaskRow,
): () => Promise<void> {
  const day = dayOf(created_at);
  const checked_at = new Date().toISOString();
  const packed = lists.map(({ answer }) => deflateRawSync(JSON.stringify(answer)).toString('base64'));
  return async () => {
    if (lists.length === 0) return;
    const sought = await listSought(input.project_id);
    const scope_id = await scopeOf(
      input.project_id,
      sought.map(({ id }) => id),
    );
    const days = lists.map(({ member, answer }, index) => ({
      query_id: member.id,
      day,
      depth: answer.length,
      requests: 1,
      source: 'arsenkin',
      checked_at,
      scope_id,
      results: packed[index] ?? null,
    }));
    const places = lists.flatMap(({ member, answer }) =>
      placesIn(answer, sought).map((place) => Object.assign(place, { query_id: member.id, day })),
    );
    await upsertDays(days);
    await replacePlaces(days, places);
    await deleteFailures(
      operation.id,
      days.map(({ query_id }) => query_id),
    );
  };
}

/**
 * Returns the queries of a project that were sent by tasks since a day, and so were paid or may have been, but could not be read: by other
 * operations than one. The schedule does not pay for them again.
 */
export async function listPaidInVain(
  project_id: number,
  engine: Engine,
  day: number,
  but = 0,
): Promise<ReadonlySet<number>> {
  const failed = (await listFailedSince(project_id, engine, day)).filter(({ operation_id }) => operation_id !== but);
  if (failed.length === 0) return new Set();
  const sent = new Set<string>();
  for (const { operation_id, members } of await listSentTasks([...new Set(failed.map((one) => one.operation_id))])) {
    for (const { id } of JSON.parse(members) as TaskMember[]) sent.add(`${operation_id} ${id}`);
  }
  return new Set(
    failed.flatMap(({ operation_id, query_id }) => (sent.has(`${operation_id} ${query_id}`) ? [query_id] : [])),
  );
}

/** Reads the positions of queries by Arsenkin's tasks. Returns why queries are left, if there are any. */
export function readByTasks(run: TaskFetch): Promise<Message | null> {
  const { operation, input, signal, onDone } = run;
  const { project_id, engine, region, device, depth } = input;
  const taskOf = (members: readonly TaskMember[]) => ({
    engine,
    region,
    device,
    depth,
    keywords: members.map(({ text }) => text),
  });
  const spend = ({ arsenkin_id, created_at }: SearchTaskRow, requests: number, limits: number): Promise<void> =>
    addTaskSpending({ project_id, day: dayOf(created_at), arsenkin_id, requests, limits });
  return runTasks<string[]>({
    operation,
    signal,
    size: SIZE,
    members: run.queries.map(({ id, keyword }) => ({ id, text: keyword })),
    start: (login, members, call) => arsenkin.startResults(login, taskOf(members), call),
    read: (login, members, id, call) => arsenkin.readResults(login, taskOf(members), id, call),
    reserve: (arsenkin_id, wanted) => reserve(project_id, arsenkin_id, wanted),
    release: (task, count) => spend(task, -count, 0),
    charged: (task, cost) => spend(task, 0, cost),
    store: (lists, task) => storeLists(run, lists, task),
    failed: (members, error) =>
      upsertFailures(
        members.map(({ id }) => ({
          operation_id: operation.id,
          query_id: id,
          day: dayOf(Date.now()),
          error: JSON.stringify(error),
        })),
      ),
    onDone,
  });
}
