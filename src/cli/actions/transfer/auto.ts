import { runOperation } from '../../../operations/engine.ts';
import { leaveToPerson } from '../../../operations/lease.ts';
import { itemName } from '../../../operations/locks.ts';
import type { Actor } from '../../../services/access/scope.ts';
import { failedForAway, findOperation, listItems } from '../../../services/operations/operations.ts';
import { viewOf } from '../../../services/operations/operation-views.ts';
import { projectNamed } from '../../../services/portfolio/projects.ts';
import { planAutoTransfer, runAutoTransfers, startAutoTransfer } from '../../../services/transfers/automatic.ts';
import type { Decision } from '../../../services/transfers/decisions.ts';
import { moveLock } from '../../../services/transfers/queue.ts';
import { movesIn } from '../../../services/transfers/shown-moves.ts';
import {
  isFinal,
  renderItem,
  renderOperation,
  type OperationItemView,
  type OperationView,
} from '../../../shared/operations.ts';
import type { Choice } from '../../../shared/transfers/transfer-pick.ts';
import { usageError, type Context, type Opened } from '../../context.ts';
import { prepareFlows } from '../../flows.ts';
import { columnsOf, showOnly, type Failure, type Result } from '../../output.ts';
import { confirm } from '../../secret.ts';
import { watchInterrupt, type Interrupt } from '../../terminal/interrupt.ts';
import { startProgress } from '../../terminal/show-progress.ts';
import { renderFor } from '../../render.ts';

interface AutoFlags {
  project?: string;
  all?: boolean;
  dryRun?: boolean;
  useLastReserve?: boolean;
}

/** The decision about a domain and its result; `state` is that of the operation's item. */
interface Line {
  domain: string;
  target: string | null;
  decision: Choice['decision'];
  reason: string;
  operation: number | null;
  state: OperationItemView['state'] | null;
  error: string | null;
}

const COLUMNS = columnsOf<Line>({
  domain: true,
  target: true,
  decision: true,
  reason: true,
  operation: true,
  state: true,
  error: true,
});
const CHOICE_COLUMNS = showOnly(COLUMNS, 'domain', 'target', 'decision', 'reason');

/** `transfer auto`: for one project on request, or for all domains that may move automatically. */
export async function transferAuto(context: Context, flags: AutoFlags): Promise<Result> {
  const { project, all = false, useLastReserve = false } = flags;
  if (project === undefined && !all) throw usageError('cli.needs_flag', { flag: '--project, --all' });
  if (all && (project !== undefined || useLastReserve)) {
    throw usageError('cli.conflict', { reason: '--all; --project, --use-last-reserve' });
  }
  const opened = await context.open();
  return project === undefined
    ? moveAll(context, opened, flags)
    : moveProject(context, opened, project, { ...flags, useLastReserve });
}

async function moveProject(
  context: Context,
  { actor }: Opened,
  name: string,
  { dryRun, useLastReserve }: AutoFlags,
): Promise<Result> {
  const { id: project } = await projectNamed(actor, name);
  const request = { project, use_last_reserve: useLastReserve };
  const { choices, plan } = await planAutoTransfer(actor, request);
  if (dryRun) return rehearsal(context, choices);
  if (choices.length === 0) {
    const note = (): string => context.say('auto_transfer.nothing_blocked');
    return { items: [], columns: COLUMNS, summary: summaryOf([]), note };
  }
  await confirmMoves(context, choices);
  prepareFlows();
  const { id, decisions } = await startAutoTransfer(actor, { ...request, plan }, { here: true });
  return carryOut(context, actor, [id], decisions);
}

async function moveAll(context: Context, { actor }: Opened, { dryRun }: AutoFlags): Promise<Result> {
  const looked = await runAutoTransfers(actor, { dryRun: true });
  if (dryRun) return rehearsal(context, looked.decisions);
  if (looked.decisions.some(({ target }) => target)) await confirmMoves(context, looked.decisions);
  prepareFlows();
  // Only moves that were shown run: a main domain with another choice by now is left, with the reason.
  const { decisions } = await runAutoTransfers(actor, { here: true, shown: movesIn(looked.decisions) });
  return carryOut(
    context,
    actor,
    decisions.flatMap(({ operation_id }) => operation_id ?? []),
    decisions,
  );
}

