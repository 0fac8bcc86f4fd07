import { transaction } from '../../../db/index.ts';
import type { OperationRow } from '../../shared/operations/tables.ts';
import { runOperation } from '../../operations/engine.ts';
import { inStepSpan, type Flow, type FlowStep, type StepContext, type StepOutcome } from '../../operations/flow.ts';
import { messageForDisabled } from '../../operations/lease.ts';
import { endForgotten, enqueue, type Request } from '../../operations/queue.ts';
import { AppError } from '../../shared/errors.ts';
import type { Message } from '../../shared/i18n/index.ts';
import type { Held } from '../../shared/operations.ts';
import { currentExchange } from './blocklist.ts';
import { runBlocklist, type Apart } from './check-blocklist.ts';
import { runHttp } from './check-http.ts';
import {
  CHECK_STEPS,
  chosenNow,
  includesCheck,
  partHeldBy,
  partOf,
  requestOf,
  scopeName,
  scopeOf,
  targets,
  type CheckRequest,
  type CheckStep,
  type HealthChoices,
} from './check-targets.ts';
import { findOperation } from '../operations/operations.ts';
import { findDomain } from '../portfolio/domain-lists.ts';
import { actorOf } from '../access/ownership.ts';
import { isAdmin, SYSTEM, type Actor } from '../access/scope.ts';
import { clearHeld, findCheckScope, insertCheckRun, listHeldChecks } from './rows.ts';

// A check that was interrupted longer ago is ended, and a new one begun.
const FORGOTTEN_HOURS = 24;

/** Returns the options as a part of a check's subject, whatever order they are in. */
const wordsOf = (options: HealthChoices): string => {
  const entries = Object.entries(options).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return entries.length === 0 ? '' : `/${JSON.stringify(entries)}`;
};

/**
 * Queues a check of the caller's domains, for an admin of all domains, and returns its operation. Returns the same
 * check instead (`started` false) where it is running already, or `idem_key` has started it before. With `here` this
 * process runs it by `runOperation`. A check that is asked for because of an `exchange` of the list (`currentExchange`) is none that
 * was asked for before it.
 */
export async function startCheck(
  actor: Actor,
  request: CheckRequest,
  here = false,
  { exchange, ...asked }: Pick<Request, 'idem_key' | 'asked_by'> & { exchange?: string } = {},
): Promise<{ id: number; started: boolean }> {
  const { steps, holder, accept, options = {} } = request;
  const subject =
    [scopeName(actor, holder), steps.join('+'), partOf(request), accept ?? ''].join('/') +
    wordsOf(options) +
    (exchange === undefined ? '' : `/${exchange}`);
  await endForgotten('check', FORGOTTEN_HOURS, { key: 'check.forgotten' });
  const message = { key: 'check.started' } as const;
  const input = await chosenNow(actor, request);
  return transaction(async () => {
    const isFree = asked.asked_by === 'automation';
    const queued = await enqueue({ kind: 'check', subject, user_id: actor.id, input, message, isFree, ...asked }, here);
    if (queued.started) await insertCheckRun(queued.id, scopeOf(actor, request));
    return queued;
  });
}

/** Queues a check because the list in `dir` was exchanged, and returns its operation: one that is certain to have the new list. */
export const startListCheck = (actor: Actor, dir: string): Promise<{ id: number; started: boolean }> =>
  startCheck(actor, { steps: ['blocklist'] }, false, { exchange: currentExchange(dir) });

/**
 * Queues a check of one domain of the caller's, by HTTP and by the blocklist, as `startCheck` does. Throws AppError
 * `not_found`.
 */
export async function startDomainCheck(
  actor: Actor,
  id: number,
  idem_key?: string,
): Promise<{ id: number; started: boolean }> {
  await findDomain(actor, id);
  return startCheck(actor, { steps: [...CHECK_STEPS], domain_ids: [id] }, false, { idem_key });
}

/**
 * Accepts a held result: the blocklist step runs again for the same domains, without the guard as
 * long as the list is still the same. It stays held where that check can't begin. Throws AppError `not_found`; `conflict` where nothing is held, or somebody has
 * decided already.
 */
