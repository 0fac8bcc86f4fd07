import { messageFor } from '../../operations/failure.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import type { SearchTaskRow } from '../../shared/accounts/tables.ts';
import type { Message } from '../../shared/i18n/index.ts';
import { searchCallOf } from './search-accounts.ts';
import {
  commit,
  isSpent,
  leaveOpen,
  membersOf,
  pause,
  tokenOf,
  type Answered,
  type TaskMember,
  type TaskRun,
} from './search-task-run.ts';
import { setEnded } from './search-task-rows.ts';

const POLL_SECONDS = 5;
// A service that can't be reached so often is not waited for: the task can be read at another try.
const TRIES = 40;
const MOST_HOURS = 6;

/** Said of what is missing in a result, or can't be understood. */
export const NO_ANSWER: Message = { key: 'search_task.no_answer' };
const SLOW: Message = { key: 'search_task.slow' };
const GONE: Message = { key: 'search_task.account_gone' };

/** Whether a refusal is about the task: it has failed, or the service knows of none. */
const isLost = ({ status }: ProviderError): boolean => status === undefined || status === 404;

/** Ends a task for good; its members are left open. */
const endTask = <A>(run: TaskRun<A>, { id }: SearchTaskRow, members: readonly TaskMember[], error: Message) =>
  leaveOpen(run, members, error, () =>
    setEnded({ id, state: 'ended', tries: run.work.operation.tries, error: JSON.stringify(error) }),
  );

/** Stores the answers of a task. */
async function storeAnswers<A>(
  run: TaskRun<A>,
  task: SearchTaskRow,
  members: readonly TaskMember[],
  answers: readonly (A | null)[],
): Promise<void> {
  const { id } = task;
  const { work, open } = run;
  const answered: Answered<A>[] = [];
  const missing: TaskMember[] = [];
  for (const [index, member] of members.entries()) {
    const answer = answers[index] ?? null;
    if (!open.has(member.id)) continue;
    if (answer === null) missing.push(member);
    else answered.push({ member, answer });
  }
  const write = work.store(answered, task);
  const error = missing.length > 0 ? JSON.stringify(NO_ANSWER) : null;
  await commit(run, async () => {
    await write();
    if (!work.endsLater) await setEnded({ id, state: 'ended', tries: work.operation.tries, error });
    if (missing.length > 0) await work.failed?.(missing, NO_ANSWER);
  });
  for (const { id: member } of [...answered.map(({ member }) => member), ...missing]) open.delete(member);
  work.endsLater?.(id);
  if (missing.length > 0) run.failure ??= NO_ANSWER;
  work.onDone(answered.length, missing.length);
}

/**
 * Asks for a task until it is done, and stores its answers. A task that can't be read now stays as it is: another try of the
 * operation reads it, unpaid.
 */
export async function followTask<A>(run: TaskRun<A>, task: SearchTaskRow): Promise<void> {
  const { work, signal } = run;
  const members = membersOf(task);
  const account = run.accounts.find(task.arsenkin_id);
  if (!account) return endTask(run, task, members, GONE);
  let tries = 0;
  for (;;) {
    signal.throwIfAborted();
    let wait = POLL_SECONDS;
    try {
      const answers = await work.read(tokenOf(account), members, task.task_id ?? '', searchCallOf('arsenkin', signal));
      if (answers) return await storeAnswers(run, task, members, answers);
      tries = 0;
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      const told = messageFor(error) ?? NO_ANSWER;
      if (isSpent(error)) return leaveOpen(run, members, await run.accounts.drop(account, error));
      if (error.kind === 'refused') {
        return isLost(error) ? endTask(run, task, members, told) : leaveOpen(run, members, told);
      }
      tries += 1;
      if (tries > TRIES) return leaveOpen(run, members, told);
      wait = error.retryAfter ?? POLL_SECONDS;
    }
    if (Date.now() - Date.parse(task.created_at) > MOST_HOURS * 3_600_000) return leaveOpen(run, members, SLOW);
    await pause(wait, run);
  }
}
