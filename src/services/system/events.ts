import { select } from '../../../db/index.ts';
import type { Logger } from '../../lib/log.ts';
import { storageWait } from '../../lib/waits.ts';
import { owner } from '../../operations/lease.ts';
import type { DomainView } from '../../shared/portfolio/domains.ts';
import { AppError } from '../../shared/errors.ts';
import type { Key, Language } from '../../shared/i18n/index.ts';
import type { OperationView } from '../../shared/operations.ts';
import { currentOperations, operationsOf } from '../operations/operations.ts';
import { bindings, isAdmin, VISIBLE, type Actor } from '../access/scope.ts';
import { liveSessions, type Signed } from '../access/session.ts';

const LOOK_EVERY_MS = 1000;
const SESSIONS_EVERY_MS = 5000;
const STREAMS_PER_USER = 6;
// A row is looked for this long after its time: its transaction may have ended later, or the clock been set.
const LATE_MS = 10_000;
// What a large check has found goes out over several looks.
const ROWS_A_LOOK = 2000;

/** What is told of a domain that has changed. */
export type DomainEvent = Pick<
  DomainView,
  | 'id'
  | 'domain_name'
  | 'project_id'
  | 'status'
  | 'http_status_code'
  | 'http_error'
  | 'last_http_check_at'
  | 'last_block_check_at'
  | 'expired_at'
  | 'updated_at'
>;

/** Something that has happened. `id` is where a listener that was cut off can go on. */
export type Happening =
  | { event: 'operation'; id: string; data: OperationView }
  | { event: 'domain'; data: DomainEvent };

/** Somebody who listens. `end` is called once, when the session or the server has ended. */
export interface Listener {
  signed: Signed;
  language: Language;
  send: (happenings: Happening[]) => void;
  end: () => void;
}

/** Tells listeners what happens, in whatever process it does: it is read from the database. */
export interface Feed {
  /**
   * Sends what is under way, and what happened from `since` (an ISO time) on; then whatever happens, until the function
   * that it returns is called. Throws `too_many` where the user listens six times already.
   */
  listen: (listener: Listener, since?: string) => () => void;
  /** Ends every listener and looks no more. */
  close: () => Promise<void>;
}

interface Stamped {
  id: number;
  stamp: string;
}

/** Finds rows whose stamp is another than at the last look; `read` gives those that were changed from a time on. */
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

/** Finds the domains of rows that are new since the last look, each of which `read` gives as a JSON list, a few at a time. */
function watchNew(table: 'check_batches' | 'transfer_decisions', read: string): () => Promise<number[]> {
  let last: number | undefined;
  let waiting: number[] = [];
  return async () => {
    if (last === undefined) {
      const [row] = await select<{ id: number | null }>(`SELECT max(id) AS id FROM ${table}`);
      last = row?.id ?? 0;
      return [];
    }
    if (waiting.length === 0) {
      const rows = await select<{ id: number; ids: string }>(
        `SELECT id, ${read} AS ids FROM ${table} WHERE id > $last ORDER BY id LIMIT ${ROWS_A_LOOK}`,
        { last },
      );
      last = rows.at(-1)?.id ?? last;
      waiting = [...new Set(rows.flatMap(({ ids }) => JSON.parse(ids) as number[]))];
    }
    return waiting.splice(0, ROWS_A_LOOK);
  };
}

/** Finds the work of this process when it begins to wait for our own database, and when that ends: no row tells of it. */
function watchStorage(): () => Promise<number[]> {
  let told: Key | undefined;
  return async () => {
    const now = storageWait()?.key;
    if (now === told) return [];
    told = now;
    const rows = await select<{ id: number }>('SELECT id FROM operations WHERE lease_owner = $owner', { owner });
    return rows.map(({ id }) => id);
  };
}

interface Changes {
  operations: number[];
  domains: number[];
}

/** Gives, at each call, what has changed since the one before. The first call gives nothing that counts. */
function watchDatabase(): () => Promise<Changes> {
  const operations = watchRows((since) =>
    select<Stamped>(
      `SELECT id, concat_ws('/', changed_at, state, done, failed, cancel_requested) AS stamp FROM operations
       WHERE changed_at >= $since ORDER BY changed_at, id`,
      { since },
    ),
  );
  const edited = watchRows((since) =>
    select<Stamped>('SELECT id, updated_at AS stamp FROM domains WHERE updated_at >= $since', { since }),
  );
  const checked = watchNew('check_batches', 'domain_ids');
  const decided = watchNew('transfer_decisions', 'json_array(domain_id)');
  const stuck = watchStorage();
  return async () => ({
    operations: [...new Set([...(await operations()), ...(await stuck())])],
    domains: [...new Set([...(await edited()), ...(await checked()), ...(await decided())])],
  });
}

/** Those of the domains that an actor may see, as an event tells of them. */
async function changedDomains(actor: Actor, ids: number[]): Promise<Happening[]> {
  if (ids.length === 0) return [];
  const rows = await select<DomainEvent>(
    `SELECT d.id, d.domain_name, d.project_id, d.status, d.http_status_code, d.http_error, d.last_http_check_at,
       d.last_block_check_at, d.expired_at, d.updated_at
     FROM domains d LEFT JOIN projects p ON p.id = d.project_id
     WHERE ${VISIBLE.domains(actor)} AND d.id IN (SELECT value FROM json_each($ids)) ORDER BY d.id`,
    { ids: JSON.stringify(ids), ...bindings(actor) },
  );
  return rows.map((data) => ({ event: 'domain', data }));
}

const asHappenings = (views: OperationView[], id: string): Happening[] =>
  views.map((data) => ({ event: 'operation', id, data }));

/** What listeners of the same scope and language get, asked for once. */
function forEveryScope(changes: Changes, id: string): (listener: Listener) => Promise<Happening[]> {
  const found = new Map<string, Promise<Happening[]>>();
  const load = async (actor: Actor, language: Language): Promise<Happening[]> => [
    ...asHappenings(changes.operations.length ? await operationsOf(actor, language, changes.operations) : [], id),
    ...(await changedDomains(actor, changes.domains)),
  ];
  return ({ signed: { actor }, language }) => {
    const scope = `${isAdmin(actor) ? 'all' : actor.id}/${language}`;
    const loading = found.get(scope) ?? load(actor, language);
    found.set(scope, loading);
    return loading;
  };
}

/** Starts a feed. The database is looked at while somebody listens, once a second for all of them together. */
export function startFeed(log: Logger): Feed {
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

  // After the changes were looked up: whatever comes later is a change of the next look.
  const greet = async (now: string): Promise<void> => {
    for (const [listener, since] of waiting) {
      const { signed, language } = listener;
      const views = await currentOperations(signed.actor, language, since);
      if (!waiting.delete(listener)) continue;
      listeners.add(listener);
      listener.send(asHappenings(views, now));
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
      const happenings = forEveryScope(changes, now);
      for (const listener of listeners) {
        const list = await happenings(listener);
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