export async function acceptHeld(actor: Actor, id: number): Promise<{ id: number; started: boolean }> {
  const operation = await findOperation(actor, id);
  const { holder, project_id, status, domain_ids } = requestOf(operation);
  const { list_version: accept } = JSON.parse(operation.held ?? '{}') as Held;
  const request: CheckRequest = { steps: ['blocklist'], holder, project_id, status, domain_ids, accept };
  return transaction(async () => {
    if ((await clearHeld([id])) === 0) throw new AppError('conflict', 'check.not_held');
    return startCheck(await actorOf(operation.user_id), request);
  });
}

/**
 * Checks in this process what a check has left as it was for its holders, so that each result is held for its own holder to decide:
 * for the administrators where the holder is one, whose checks are everybody's, or is disabled. A part whose result by the same list is
 * held already is not checked again.
 */
async function checkApart({ operation, signal }: StepContext, apart: readonly Apart[]): Promise<void> {
  for (const { holder, ids, list_version } of apart) {
    if (signal.aborted) return;
    const request = partHeldBy(requestOf(operation), holder, ids);
    const user = await actorOf(holder);
    const isTheirs = !isAdmin(user) && (await messageForDisabled(holder)) === null;
    const actor = isTheirs ? user : SYSTEM;
    const scope = scopeOf(actor, request);
    const isAsked = (await listHeldChecks()).some(
      (other) => includesCheck(other, scope) && (JSON.parse(other.held) as Held).list_version === list_version,
    );
    if (isAsked) continue;
    const { id } = await startCheck(actor, request, true, { asked_by: 'automation' });
    // Also where the check was queued before, by a process that was stopped.
    await runOperation(id, { signal }).catch(ignoreBusy);
  }
}

/** Another process runs the work. */
function ignoreBusy(error: unknown): void {
  if (!(error instanceof AppError && error.kind === 'busy')) throw error;
}

async function runBlocklistStep(context: StepContext): Promise<StepOutcome> {
  const { apart = [], ...outcome } = await runBlocklist(context);
  await checkApart(context, apart);
  return outcome;
}

const STEPS: Record<CheckStep, FlowStep> = {
  http: inStepSpan('check http', { name: 'http', run: (context) => runHttp(context) }),
  blocklist: inStepSpan('check blocklist', { name: 'blocklist', run: runBlocklistStep }),
};

// More numbers than these are not told.
const MOST_TOLD = 5;

/** Returns that results of domains that a check has covered are held by checks of their holders, and which these are; null: none is. */
export async function messageForApart({ id, input }: OperationRow): Promise<Message | null> {
  const scope = await findCheckScope(id);
  if (!scope || !(JSON.parse(input) as CheckRequest).steps.includes('blocklist')) return null;
  const held = (await listHeldChecks()).filter((other) => other.id !== id && includesCheck(scope, other));
  if (held.length === 0) return null;
  const told = held.slice(-MOST_TOLD).toReversed();
  const ids = [...told.map((one) => `#${one.id}`), ...(held.length > MOST_TOLD ? ['…'] : [])].join(', ');
  return { key: 'check.held_apart', params: { n: held.length, ids } };
}

const stepsOf = (operation: OperationRow): CheckStep[] => requestOf(operation).steps;

/** The flow of a check: its steps are those that were asked for. */
export const checkFlow: Flow = {
  kind: 'check',
  forgottenHours: FORGOTTEN_HOURS,
  steps: (operation) => stepsOf(operation).map((step) => STEPS[step]),
  total: async (operation) => (await targets(operation, 'last_http_check_at')).length * stepsOf(operation).length,
  finished: async (operation): Promise<Message> => {
    const { total, done, failed, held } = operation;
    if (total === 0) return { key: 'check.nothing' };
    if (!held) {
      const apart = await messageForApart(operation);
      return { key: 'check.finished', params: { done, failed }, ...(apart && { also: [apart] }) };
    }
    const { change, ...counts } = JSON.parse(held) as Held;
    return {
      key: change === 'freed' ? 'check.held_freed' : 'check.held',
      params: { count: counts.count, total: counts.total },
    };
  },
};
