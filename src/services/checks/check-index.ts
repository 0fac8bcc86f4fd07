import { transaction } from '../../../db/index.ts';
import { inStepSpan, type Flow, type StepContext, type StepOutcome } from '../../operations/flow.ts';
import { patiently } from '../../operations/failure.ts';
import { endForgotten, enqueue, type Request } from '../../operations/queue.ts';
import type { IndexAnswer, IndexSpan } from '../../shared/checks/indexation.ts';
import type { IndexationSpanRow } from '../../shared/checks/tables.ts';
import { ENGINES, SOURCES, type Engine, type Source } from '../../shared/engines.ts';
import { AppError, unknownReference } from '../../shared/errors.ts';
import type { Message } from '../../shared/i18n/index.ts';
import type { OperationRow } from '../../shared/operations/tables.ts';
import { actorOf } from '../access/ownership.ts';
import type { Actor } from '../access/scope.ts';
import { openSources, searchUses } from '../accounts/search-accounts.ts';
import { endTasks, keepLimits } from '../accounts/search-tasks.ts';
import { findOperation } from '../operations/operations.ts';
import { findDomain } from '../portfolio/domain-lists.ts';
import { partOf, scopeName } from './check-targets.ts';
import { listIndexTargets, listSpans, type IndexTarget } from './index-rows.ts';
import { checkSingly, isOpen, openIndexRun, storeGone, verdictsOf } from './index-run.ts';
import { checkByTasks, listSentNames } from './index-tasks.ts';

/** A check of indexation: of all mains, or of these domains; by both engines, or by one. */
export interface IndexRequest {
  domain_ids?: number[] | undefined;
  engine?: Engine | undefined;
  /** Only mains of projects whose positions are read by a schedule: each answer costs money. */
  due?: true;
}

const KIND = 'indexation';
const FORGOTTEN_HOURS = 24;

/**
 * Queues a check of indexation of the caller's domains and returns its operation; the same one (`started` false) where it runs
 * already. Throws AppError `refused` for domains that are not the caller's, `not_configured` where there is no account at a source.
 */
export async function startIndexCheck(
  actor: Actor,
  request: IndexRequest,
  here = false,
  asked: Pick<Request, 'idem_key' | 'asked_by'> = {},
): Promise<{ id: number; started: boolean }> {
  const ids = request.domain_ids && new Set(request.domain_ids);
  if (ids && (await listIndexTargets(actor, [...ids], null)).length < ids.size) throw unknownReference('domain_ids');
  if ((await openSources())('auto') === null) throw new AppError('not_configured', 'indexation.no_account');
  const subject = [
    scopeName(actor),
    request.due ? 'due' : '',
    request.engine ?? '',
    ids ? partOf({ domain_ids: [...ids].toSorted((one, other) => one - other) }) : '',
  ].join('/');
  await endForgotten(KIND, FORGOTTEN_HOURS, { key: 'check.forgotten' });
  const message: Message = { key: 'indexation.started' };
  const uses = await searchUses(SOURCES);
  return enqueue({ kind: KIND, subject, user_id: actor.id, input: request, message, uses, ...asked }, here);
}

// XMLRiver is asked a second time about a host that the first way of asking does not find; a task asks each engine once.
const MOST_REQUESTS: Readonly<Record<Source, number>> = { xmlriver: 2, arsenkin: 1 };

/** Returns how many paid requests a check of the caller's domains takes at most; those without an account count as XMLRiver's. */
export async function countIndexRequests(
  actor: Actor,
  { domain_ids, engine }: Pick<IndexRequest, 'domain_ids' | 'engine'>,
): Promise<number> {
  const pick = await openSources();
  const targets = await listIndexTargets(actor, domain_ids ?? null, null);
  const each = targets.map(({ source }) => MOST_REQUESTS[pick(source) ?? 'xmlriver']);
  return each.reduce((sum, requests) => sum + requests, 0) * (engine ? 1 : ENGINES.length);
}

// Less than a day, so that a check at about the same time each day is due.
const DUE_HOURS = 20;

/** Returns the mains that are due for a check, a new one or `own`, that begins at a time. */
async function listDue(actor: Actor, since: string, own = 0): Promise<IndexTarget[]> {
  const before = new Date(Date.parse(since) - DUE_HOURS * 3_600_000).toISOString();
  const targets = await listIndexTargets(actor, null, { before, since });
  if (targets.length === 0) return [];
  const sent = await listSentNames(before, own);
  return targets.filter(({ domain_name }) => !sent.has(domain_name));
}

