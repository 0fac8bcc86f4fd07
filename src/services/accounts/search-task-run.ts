import { setTimeout as sleep } from 'node:timers/promises';
import { transaction } from '../../../db/index.ts';
import { config } from '../../lib/config.ts';
import { graceful } from '../../lib/grace.ts';
import { patiently } from '../../operations/failure.ts';
import { requireHeld } from '../../operations/journal.ts';
import type { ProviderError } from '../../providers/provider-error.ts';
import type { Call, StartedTask } from '../../providers/provider.ts';
import type { SearchTaskRow } from '../../shared/accounts/tables.ts';
import type { Message } from '../../shared/i18n/index.ts';
import type { OperationRow } from '../../shared/operations/tables.ts';
import { listSearchAccounts, noteAccountError, type SearchAccount } from './search-accounts.ts';

/** A thing that a task asks for: `id` is our row, `text` what is sent. */
export interface TaskMember {
  id: number;
  text: string;
}

export interface Answered<Answer> {
  member: TaskMember;
  answer: Answer;
}

type Token = { token: string };

/** The work of an operation for Arsenkin, in tasks. Functions that write are called inside a transaction. */
export interface TaskWork<Answer> {
  operation: OperationRow;
  signal: AbortSignal;
  /** The members without an answer, each once. */
  members: readonly TaskMember[];
  /** The most members of a task. */
  size: number;
  start: (login: Token, members: readonly TaskMember[], call: Call) => Promise<StartedTask>;
  /** Returns the answer for each member, null for one that is missing or can't be understood; null: the task still runs. */
  read: (
    login: Token,
    members: readonly TaskMember[],
    id: string,
    call: Call,
  ) => Promise<readonly (Answer | null)[] | null>;
  /** Takes requests from a cap; returns how many there were of those that are wanted. Throws AppError where none is left. */
  reserve?: (arsenkin_id: number, wanted: number) => Promise<number>;
  /** Gives the requests of a task back, which was not charged. */
  release?: (task: SearchTaskRow, count: number) => Promise<void>;
  charged?: (task: SearchTaskRow, cost: number) => Promise<void>;
  /** Prepares answers for the database, and returns what writes them. */
  store: (answers: readonly Answered<Answer>[], task: SearchTaskRow) => () => Promise<void>;
  failed?: (members: readonly TaskMember[], error: Message) => Promise<void>;
  /** Called with a task that was read: the caller ends it, and until then it is read again after a crash. */
  endsLater?: (id: number) => void;
  onDone: (read: number, failed: number) => void;
}

/** Thrown where no account is left; `told` is why. */
export class Stopped extends Error {
  readonly told: Message;
  constructor(told: Message) {
    super(told.key);
    this.told = told;
  }
}

/** A run of the tasks of an operation. */
export interface TaskRun<Answer> {
  work: TaskWork<Answer>;
  signal: AbortSignal;
  /** Of calls that are charged: fires some time after `signal`. */
  late: AbortSignal;
  /** Members without an answer or a failure, by id. */
  open: Map<number, TaskMember>;
  /** The first reason for which members were left open. */
  failure: Message | null;
  accounts: {
    current: () => SearchAccount;
    find: (id: number) => SearchAccount | undefined;
    /** Sends nothing more with an account; returns why. */
    drop: (account: SearchAccount, error: ProviderError) => Promise<Message>;
  };
}

// An answer about a task that was sent is worth so long a wait when the work stops.
const GRACE_MS = 8_000;

/** Opens a run; it stops with the signal. */
export async function openTaskRun<A>(work: TaskWork<A>, signal: AbortSignal): Promise<TaskRun<A>> {
  const all = await listSearchAccounts('arsenkin');
  const left = [...all];
  let why: Message = { key: 'search_task.no_account' };
  return {
    work,
    signal,
    late: graceful(signal, GRACE_MS),
    open: new Map(work.members.map((member) => [member.id, member])),
    failure: null,
    accounts: {
      current: () => {
        const [first] = left;
        if (!first) throw new Stopped(why);
        return first;
      },
      find: (id) => all.find((account) => account.id === id),
      drop: async (account, error) => {
        const params = { name: account.name };
        const told: Message =
          error.reason === 'no_money'
            ? { key: 'search_task.no_money', params }
            : { key: 'search_task.account_refused', params };
        const at = left.indexOf(account);
        if (at < 0) return told;
        left.splice(at, 1);
        why = told;
        await noteAccountError(account, error, told);
        return told;
      },
    },
  };
}

/** Whether an account can't be used any more: its token is refused, or it has no limits left. */
export const isSpent = ({ kind, reason }: ProviderError): boolean =>
  kind === 'credentials' || reason === 'no_money' || reason === 'address';

export const tokenOf = ({ login }: SearchAccount): Token => ({ token: login['token'] ?? '' });

export const membersOf = ({ members }: SearchTaskRow): TaskMember[] => JSON.parse(members) as TaskMember[];

/** Writes in a transaction that still holds the operation. */
export const commit = <T>(
  { work, signal }: { work: { operation: OperationRow }; signal: AbortSignal },
  write: () => Promise<T>,
): Promise<T> =>
  patiently(
    () =>
      transaction(async () => {
        await requireHeld(work.operation);
        return write();
      }),
    signal,
  );

/** Leaves members open for a reason, and writes what goes with it. */
export async function leaveOpen<A>(
  run: TaskRun<A>,
  members: readonly TaskMember[],
  error: Message,
  write: () => Promise<void> = async () => undefined,
): Promise<void> {
  const left = members.filter(({ id }) => run.open.has(id));
  await commit(run, async () => {
    if (left.length > 0) await run.work.failed?.(left, error);
    await write();
  });
  for (const { id } of left) run.open.delete(id);
  if (left.length === 0) return;
  run.failure ??= error;
  run.work.onDone(0, left.length);
}

/** Waits so many seconds. A pace of the configuration, which is a test's or the demo's, shortens them. */
export const pause = async (seconds: number, { signal }: { signal: AbortSignal }): Promise<void> => {
  const quick = config().searchPace ? 0.02 : 1;
  await sleep(seconds * 1_000 * quick * (1 + Math.random() / 4), undefined, { signal });
};
