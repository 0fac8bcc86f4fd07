import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { transaction } from '../../../db/index.ts';
import { config } from '../../lib/config.ts';
import type { Flow, StepContext, StepOutcome } from '../../operations/flow.ts';
import { messageFor } from '../../operations/failure.ts';
import { endForgotten, enqueue, type Request } from '../../operations/queue.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import { xmlriver } from '../../providers/search/xmlriver.ts';
import { isDoubtful, spanAfter, type IndexAnswer, type IndexSpan } from '../../shared/checks/indexation.ts';
import type { IndexationSpanRow } from '../../shared/checks/tables.ts';
import { ENGINES, type Engine } from '../../shared/engines.ts';
import { AppError, unknownReference } from '../../shared/errors.ts';
import type { Message } from '../../shared/i18n/index.ts';
import type { OperationRow } from '../../shared/operations/tables.ts';
import { actorOf } from '../access/ownership.ts';
import type { Actor } from '../access/scope.ts';
import { listSearchAccounts, openSources, searchCallOf, type SearchAccount } from '../accounts/search-accounts.ts';
import { endTasks, keepLimits } from '../accounts/search-tasks.ts';
import { findDomain } from '../portfolio/domain-lists.ts';
import { scopeName } from './check-targets.ts';
import { checkByTasks } from './index-tasks.ts';
import {
  listIndexTargets,
  listNewestSpans,
  listSpans,
  setIndexed,
  upsertSpan,
  type IndexTarget,
} from './index-rows.ts';

/** A check of indexation: of all mains, or of these domains; by both engines, or by one. */
export interface IndexRequest {
  domain_ids?: number[] | undefined;
  engine?: Engine | undefined;
  /** Only mains of projects whose positions are read by a schedule: each answer costs money. */
  due?: true;
}

const KIND = 'indexation';
const FORGOTTEN_HOURS = 24;
const AT_ONCE = 10;
const TRIES = 4;
const USUAL_PAUSE = 5;

/**
 * Queues a check of indexation of the caller's domains and returns its operation; the same one (`started` false) where it runs
 * already. Throws AppError `refused` for domains that are not the caller's, and where there is no account at a source.
 */
export async function startIndexCheck(
  actor: Actor,
  request: IndexRequest,
  here = false,
  asked: Pick<Request, 'idem_key' | 'asked_by'> = {},
): Promise<{ id: number; started: boolean }> {
  const ids = request.domain_ids && new Set(request.domain_ids);
  if (ids && (await listIndexTargets(actor, [...ids], false)).length < ids.size) throw unknownReference('domain_ids');
  if ((await openSources())('auto') === null) throw new AppError('refused', 'indexation.no_account');
  const subject = [
    scopeName(actor),
    request.due ? 'due' : '',
    request.engine ?? '',
    request.domain_ids?.join() ?? '',
  ].join('/');
  await endForgotten(KIND, FORGOTTEN_HOURS, { key: 'check.forgotten' });
  const message: Message = { key: 'indexation.started' };
  return enqueue({ kind: KIND, subject, user_id: actor.id, input: request, message, ...asked }, here);
}

/** Queues the check of the mains that are due; does nothing where there are none, or no account. */
export async function startDueIndexCheck(actor: Actor): Promise<void> {
  if ((await openSources())('auto') === null) return;
  if ((await listIndexTargets(actor, null, true)).length === 0) return;
  await startIndexCheck(actor, { due: true }, false, { asked_by: 'automation' });
}

const requestOf = ({ input }: OperationRow): IndexRequest => JSON.parse(input) as IndexRequest;

/** Returns the domains of an operation; those that were checked since it was asked for are done. */
async function targetsOf(operation: OperationRow): Promise<(IndexTarget & { isDone: boolean })[]> {
  const { domain_ids = null, due = false } = requestOf(operation);
  const targets = await listIndexTargets(await actorOf(operation.user_id), domain_ids, due);
  return targets.map((target) =>
    Object.assign(target, { isDone: (target.last_check_indexation ?? '') >= operation.created_at }),
  );
}

/** Asks an engine about a host, again after a temporary failure. Throws ProviderError. */
async function ask(account: SearchAccount, engine: Engine, host: string, signal: AbortSignal): Promise<boolean> {
  const login = { login: account.login['login'] ?? '', key: account.login['key'] ?? '' };
  for (let tries = 1; ; tries += 1) {
    try {
      return await xmlriver.isIndexed(login, engine, host, searchCallOf('xmlriver', signal));
    } catch (error) {
      const isLast =
        tries === TRIES || !(error instanceof ProviderError) || ['credentials', 'refused'].includes(error.kind);
      if (isLast) throw error;
      const seconds = (error.retryAfter ?? USUAL_PAUSE) * (config().searchPace ? 0.02 : 1);
      await sleep(seconds * 1_000, undefined, { signal });
    }
  }
}

type Spans = Map<string, IndexationSpanRow>;
const nameOf = ({ domain_id, engine }: Pick<IndexAnswer, 'domain_id' | 'engine'>): string => `${domain_id} ${engine}`;

