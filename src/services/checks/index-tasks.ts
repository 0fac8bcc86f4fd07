import { arsenkin } from '../../providers/search/arsenkin.ts';
import type { Indexed } from '../../providers/provider.ts';
import type { IndexAnswer } from '../../shared/checks/indexation.ts';
import type { Engine } from '../../shared/engines.ts';
import type { Message } from '../../shared/i18n/index.ts';
import type { OperationRow } from '../../shared/operations/tables.ts';
import { NO_ANSWER } from '../accounts/search-task-read.ts';
import { listTasks } from '../accounts/search-task-rows.ts';
import { membersOf, type Answered, type TaskMember } from '../accounts/search-task-run.ts';
import { runTasks } from '../accounts/search-tasks.ts';
import { foundBy } from './check-results.ts';
import { listChecksSince, type IndexTarget } from './index-rows.ts';

// A URL is asked of both engines at once.
const SIZE = 100;

/** A check of domains by tasks. */
interface TaskCheck {
  operation: OperationRow;
  signal: AbortSignal;
  engines: readonly Engine[];
  targets: readonly IndexTarget[];
  /** Prepares the verdicts of a domain, those that are known, and returns what writes them. */
  store: (answers: readonly IndexAnswer[]) => () => Promise<void>;
  advance: (done: number, failed?: number) => void;
}

type Verdicts = Record<Engine, Indexed>;

/** Returns the verdicts that are known. */
const knownOf = ({ id }: TaskMember, verdicts: Verdicts, engines: readonly Engine[]): IndexAnswer[] =>
  engines.flatMap((engine) => {
    const indexed = verdicts[engine];
    return indexed === null ? [] : [{ domain_id: id, engine, indexed }];
  });

/**
 * Checks domains by Arsenkin's tasks. A verdict that is not understood stays unknown, and its domain open. Returns the tasks that
 * were read, which the caller ends, and why domains are left, if there are any.
 */
export async function checkByTasks(check: TaskCheck): Promise<{ tasks: number[]; failure: Message | null }> {
  const { operation, signal, engines, targets, store, advance } = check;
  const tasks: number[] = [];
  let partial = 0;
  const hostsOf = (members: readonly TaskMember[]): string[] => members.map(({ text }) => text);
  const failure = await runTasks<Verdicts>({
    operation,
    signal,
    size: SIZE,
    members: targets.map(({ id, domain_name }) => ({ id, text: domain_name })),
    start: (login, members, call) => arsenkin.startIndexed(login, engines, hostsOf(members), call),
    read: async (login, members, id, call) => {
      const read = await arsenkin.readIndexed(login, engines, hostsOf(members), id, call);
      return read && read.map((verdicts) => (engines.some((engine) => verdicts[engine] !== null) ? verdicts : null));
    },
    store: (answers: readonly Answered<Verdicts>[]) => {
      const writes = answers.map(({ member, answer }) => {
        const known = knownOf(member, answer, engines);
        if (known.length < engines.length) partial += 1;
        return store(known);
      });
      return async () => {
        for (const write of writes) await write();
      };
    },
    endsLater: (id) => tasks.push(id),
    onDone: (read, failed) => advance(read + failed, failed),
  });
  if (partial > 0) advance(0, partial);
  return { tasks, failure: failure ?? (partial > 0 ? NO_ANSWER : null) };
}

/**
 * Returns the names that other checks than one have sent to a service since a time, and so were paid or may have been, whether an answer was
 * understood or not: the schedule does not pay for them again.
 */
export async function listSentNames(before: string, but: number): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for (const { id } of await listChecksSince(before, but)) {
    for (const name of (await foundBy(id)).keys()) names.add(name);
    const sent = (await listTasks(id)).filter(({ state }) => state !== 'reserved');
    for (const { text } of sent.flatMap(membersOf)) names.add(text);
  }
  return names;
}