/** Queues the check of the mains that are due: they were not checked, nor paid in vain, for a day; does nothing where there are none, or no account. */
export async function startDueIndexCheck(actor: Actor): Promise<void> {
  if ((await openSources())('auto') === null) return;
  if ((await listDue(actor, new Date().toISOString())).length === 0) return;
  await startIndexCheck(actor, { due: true }, false, { asked_by: 'automation' });
}

const requestOf = ({ input }: OperationRow): IndexRequest => JSON.parse(input) as IndexRequest;

/** Returns the ids that an operation of the caller's was asked about; undefined: all mains. Throws AppError `not_found`. */
export const checkedBy = async (actor: Actor, id: number): Promise<number[] | undefined> =>
  requestOf(await findOperation(actor, id)).domain_ids;

const targetsOf = async (operation: OperationRow): Promise<IndexTarget[]> => {
  const { domain_ids = null, due = false } = requestOf(operation);
  const actor = await actorOf(operation.user_id);
  return due ? listDue(actor, operation.created_at, operation.id) : listIndexTargets(actor, domain_ids, null);
};

/** Returns why domains without an account of their source are left. */
function missingOf([first]: readonly IndexTarget[]): Message | null {
  if (!first) return null;
  return { key: first.source === 'auto' ? 'indexation.no_account' : `positions.no_${first.source}` };
}

async function run({ operation, signal, advance }: StepContext): Promise<StepOutcome> {
  const { engine } = requestOf(operation);
  const engines = engine ? [engine] : ENGINES;
  const all = await targetsOf(operation);
  const { id: operation_id, created_at: since } = operation;
  const check = await openIndexRun(all, { operation_id, engines, since, signal, advance });
  const targets = all.filter((target) => isOpen(check, target));
  advance(all.length - targets.length);
  const pick = await openSources();
  const byTasks = targets.filter(({ source }) => pick(source) === 'arsenkin');
  const singly = targets.filter(({ source }) => pick(source) === 'xmlriver');
  const none = targets.filter(({ source }) => pick(source) === null);
  advance(none.length, none.length);
  const store = (answers: readonly IndexAnswer[]): (() => Promise<void>) => verdictsOf(check, answers);
  const [first, tasks] = await Promise.all([
    singly.length > 0 ? checkSingly(check, singly) : null,
    checkByTasks({ operation, signal, engines, targets: byTasks, store, advance }),
  ]);
  if (signal.aborted) return {};
  const ending = async (): Promise<Message | null> => {
    const doubt = await storeGone(check);
    await endTasks(tasks.tasks, operation.tries, doubt ?? tasks.failure);
    return doubt;
  };
  const doubt = await patiently(() => transaction(ending), signal);
  if (byTasks.length > 0) await keepLimits(signal);
  const error = doubt ?? first ?? tasks.failure ?? missingOf(none);
  return error ? { error } : {};
}

/** The flow of a check. It can be retried after a failure: domains that were checked since are not paid again. */
export const indexFlow: Flow = {
  kind: KIND,
  forgottenHours: FORGOTTEN_HOURS,
  slow: true,
  steps: () => [inStepSpan('check indexation', { name: 'indexation', again: true, run })],
  total: async (operation) => (await targetsOf(operation)).length,
  finished: ({ done, failed }): Message => ({ key: 'indexation.finished', params: { done: done - failed, failed } }),
};

const spanOf = ({ indexed, since, last_checked_at, doubted_at }: IndexationSpanRow): IndexSpan => ({
  indexed: indexed === 1,
  since,
  last_checked_at,
  doubted_at,
});

/** Returns since when each engine has a domain of the caller's in its index, the newest first. Throws AppError `not_found`. */
export async function domainIndexation(actor: Actor, id: number): Promise<Record<Engine, IndexSpan[]>> {
  const domain = await findDomain(actor, id);
  const rows = await listSpans(domain.id);
  const of = (engine: Engine): IndexSpan[] => rows.filter((row) => row.engine === engine).map(spanOf);
  return { yandex: of('yandex'), google: of('google') };
}