const lineOf = (context: Context, choice: Choice, operation: number | null = null): Line => ({
  domain: choice.main.domain_name,
  target: choice.target?.domain_name ?? null,
  decision: choice.decision,
  reason: renderFor(context)(choice.reason),
  operation,
  state: null,
  error: null,
});

const summaryOf = (choices: readonly Choice[]) => {
  const count = (decision: Choice['decision']): number => choices.filter((one) => one.decision === decision).length;
  return { total: choices.length, started: count('started'), declined: count('declined'), waiting: count('waiting') };
};

function rehearsal(context: Context, choices: readonly Choice[]): Result {
  const items = choices.map((choice) => lineOf(context, choice));
  const note = (): string => context.say(items.length === 0 ? 'auto_transfer.nothing' : 'cli.dry_run');
  return { items, columns: CHOICE_COLUMNS, summary: summaryOf(choices), data: { dry_run: true }, note };
}

async function confirmMoves(context: Context, choices: readonly Choice[]): Promise<void> {
  const moves = choices.flatMap(({ main, target }) => (target ? [`${main.domain_name} → ${target.domain_name}`] : []));
  await confirm(context, context.say('auto_transfer.confirm', { n: moves.length, moves: moves.join(', ') }));
}

/** Runs the operations to their ends, or until the first Ctrl-C, and returns a line for each domain. */
async function carryOut(
  context: Context,
  actor: Actor,
  ids: readonly number[],
  decisions: readonly Decision[],
): Promise<Result> {
  const interrupt = watchInterrupt();
  const lines = decisions.map((decision) => lineOf(context, decision, decision.operation_id));
  const ends: End[] = [];
  for (const id of ids) {
    const progress = startProgress(context, 'transfer auto', context.say('cli.operation_running', { id }));
    try {
      if (!interrupt.signal.aborted) {
        await runOperation(id, { byPerson: true, signal: interrupt.signal, onProgress: progress.update });
      }
    } finally {
      await progress.end();
    }
    const { data } = await listItems(actor, id);
    for (const { item, state, error } of data.map((item) => renderItem(renderFor(context), item))) {
      const line = lines.find(({ domain, operation }) => operation === id && item === itemName(moveLock(domain)));
      if (line) Object.assign(line, { state, error });
    }
    const view = renderOperation(renderFor(context), await viewOf(await findOperation(actor, id)));
    ends.push({ view, isAway: await failedForAway(id) });
  }
  // Those that were not begun wait for a person as well.
  if (interrupt.signal.aborted) await leaveToPerson();
  const failure = failureOf(context, lines, ends, interrupt);
  const note = (): string => ends.map(({ view }) => view.message).join('\n') || context.say('auto_transfer.nothing');
  return {
    items: lines,
    columns: COLUMNS,
    summary: summaryOf(decisions),
    note,
    ...(failure && { failure, exit: failure.exit }),
  };
}

interface End {
  view: OperationView;
  isAway: boolean;
}

/** A declined domain counts as failed; a waiting one counts neither way. */
function failureOf(
  { say, program, sameFlags }: Context,
  lines: readonly Line[],
  ends: readonly End[],
  interrupt: Interrupt,
): Failure | undefined {
  const [left, ...rest] = ends.filter(({ view }) => !isFinal(view.state));
  if (left) {
    const { id, done, total } = left.view;
    if (!interrupt.signal.aborted) return { exit: 75, code: 'busy', message: say('operation.busy_elsewhere', { id }) };
    const more = rest.map(({ view }) => ` && ${program} operation resume ${view.id}${sameFlags}`).join('');
    const message = say('cli.operation_interrupted', { id, done, total }) + more;
    return { exit: interrupt.exit(), code: 'interrupted', message };
  }
  const asked = lines.filter(({ decision }) => decision !== 'waiting');
  const failed = asked.filter(({ decision, state }) => decision === 'declined' || state === 'failed');
  const [first] = failed;
  if (!first) return undefined;
  const params = {
    failed: failed.length,
    total: asked.length,
    first: `${first.domain}: ${first.error ?? first.reason}`,
  };
  const message = say('cli.some_failed', params);
  if (failed.length < asked.length) return { exit: 5, code: 'partial', message };
  const isAway = ends.length > 0 && ends.every((end) => end.isAway);
  return { exit: isAway ? 6 : 1, code: isAway ? 'unavailable' : 'failed', message };
}
