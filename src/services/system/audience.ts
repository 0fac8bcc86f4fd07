import { AppError } from '../../shared/errors.ts';
import type { Message } from '../../shared/i18n/index.ts';
import type { OperationView } from '../../shared/operations.ts';
import { isAdmin, type Actor } from '../access/scope.ts';
import { liveSessions, type Signed } from '../access/session.ts';
import { listSeenIds } from '../notices/seen-rows.ts';
import { currentOperations, operationsOf } from '../operations/operations.ts';
import { listDomainEvents, type DomainEvent } from './rows.ts';
import type { Changes } from './watch.ts';

const SESSIONS_EVERY_MS = 5000;
const STREAMS_PER_USER = 6;

/** A change. `id` is the point from which a listener that was cut off can go on. */
export type Change =
  | { event: 'operation'; id: string; data: OperationView<Message> }
  | { event: 'domain'; data: DomainEvent }
  | { event: 'notice'; data: { id: number } };

/** A subscriber. `end` is called once, when the session or the server has ended. */
export interface Listener {
  signed: Signed;
  send: (changes: Change[]) => void;
  end: () => void;
}

const asChanges = (views: OperationView<Message>[], id: string): Change[] =>
  views.map((data) => ({ event: 'operation', id, data }));

/** Returns the events of those domains that an actor may see. */
async function changedDomains(actor: Actor, ids: number[]): Promise<Change[]> {
  if (ids.length === 0) return [];
  const rows = await listDomainEvents(actor, ids);
  return rows.map((data) => ({ event: 'domain', data }));
}

/** Returns the events of those notices of which an actor sees a subject. */
async function changedNotices(actor: Actor, ids: number[]): Promise<Change[]> {
  if (ids.length === 0) return [];
  const seen = await listSeenIds(actor, ids);
  return seen.map((data) => ({ event: 'notice', data }));
}

/** Returns a function that loads a listener's changes: once for all listeners of the same scope, of notices for each person. */
function forEveryScope(changes: Changes, id: string): (listener: Listener) => Promise<Change[]> {
  const found = new Map<string, Promise<Change[]>>();
  const once = (name: string, load: () => Promise<Change[]>): Promise<Change[]> => {
    const loading = found.get(name) ?? load();
    found.set(name, loading);
    return loading;
  };
  const load = async (actor: Actor): Promise<Change[]> => [
    ...asChanges(changes.operations.length ? await operationsOf(actor, changes.operations) : [], id),
    ...(await changedDomains(actor, changes.domains)),
  ];
  return async ({ signed: { actor } }) => [
    ...(await once(isAdmin(actor) ? 'all' : `of ${actor.id}`, () => load(actor))),
    ...(await once(`notices of ${actor.id}`, () => changedNotices(actor, changes.notices))),
  ];
}

/** The listeners of a stream. A new one gets changes of operations only after it was greeted with all of them. */
export class Audience {
  private readonly listeners = new Set<Listener>();
  private readonly newcomers = new Map<Listener, string | undefined>();
  private sessionsAt = 0;

  get isEmpty(): boolean {
    return this.listeners.size + this.newcomers.size === 0;
  }

  /** Throws AppError `too_many` where the user listens six times already. */
  add(listener: Listener, since: string | undefined): void {
    const { id } = listener.signed.actor;
    const own = [...this.listeners, ...this.newcomers.keys()].filter(({ signed }) => signed.actor.id === id);
    if (own.length >= STREAMS_PER_USER) {
      throw new AppError('too_many', 'events.too_many', { limit: STREAMS_PER_USER }, { retryAfter: 30 });
    }
    this.newcomers.set(listener, since);
  }

  /** Removes a listener that has left by itself; it is not ended. */
  remove(listener: Listener): boolean {
    return this.listeners.delete(listener) || this.newcomers.delete(listener);
  }

  endAll(): void {
    for (const listener of [...this.listeners, ...this.newcomers.keys()]) this.end(listener);
  }

  /** Sends the listeners what has changed. Nothing goes out to a session that has ended. */
  async deliver(changes: Changes, now: string): Promise<void> {
    const isQuiet = changes.operations.length + changes.domains.length + changes.notices.length === 0;
    if (!isQuiet || Date.now() - this.sessionsAt >= SESSIONS_EVERY_MS) await this.endSessions();
    if (isQuiet) return;
    const changesFor = forEveryScope(changes, now);
    // A newcomer has read its lists when its stream was opened: what changed since then is in no later look.
    for (const listener of [...this.listeners, ...this.newcomers.keys()]) {
      const all = await changesFor(listener);
      const list = this.newcomers.has(listener) ? all.filter(({ event }) => event !== 'operation') : all;
      if (this.has(listener) && list.length > 0) listener.send(list);
    }
  }

  /**
   * Sends the newcomers the operations under way. Call after the changes were read: anything later is found by the next
   * look.
   */
  async greet(now: string): Promise<void> {
    for (const [listener, since] of this.newcomers) {
      const views = await currentOperations(listener.signed.actor, since);
      if (!this.newcomers.delete(listener)) continue;
      this.listeners.add(listener);
      listener.send(asChanges(views, now));
    }
  }

  private has(listener: Listener): boolean {
    return this.listeners.has(listener) || this.newcomers.has(listener);
  }

  private end(listener: Listener): void {
    if (this.remove(listener)) listener.end();
  }

  private async endSessions(): Promise<void> {
    const all = [...this.listeners, ...this.newcomers.keys()];
    const live = await liveSessions(all.map(({ signed }) => signed.session));
    this.sessionsAt = Date.now();
    for (const listener of all) {
      const { session, actor } = listener.signed;
      if (live.get(session) !== actor.role) this.end(listener);
    }
  }
}
