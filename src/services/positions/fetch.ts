import { transaction } from '../../../db/index.ts';
import type { Flow, StepContext, StepOutcome } from '../../operations/flow.ts';
import { enqueue, type Request } from '../../operations/queue.ts';
import { findRunning } from '../../operations/rows.ts';
import type { Device, Engine, Source } from '../../shared/engines.ts';
import { AppError, unknownReference } from '../../shared/errors.ts';
import type { Message } from '../../shared/i18n/index.ts';
import type { OperationRow } from '../../shared/operations/tables.ts';
import type { ProjectRow } from '../../shared/portfolio/tables.ts';
import { dayOf } from '../../shared/positions/places.ts';
import type { Actor } from '../access/scope.ts';
import { findOperation } from '../operations/operations.ts';
import { refersToProject } from '../portfolio/projects.ts';
import { openSources, searchUses } from '../accounts/search-accounts.ts';
import { keepLimits } from '../accounts/search-tasks.ts';
import { keepBalance, readPositions } from './fetch-run.ts';
import { listPaidInVain, readByTasks } from './fetch-tasks.ts';
import { findKeyword } from './keywords.ts';
import { insertQueries, listFailures, listQueries, type QueryOfProject } from './query-rows.ts';
import { findKeywordRow } from './rows.ts';
import { kindIn, settingsOf } from './settings.ts';

/** Positions to read: of all keywords of a project, or of one. */
export interface FetchRequest {
  projectId: number;
  keywordId: number | null;
  type: Engine;
}

/** The input of a reading, with the settings of the time when it was asked for. */
export interface FetchInput {
  project_id: number;
  keyword_id: number | null;
  engine: Engine;
  region: string;
  device: Device;
  depth: number;
  /** The service that reads; missing in operations of before there was a choice. */
  source?: Source;
  /** Keywords that were read since are left out. */
  not_since?: string;
}

const KIND = 'positions';

const subjectOf = (projectId: number, engine: Engine, keywordId: number | null): string =>
  [projectId, engine, keywordId ?? 'all'].join('/');

/** Returns the id of the operation that reads all keywords of a project; null: none runs. */
export const findFetch = async (projectId: number, engine: Engine): Promise<number | null> =>
  (await findRunning(KIND, subjectOf(projectId, engine, null)))?.id ?? null;

/**
 * Queues the reading of positions and returns its operation; the same one (`started` false) where it is running already. It does not
 * pay again for queries that were read after it was asked for. Throws AppError `refused` for a project or keyword that is not the
 * caller's and for one without keywords, `not_configured` where there is no account.
 */
export async function startFetch(
  actor: Actor,
  { projectId, keywordId, type: engine }: FetchRequest,
  here = false,
  { not_since, ...asked }: Pick<Request, 'idem_key' | 'asked_by'> & Pick<FetchInput, 'not_since'> = {},
): Promise<{ id: number; started: boolean }> {
  const project = await requireAsked(actor, projectId, keywordId);
  const settings = await settingsOf(project.id);
  const source = (await openSources())(settings.source);
  if (!source) {
    throw new AppError(
      'not_configured',
      settings.source === 'auto' ? 'positions.no_account' : `positions.no_${settings.source}`,
    );
  }
  const input: FetchInput = {
    project_id: project.id,
    keyword_id: keywordId,
    ...kindIn(settings, engine),
    depth: settings.depth,
    source,
    ...(not_since !== undefined && { not_since }),
  };
  return transaction(async () => {
    // They may have been deleted since, and a reading is paid.
    await requireAsked(actor, projectId, keywordId);
    await insertQueries(project.id, keywordId, input);
    if ((await listQueries(project.id, keywordId, input)).length === 0) {
      throw new AppError('refused', 'positions.no_keywords');
    }
    const subject = subjectOf(project.id, engine, keywordId);
    const message: Message = { key: 'positions.started', params: { project: project.name } };
    const uses = await searchUses([source]);
    return enqueue({ kind: KIND, subject, user_id: actor.id, input, message, uses, ...asked }, here);
  });
}

/** Returns the project of a request. Throws AppError `refused` for a project or keyword that is not there. */
async function requireAsked(actor: Actor, projectId: number, keywordId: number | null): Promise<ProjectRow> {
  const project = await refersToProject(actor, projectId, 'projectId');
  if (keywordId !== null) await requireKeyword(actor, project.id, keywordId);
  return project;
}

