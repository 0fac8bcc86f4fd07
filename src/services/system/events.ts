import type { Logger } from '../../lib/log.ts';
import { storageWait } from '../../lib/waits.ts';
import { owner } from '../../operations/lease.ts';
import { AppError } from '../../shared/errors.ts';
import type { Key, Message } from '../../shared/i18n/index.ts';
import type { OperationView } from '../../shared/operations.ts';
import { currentOperations, operationsOf } from '../operations/operations.ts';
import { isAdmin, type Actor } from '../access/scope.ts';
import { liveSessions, type Signed } from '../access/session.ts';
import {
  findLastTold,
  listChangedDomains,
  listChangedOperations,
  listDomainEvents,
  listHeldOperations,
  listToldAfter,
  type DomainEvent,
  type Stamped,
  type ToldBy,
} from './rows.ts';

const LOOK_EVERY_MS = 1000;
const SESSIONS_EVERY_MS = 5000;
const STREAMS_PER_USER = 6;
// Rows are read again for this long after their time: a transaction may end later, or the clock be set.
const LATE_MS = 10_000;
// The results of a large check go out over several looks.
const ROWS_A_LOOK = 2000;

/** A change. `id` is the point from which a listener that was cut off can go on. */
export type Change =
  | { event: 'operation'; id: string; data: OperationView<Message> }
  | { event: 'domain'; data: DomainEvent };

/** A subscriber. `end` is called once, when the session or the server has ended. */
export interface Listener {
  signed: Signed;
  send: (changes: Change[]) => void;
  end: () => void;
}

/** Sends listeners the changes that any process makes, which it reads from the database. */
export interface EventStream {
  /**
   * Sends the operations that are under way or have changed since `since` (ISO 8601), then every change until the
   * returned function is called. Throws AppError `too_many` where the user listens six times already, `unavailable`
   * once the stream is closed.
   */
  listen: (listener: Listener, since?: string) => () => void;
  /** Ends every listener and stops polling. */
  close: () => Promise<void>;
}

/**
 * Returns a function that finds rows whose stamp differs from the last look; `read` returns the rows that were changed
 * since a time.
 */
function watchRows(read: (since: string) => Promise<Stamped[]>): () => Promise<number[]> {
  let seen = new Map<number, string>();
  let looked = Date.now();
  return async () => {
    const start = Date.now();
    const rows = await read(new Date(Math.min(looked, start) - LATE_MS).toISOString());
    const changed = rows.filter(({ id, stamp }) => seen.get(id) !== stamp);
    seen = new Map(rows.map(({ id, stamp }) => [id, stamp]));
    looked = start;
    return changed.map(({ id }) => id);
  };
}

/** Returns a function that finds the domains of rows added since the last look, a part at a time. */
function watchNew(table: ToldBy): () => Promise<number[]> {
  let last: number | undefined;
  let waiting: number[] = [];
  return async () => {
    if (last === undefined) {
      last = await findLastTold(table);
      return [];
    }
    if (waiting.length === 0) {
      const rows = await listToldAfter(table, last, ROWS_A_LOOK);
      last = rows.at(-1)?.id ?? last;
      waiting = [...new Set(rows.flatMap(({ ids }) => JSON.parse(ids) as number[]))];
    }
    return waiting.splice(0, ROWS_A_LOOK);
  };
}

/**
 * Returns a function that finds this process's operations when it begins or ceases to wait for our own database, which
 * no row shows.
 */
function watchStorage(): () => Promise<number[]> {
  let told: Key | undefined;
  return async () => {
    const now = storageWait()?.key;
    if (now === told) return [];
    told = now;
    const rows = await listHeldOperations(owner);
    return rows.map(({ id }) => id);
  };
}

interface Changes {
  operations: number[];
  domains: number[];
}

/**
 * Returns a function that returns, at each call, what has changed since the one before. The result of the first call is
 * to be ignored.
 */
function watchDatabase(): () => Promise<Changes> {
  const operations = watchRows(listChangedOperations);
  const edited = watchRows(listChangedDomains);
  const checked = watchNew('check_batches');
  const decided = watchNew('transfer_decisions');
  const stuck = watchStorage();
  return async () => ({
    operations: [...new Set([...(await operations()), ...(await stuck())])],
    domains: [...new Set([...(await edited()), ...(await checked()), ...(await decided())])],
  });
}