/** Stores answers by what is known of their domains. `isWhole`: their domains are checked with that. */
const store = (answers: readonly IndexAnswer[], spans: Spans, isWhole = true): Promise<void> =>
  transaction(async () => {
    const now = new Date().toISOString();
    for (const answer of answers) {
      const span = spanAfter(spans.get(nameOf(answer)), answer, now);
      spans.set(nameOf(answer), span);
      await upsertSpan(span);
      await setIndexed(answer.domain_id, answer.engine, span.indexed, isWhole ? now : null);
    }
  });

/** A run of a check. */
interface IndexRun {
  engines: readonly Engine[];
  spans: Spans;
  /** Answers that a domain is no longer there: they are stored last, once it is known how many there are. */
  gone: IndexAnswer[];
  signal: AbortSignal;
  advance: StepContext['advance'];
}

const isGone = ({ spans }: IndexRun, answer: IndexAnswer): boolean =>
  !answer.indexed && spans.get(nameOf(answer))?.indexed === 1;

/** Asks XMLRiver about each domain. Returns why domains are left, if there are any. */
async function checkSingly(run: IndexRun, targets: readonly IndexTarget[]): Promise<Message | null> {
  const { engines, signal, advance } = run;
  const [account] = await listSearchAccounts('xmlriver');
  let failure: Message | null = null;
  let isOver = false;
  const limit = pLimit(AT_ONCE);

  const check = async ({ id, domain_name }: IndexTarget): Promise<void> => {
    if (!account || isOver || signal.aborted) return;
    try {
      const answers: IndexAnswer[] = [];
      for (const one of engines) {
        answers.push({ domain_id: id, engine: one, indexed: await ask(account, one, domain_name, signal) });
      }
      run.gone.push(...answers.filter((answer) => isGone(run, answer)));
      await store(
        answers.filter((answer) => !isGone(run, answer)),
        run.spans,
      );
      advance(1);
    } catch (error) {
      if (signal.aborted) return;
      failure ??= messageFor(error);
      if (messageFor(error) === null) throw error;
      isOver ||= error instanceof ProviderError && ['credentials', 'refused'].includes(error.kind);
      advance(1, 1);
    }
  };
  await Promise.all(targets.map((target) => limit(() => check(target))));
  return account ? failure : { key: 'indexation.no_account' };
}

/** Prepares the verdicts of a task, and returns what writes them: those that a domain is gone wait for the end. */
function verdictsOf(run: IndexRun, answers: IndexAnswer[], isWhole: boolean): () => Promise<void> {
  const left = answers.filter((answer) => isGone(run, answer));
  run.gone.push(...left);
  const rest = answers.filter((answer) => !left.includes(answer));
  return () => store(rest, run.spans, isWhole && left.length === 0);
}

/** Stores that domains are gone, unless so many are that it is doubtful. Returns why nothing was stored, if so. */
async function storeGone({ engines, spans, gone }: IndexRun): Promise<Message | null> {
  let failure: Message | null = null;
  for (const one of engines) {
    const indexed = [...spans.values()].filter((span) => span.engine === one && span.indexed === 1).length;
    const left = gone.filter((answer) => answer.engine === one);
    if (isDoubtful(indexed, left.length))
      failure = { key: 'indexation.doubtful', params: { gone: left.length, indexed } };
    else await store(left, spans);
  }
  return failure;
}

/** Returns why domains without an account of their source are left. */
function missingOf([first]: readonly IndexTarget[]): Message | null {
  if (!first) return null;
  return { key: first.source === 'auto' ? 'indexation.no_account' : `positions.no_${first.source}` };
}

async function run({ operation, signal, advance }: StepContext): Promise<StepOutcome> {
  const { engine } = requestOf(operation);
  const engines = engine ? [engine] : ENGINES;
  const all = await targetsOf(operation);
  const targets = all.filter(({ isDone }) => !isDone);
  advance(all.length - targets.length);
  const spans: Spans = new Map((await listNewestSpans(all.map(({ id }) => id))).map((span) => [nameOf(span), span]));
  const check: IndexRun = { engines, spans, gone: [], signal, advance };
  const pick = await openSources();
  const byTasks = targets.filter(({ source }) => pick(source) === 'arsenkin');
  const singly = targets.filter(({ source }) => pick(source) === 'xmlriver');
  const none = targets.filter(({ source }) => pick(source) === null);
  advance(none.length, none.length);
  const [first, tasks] = await Promise.all([
    singly.length > 0 ? checkSingly(check, singly) : null,
    checkByTasks({
      operation,
      signal,
      engines,
      targets: byTasks,
      store: (answers, isWhole) => verdictsOf(check, answers, isWhole),
      advance,
    }),
  ]);
  if (signal.aborted) return {};
  const failure = await transaction(async () => {
    const doubt = await storeGone(check);
    await endTasks(tasks.tasks, operation.tries, doubt ?? tasks.failure);
    return doubt;
  });
  if (byTasks.length > 0) await keepLimits(signal);
  const error = failure ?? first ?? tasks.failure ?? missingOf(none);
  return error ? { error } : {};
}

/** The flow of a check. What has failed can be tried again: domains that were checked since are not paid again. */
export const indexFlow: Flow = {
  kind: KIND,
  forgottenHours: FORGOTTEN_HOURS,
  slow: true,
  steps: () => [{ name: 'indexation', again: true, run }],
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
