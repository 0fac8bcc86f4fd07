import pLimit from 'p-limit';
import { messageFor } from '../../operations/failure.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import { arsenkin } from '../../providers/search/arsenkin.ts';
import type { SearchTaskRow } from '../../shared/accounts/tables.ts';
import type { Message } from '../../shared/i18n/index.ts';
import { listSearchAccounts, searchCallOf, storeSearchBalance } from './search-accounts.ts';
import { followTask, NO_ANSWER } from './search-task-read.ts';
import {
  commit,
  leaveOpen,
  membersOf,
  openTaskRun,
  Stopped,
  tokenOf,
  type TaskMember,
  type TaskRun,
  type TaskWork,
} from './search-task-run.ts';
import { deleteTask, listTasks, setEnded } from './search-task-rows.ts';
import { AT_ONCE, sendTasks, UNKNOWN } from './search-task-send.ts';

/** The remains of an earlier run of the operation: tasks to read, and members that stay open in this try. */
interface Left {
  running: SearchTaskRow[];
  open: { members: TaskMember[]; error: Message }[];
}

/**
 * Settles the tasks of earlier runs. Members that were sent without a number in reply stay open in this try of the operation. Those that
 * an earlier try has left open may be sent again, because a person has asked for that since.
 */
const settleEarlier = <A>(run: TaskRun<A>): Promise<Left> =>
  commit(run, async () => {
    const { operation, release } = run.work;
    const { tries } = operation;
    const left: Left = { running: [], open: [] };
    for (const task of await listTasks(operation.id)) {
      const { id, state } = task;
      const members = membersOf(task);
      if (state === 'running') left.running.push(task);
      else if (state === 'reserved') {
        await release?.(task, members.length);
        await deleteTask(id);
      } else if (state === 'sent') {
        await setEnded({ id, state: 'unknown', tries, error: JSON.stringify(UNKNOWN) });
        left.open.push({ members, error: UNKNOWN });
      } else if (task.tries < tries) await deleteTask(id);
      else left.open.push({ members, error: task.error === null ? NO_ANSWER : (JSON.parse(task.error) as Message) });
    }
    return left;
  });

const inParts = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, part) => all.slice(part * size, (part + 1) * size));

/**
 * Has Arsenkin work the members off in tasks, five at once, beginning with those that run already. Returns the first reason for
 * which members were left open; null: there are none, or the work was stopped.
 */
export async function runTasks<A>(work: TaskWork<A>): Promise<Message | null> {
  const stop = new AbortController();
  const run = await openTaskRun(work, AbortSignal.any([work.signal, stop.signal]));
  const { running, open } = await settleEarlier(run);
  for (const { members, error } of open) await leaveOpen(run, members, error);
  const followed = new Set(running.flatMap(membersOf).map(({ id }) => id));
  const free = [...run.open.values()].filter(({ id }) => !followed.has(id));
  let broken: unknown;
  const guard = async (members: readonly TaskMember[], job: () => Promise<void>): Promise<void> => {
    if (run.signal.aborted) return;
    try {
      await job();
    } catch (error) {
      if (run.signal.aborted) return;
      const told = error instanceof Stopped ? error.told : messageFor(error);
      try {
        if (!told) throw error;
        await leaveOpen(run, members, told);
      } catch (cause) {
        broken ??= cause;
        stop.abort();
      }
    }
  };
  const limit = pLimit(AT_ONCE);
  await Promise.all([
    ...running.map((task) => limit(() => guard(membersOf(task), () => followTask(run, task)))),
    ...inParts(free, work.size).map((part) => limit(() => guard(part, () => sendTasks(run, part)))),
  ]);
  if (broken !== undefined) throw broken;
  return run.failure;
}

/** Ends tasks that were read, whose caller does so itself; `error` is why members were left open. Call inside a transaction. */
export async function endTasks(ids: readonly number[], tries: number, error: Message | null): Promise<void> {
  for (const id of ids) await setEnded({ id, state: 'ended', tries, error: error && JSON.stringify(error) });
}

/** Reads what the first account has left, for the lists and their mark. A service that does not tell it is let alone. */
export async function keepLimits(signal: AbortSignal): Promise<void> {
  const [account] = await listSearchAccounts('arsenkin');
  if (!account) return;
  try {
    const balance = await arsenkin.readBalance(tokenOf(account), searchCallOf('arsenkin', signal));
    await storeSearchBalance(account, balance);
  } catch (error) {
    if (!(error instanceof ProviderError) && !signal.aborted) throw error;
  }
}
