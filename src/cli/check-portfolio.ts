import { runOperation } from '../operations/engine.ts';
import { foundBy } from '../services/checks/check-results.ts';
import { CHECK_STEPS, type CheckRequest } from '../services/checks/check-targets.ts';
import { messageForApart, startCheck } from '../services/checks/checks.ts';
import type { Actor } from '../services/access/scope.ts';
import { findOperation } from '../services/operations/operations.ts';
import { viewOf } from '../services/operations/operation-views.ts';
import type { Verdict } from '../shared/checks/blocklist.ts';
import type { HealthResult } from '../shared/checks/health.ts';
import { isFinal, renderOperation, type OperationView } from '../shared/operations.ts';
import { nextAfter } from './actions/check/next.ts';
import type { Context } from './context.ts';
import { watchInterrupt, type Interrupt } from './terminal/interrupt.ts';
import { prepareFlows } from './flows.ts';
import { columnsOf, type Failure, type Result } from './output.ts';
import { startProgress } from './terminal/show-progress.ts';
import { selectionOf } from './selected.ts';
import { isWhole, type SelectionFlags } from './selection.ts';
import { asJob, besideJob, outcomeOf } from '../services/system/command-runs.ts';
import type { JobName } from '../shared/system/job-names.ts';
import { renderFor } from './render.ts';

/** The fields of a checked domain; those of checks that were not run are absent. */
export const FOUND_COLUMNS = columnsOf<HealthResult & Verdict & { expired_at: unknown; registry_status: unknown }>({
  domain: true,
  status: true,
  http_status_code: 'code',
  error: true,
  ms: false,
  redirects: false,
  tls_error: false,
  scheme: false,
  final_url: false,
  reason: false,
  entry: false,
  url_listed: false,
  expired_at: true,
  registry_status: false,
});

/** A check of the portfolio. `command` are the command's words, for the progress lines. */
export interface PortfolioCheck extends Pick<CheckRequest, 'steps' | 'options' | 'accept'> {
  command: string;
  title: string;
  flags: SelectionFlags;
}

/** `apart`: says that results of single users are held, if there are any. */
type Checked = Result & { items: object[]; data: { operation: OperationView }; apart: string };

/**
 * Checks the portfolio in this process, as an operation visible to everyone, and returns an item for each domain,
 * sorted by name. Resumes the same check if an earlier run was interrupted; throws `busy` if another process runs it, or the
 * whole portfolio is selected and the job of the schedule runs. A check with all steps is a run of that job.
 */
export async function checkPortfolio(
  context: Context,
  { command, title, flags, ...what }: PortfolioCheck,
): Promise<Checked> {
  const interrupt = watchInterrupt();
  const { actor } = await context.open();
  prepareFlows();
  const check = async (): Promise<Checked> => {
    const { id } = await startCheck(actor, { ...what, ...(await selectionOf(actor, flags)) }, true);
    // The results of an interrupted earlier run belong to the answer.
    const found = await foundBy(id);
    const onItem = (item: object): void => {
      const { domain } = item as { domain: string };
      found.set(domain, { ...found.get(domain), ...item });
    };
    const ended = await runHere(context, actor, { id, command, title, interrupt, onItem });
    const items = inOrder(found);
    const apart = await messageForApart(await findOperation(actor, id));
    const next = context.asked.format === 'human' ? await nextAfter(actor, items) : undefined;
    return { items, ...ended, apart: apart ? renderFor(context)(apart) : '', ...(next !== undefined && { next }) };
  };
  const isPart = CHECK_STEPS.some((step) => !what.steps.includes(step));
  return isPart && isWhole(flags) ? besideJob(actor, 'check', check) : wholeAsJob(actor, 'check', flags, check);
}

/** Runs an operation as the job that does the same, where the flags select all; throws `busy` while that job runs. */
export const wholeAsJob = <Ended extends { data: { operation: OperationView } }>(
  actor: Actor,
  job: JobName,
  flags: SelectionFlags,
  work: () => Promise<Ended>,
): Promise<Ended> => (isWhole(flags) ? asJob(actor, job, work, ({ data }) => outcomeOf([data.operation.id])) : work());

/** An operation that a command runs. */
interface HereRun {
  id: number;
  command: string;
  title: string;
  interrupt: Interrupt;
  onItem?: (item: object) => void;
}

/** Runs an operation in this process with its progress shown; returns it as data, and how the command ends by it. */
export async function runHere(
  context: Context,
  actor: Actor,
  { id, command, title, interrupt, onItem }: HereRun,
): Promise<Pick<Result, 'failure' | 'exit'> & { data: { operation: OperationView } }> {
  const progress = startProgress(context, command, title);
  try {
    const watcher = { byPerson: true, signal: interrupt.signal, onProgress: progress.update } as const;
    await runOperation(id, onItem ? { ...watcher, onItem } : watcher);
    const operation = renderOperation(renderFor(context), await viewOf(await findOperation(actor, id)));
    const failure = failureOfCheck(context, operation, interrupt);
    return { data: { operation }, ...(failure ? { failure, exit: failure.exit } : {}) };
  } finally {
    await progress.end();
  }
}

/** Returns the items sorted by name. */
export const inOrder = (found: ReadonlyMap<string, object>): object[] =>
  [...found].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, item]) => item);

/** Returns how a check has failed, which decides the exit code of whoever runs it, or goes on with it; undefined: it has not. */
export function failureOfCheck(
  { say }: Pick<Context, 'say'>,
  { id, kind, state, steps, done, total, failed, message }: OperationView,
  interrupt: Interrupt,
): Failure | undefined {
  if (!isFinal(state) && interrupt.signal.aborted) {
    const text = say('cli.operation_interrupted', { id, done, total });
    return { exit: interrupt.exit(), code: 'interrupted', message: text };
  }
  if (!isFinal(state)) return { exit: 75, code: 'busy', message: say('operation.busy_elsewhere', { id }) };
  if (state === 'succeeded') return undefined;
  if (state === 'cancelled') return { exit: 1, code: state, message };
  const error = steps.find((step) => step.error !== undefined)?.error;
  if (state === 'failed' && kind === 'expiry') return { exit: 6, code: 'unavailable', message };
  if (state === 'failed') return { exit: 4, code: 'not_configured', message: error ?? message };
  if (error) return { exit: 5, code: 'not_configured', message: error };
  return { exit: 5, code: failed > 0 ? 'partial' : 'held', message };
}