async function requireKeyword(actor: Actor, projectId: number, id: number): Promise<void> {
  const keyword = await findKeyword(actor, id).catch((error: unknown) => {
    throw error instanceof AppError && error.kind === 'not_found' ? unknownReference('keywordId') : error;
  });
  if (keyword.project_id !== projectId) throw unknownReference('keywordId');
}

const inputOf = ({ input }: Pick<OperationRow, 'input'>): FetchInput => JSON.parse(input) as FetchInput;

/** The input of a reading, with its `keyword` (null: all of them, empty: it was deleted) and the `day` of its end, or today. */
export type AskedFetch = FetchInput & { keyword: string | null; day: number };

/** Returns what an operation of the caller's reads. Throws AppError `not_found`. */
export async function askedFor(actor: Actor, id: number): Promise<AskedFetch> {
  const { finished_at, ...operation } = await findOperation(actor, id);
  const input = inputOf(operation);
  const keyword = input.keyword_id === null ? null : ((await findKeywordRow(actor, input.keyword_id))?.value ?? '');
  return { ...input, keyword, day: dayOf(finished_at ?? Date.now()) };
}

/** Whether a query that was read at a time is done for an operation: it was read since that was asked for, or is not due. */
const isDoneFor = (operation: OperationRow): ((checkedAt: string | null) => boolean) => {
  const since = inputOf(operation).not_since ?? operation.created_at;
  return (checkedAt) => checkedAt !== null && checkedAt >= since;
};

const queriesOf = (operation: OperationRow): Promise<QueryOfProject[]> => {
  const { project_id, keyword_id, engine, region, device } = inputOf(operation);
  return listQueries(project_id, keyword_id, { engine, region, device });
};

/** Returns what the schedule leaves to a person, as another operation has paid for it without an answer. */
async function vainFor(operation: OperationRow): Promise<ReadonlySet<number>> {
  const { project_id, engine, source, not_since } = inputOf(operation);
  if (not_since === undefined || source !== 'arsenkin') return new Set();
  return listPaidInVain(project_id, engine, dayOf(not_since), operation.id);
}

/** Those that were read the longest time ago come first: where a cap of the day does not suffice, others are read the next day. */
const byAge = (one: QueryOfProject, other: QueryOfProject): number =>
  (one.done_at ?? '') < (other.done_at ?? '')
    ? -1
    : (one.done_at ?? '') > (other.done_at ?? '')
      ? 1
      : one.id - other.id;

async function run({ operation, signal, advance }: StepContext): Promise<StepOutcome> {
  const rows = await queriesOf(operation);
  const input = inputOf(operation);
  const isDone = isDoneFor(operation);
  const vain = await vainFor(operation);
  const open = rows.filter(({ id, done_at }) => !isDone(done_at) && !vain.has(id));
  advance(rows.length - open.length);
  const work = { input, queries: open.toSorted(byAge), isDone, signal };
  const error = await (input.source === 'arsenkin'
    ? readByTasks({ ...work, operation, onDone: (read, failed) => advance(read + failed, failed) })
    : readPositions({ ...work, operation_id: operation.id, onRead: (isRead) => advance(1, isRead ? 0 : 1) }));
  return error ? { error } : {};
}

async function runBalance({ operation, signal }: StepContext): Promise<StepOutcome> {
  await (inputOf(operation).source === 'arsenkin' ? keepLimits(signal) : keepBalance(signal));
  return {};
}

const SHOWN = 5;

/** The flow of readings. It goes on with what is open: answered pages are kept from the first run. */
export const fetchFlow: Flow = {
  kind: KIND,
  slow: true,
  steps: () => [
    { name: 'positions', again: true, run },
    { name: 'balance', run: runBalance },
  ],
  total: async (operation) => (await queriesOf(operation)).length,
  finished: async ({ id, done, failed }): Promise<Message> => {
    const message: Message = { key: 'positions.finished', params: { done: done - failed, failed } };
    const left = await listFailures(id);
    if (left.length === 0) return message;
    const names = left.slice(0, SHOWN).map(({ keyword }) => keyword);
    const first = JSON.parse(left[0]?.error ?? '{}') as Message;
    const list = left.length > SHOWN ? `${names.join(', ')}, …` : names.join(', ');
    return { ...message, also: [{ key: 'positions.open', params: { keywords: list } }, first] };
  },
};