/** Returns the events of those domains that an actor may see. */
async function changedDomains(actor: Actor, ids: number[]): Promise<Change[]> {
  if (ids.length === 0) return [];
  const rows = await listDomainEvents(actor, ids);
  return rows.map((data) => ({ event: 'domain', data }));
}

const asChanges = (views: OperationView<Message>[], id: string): Change[] =>
  views.map((data) => ({ event: 'operation', id, data }));

/** Returns a function that loads a listener's changes, once for all listeners of the same scope. */
function forEveryScope(changes: Changes, id: string): (listener: Listener) => Promise<Change[]> {
  const found = new Map<string, Promise<Change[]>>();
  const load = async (actor: Actor): Promise<Change[]> => [
    ...asChanges(changes.operations.length ? await operationsOf(actor, changes.operations) : [], id),
    ...(await changedDomains(actor, changes.domains)),
  ];
  return ({ signed: { actor } }) => {
    const scope = isAdmin(actor) ? 'all' : String(actor.id);
    const loading = found.get(scope) ?? load(actor);
    found.set(scope, loading);
    return loading;
  };
}

/** Starts the stream. It polls the database once a second for all listeners together, and only while there are any. */
export function startEventStream(log: Logger): EventStream {
  const listeners = new Set<Listener>();
  const waiting = new Map<Listener, string | undefined>();
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let watch: (() => Promise<Changes>) | undefined;
  let sessionsAt = 0;

  const drop = (listener: Listener): void => {
    if (listeners.delete(listener) || waiting.delete(listener)) listener.end();
  };

  const endSessions = async (): Promise<void> => {
    const live = await liveSessions([...listeners].map(({ signed }) => signed.session));
    sessionsAt = Date.now();
    for (const listener of listeners) {
      const { session, actor } = listener.signed;
      if (live.get(session) !== actor.role) drop(listener);
    }
  };

  // Called after the changes were read: anything later is found by the next look.
  const greet = async (now: string): Promise<void> => {
    for (const [listener, since] of waiting) {
      const views = await currentOperations(listener.signed.actor, since);
      if (!waiting.delete(listener)) continue;
      listeners.add(listener);
      listener.send(asChanges(views, now));
    }
  };

  const look = async (): Promise<void> => {
    const now = new Date().toISOString();
    if (!watch) {
      watch = watchDatabase();
      await watch();
    }
    const changes = await watch();
    const isQuiet = changes.operations.length + changes.domains.length === 0;
    // Nothing goes out to a session that has ended.
    if (!isQuiet || Date.now() - sessionsAt >= SESSIONS_EVERY_MS) await endSessions();
    if (!isQuiet) {
      const changesFor = forEveryScope(changes, now);
      for (const listener of listeners) {
        const list = await changesFor(listener);
        if (listeners.has(listener) && list.length > 0) listener.send(list);
      }
    }
    await greet(now);
  };

  const lookOn = (): void => {
    looking = look()
      .catch((error: unknown) => log.error({ err: error }, 'events'))
      .finally(() => {
        looking = undefined;
        timer = undefined;
        if (closed) return;
        if (listeners.size + waiting.size > 0) timer = setTimeout(lookOn, LOOK_EVERY_MS);
        else watch = undefined;
      });
  };

  return {
    listen: (listener, since) => {
      const { id } = listener.signed.actor;
      const own = [...listeners, ...waiting.keys()].filter(({ signed }) => signed.actor.id === id);
      if (own.length >= STREAMS_PER_USER) {
        throw new AppError('too_many', 'events.too_many', { limit: STREAMS_PER_USER }, { retryAfter: 30 });
      }
      if (closed) throw new AppError('unavailable', 'error.database');
      waiting.set(listener, since);
      if (!looking && !timer) lookOn();
      return () => {
        listeners.delete(listener);
        waiting.delete(listener);
      };
    },
    close: async () => {
      closed = true;
      clearTimeout(timer);
      for (const listener of [...listeners, ...waiting.keys()]) drop(listener);
      await looking;
    },
  };
}
