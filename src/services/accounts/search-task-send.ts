import { transaction } from '../../../db/index.ts';
import { messageFor, patiently } from '../../operations/failure.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import type { StartedTask } from '../../providers/provider.ts';
import type { SearchTaskRow } from '../../shared/accounts/tables.ts';
import type { Message } from '../../shared/i18n/index.ts';
import { searchCallOf, type SearchAccount } from './search-accounts.ts';
import { followTask } from './search-task-read.ts';
import { commit, isSpent, leaveOpen, pause, tokenOf, type TaskMember, type TaskRun } from './search-task-run.ts';
import { countUnderWay, deleteTask, insertTask, setBegun, setEnded, setSent } from './search-task-rows.ts';

/** The most tasks of an account that run at once. */
export const AT_ONCE = 5;
const TRIES = 5;
const MOST_WAITS = 20;
const USUAL_PAUSE = 5;
const REJECTED = 422;

/** Said of what was sent without a known end: nothing sends it again but a person. */
export const UNKNOWN: Message = { key: 'search_task.unknown' };

/** Whether an error proves that a task which was sent was not begun. */
const isUncharged = (error: unknown): error is ProviderError =>
  error instanceof ProviderError && (error.unsent || ['credentials', 'refused', 'rate_limited'].includes(error.kind));

/** Stores a task of as many members as may be sent now; null: so many run that it must wait. Throws AppError. */
const reserveTask = <A>(
  run: TaskRun<A>,
  { id: arsenkin_id }: SearchAccount,
  members: readonly TaskMember[],
): Promise<{ task: SearchTaskRow; members: readonly TaskMember[] } | null> =>
  commit(run, async () => {
    if ((await countUnderWay(arsenkin_id)) >= AT_ONCE) return null;
    const { operation, reserve } = run.work;
    const count = (await reserve?.(arsenkin_id, members.length)) ?? members.length;
    const own = members.slice(0, count);
    const { id: operation_id, tries } = operation;
    const task = await insertTask({ operation_id, tries, arsenkin_id, members: JSON.stringify(own) });
    return { task, members: own };
  });

type Outcome = { begun: StartedTask } | { refused: ProviderError } | 'unknown';

/**
 * Sends a task once. That it is sent is committed as the last thing before the call, and its number as the first one after it:
 * a task that was sent and has no number is never sent again.
 */
async function send<A>(
  run: TaskRun<A>,
  account: SearchAccount,
  task: SearchTaskRow,
  members: readonly TaskMember[],
): Promise<Outcome> {
  const { work } = run;
  let isSent = false;
  const beforePaying = async (): Promise<void> => {
    run.signal.throwIfAborted();
    await commit(run, () => setSent(task.id));
    isSent = true;
  };
  try {
    const call = { ...searchCallOf('arsenkin', run.late), beforePaying };
    const begun = await work.start(tokenOf(account), members, call);
    // Also where the operation was taken over meanwhile: it is known now that this was paid, and by which number it is read.
    const store = async (): Promise<void> => {
      await setBegun(task.id, begun.id);
      if (begun.cost !== null) await work.charged?.(task, begun.cost);
    };
    await patiently(() => transaction(store), run.late);
    return { begun };
  } catch (error) {
    if (isSent && !isUncharged(error)) {
      const { id, tries } = { id: task.id, tries: work.operation.tries };
      const note = { id, tries, state: 'unknown' as const, error: JSON.stringify(UNKNOWN) };
      await leaveOpen(run, members, UNKNOWN, () => setEnded(note));
      if (error instanceof ProviderError || run.signal.aborted) return 'unknown';
      throw error;
    }
    await commit(run, async () => {
      await work.release?.(task, members.length);
      await deleteTask(task.id);
    });
    if (!(error instanceof ProviderError)) throw error;
    return { refused: error };
  }
}

/** Whether a refused task may be sent again after a wait. */
function mayWait(error: ProviderError, count: { tries: number; waits: number }): boolean {
  if (error.kind === 'rate_limited') count.waits += 1;
  else count.tries += 1;
  const isTemporary = error.kind === 'rate_limited' || error.kind === 'unavailable';
  return isTemporary && count.tries < TRIES && count.waits <= MOST_WAITS;
}

/**
 * Sends members as a task, in parts where the cap or the service takes no more at once, and reads what was begun. One member that
 * the service rejects rejects all: the halves are sent apart, until it is alone. Throws Stopped and AppError.
 */
export async function sendTasks<A>(run: TaskRun<A>, members: readonly TaskMember[]): Promise<void> {
  let rest = members;
  const count = { tries: 0, waits: 0 };
  while (rest.length > 0) {
    run.signal.throwIfAborted();
    const account = run.accounts.current();
    const reserved = await reserveTask(run, account, rest);
    if (!reserved) {
      await pause(USUAL_PAUSE, run);
      continue;
    }
    const outcome = await send(run, account, reserved.task, reserved.members);
    const after = rest.slice(reserved.members.length);
    if (outcome === 'unknown') rest = after;
    else if ('begun' in outcome) {
      await followTask(run, { ...reserved.task, task_id: outcome.begun.id });
      rest = after;
    } else if (isSpent(outcome.refused)) await run.accounts.drop(account, outcome.refused);
    else if (mayWait(outcome.refused, count)) await pause(outcome.refused.retryAfter ?? USUAL_PAUSE, run);
    else if (outcome.refused.status === REJECTED && reserved.members.length > 1) {
      const half = Math.ceil(reserved.members.length / 2);
      await sendTasks(run, reserved.members.slice(0, half));
      await sendTasks(run, reserved.members.slice(half));
      rest = after;
    } else {
      await leaveOpen(run, reserved.members, messageFor(outcome.refused) ?? UNKNOWN);
      rest = after;
    }
  }
}
