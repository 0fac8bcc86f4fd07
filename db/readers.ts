import { AsyncLocalStorage } from 'node:async_hooks';
import type { DoorName } from '../src/shared/audit/audit.ts';
import { AppError } from '../src/shared/errors.ts';
import { findActing } from './acting.ts';
import type { Bind, Connection, Place } from './connection.ts';
import type { Patience } from './waiting/patience.ts';

// The libuv pool has four threads: one is left for the writer.
const CONNECTIONS = 3;
const MAX_QUEUED = 1000;

/**
 * The caller of a read. Once `signal` fires, its queued reads are rejected; `urgent` reads go ahead of the others, which get
 * at least every other turn. `patience` is how long its writes wait.
 */
export interface Reader {
  signal?: AbortSignal;
  urgent?: boolean;
  patience?: Patience;
}

interface Read extends Pick<Reader, 'signal' | 'urgent'> {
  sql: string;
  bind: Bind;
  resolve: (rows: object[]) => void;
  reject: (error: Error) => void;
}

/** Connections for reads outside of transactions, each with one query at a time. */
export interface Readers {
  all: (sql: string, bind: Bind) => Promise<object[]>;
  /** How many reads wait for a connection, and how many are under way. */
  load: () => { readsQueued: number; readsRunning: number };
  /** Returns a value that changes with every commit of another connection, in any process, and with every opening. */
  version: () => Promise<string>;
  close: () => Promise<void>;
}

const readers = new AsyncLocalStorage<Reader>();
let openings = 0;

/** Runs `work`; its reads outside of transactions are made for `reader`. */
export const readingFor = <T>(reader: Reader, work: () => Promise<T>): Promise<T> => readers.run(reader, work);

/** Returns the signal of the running `readingFor`. */
export const readerSignal = (): AbortSignal | undefined => readers.getStore()?.signal;

const overloaded = (): AppError =>
  new AppError('unavailable', 'error.overloaded', {}, { code: 'overloaded', retryAfter: 2 });
const gone = (): AppError => new AppError('unavailable', 'error.overloaded', {}, { code: 'client_gone' });

// Their work is put off, not failed, and waits as long as it takes.
const PATIENT = new Set<DoorName>(['operation', 'schedule']);

/** Returns how long the writes of the running `readingFor` wait; undefined: as long as any other work's. */
export function callersPatience(): Patience | undefined {
  const patience = readers.getStore()?.patience;
  if (!patience || patience.isOver) return undefined;
  const door = findActing()?.door.name;
  return door !== undefined && PATIENT.has(door) ? undefined : patience;
}

/** Coalesces calls of `ask`: calls during a run share the next run, so that each answer was asked for after its call. */
function shared<T>(ask: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  let next: Promise<T> | undefined;
  const start = (): Promise<T> => {
    const asked = ask().finally(() => {
      if (running === asked) running = undefined;
    });
    running = asked;
    return asked;
  };
  return () => {
    if (!running) return start();
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return start();
      });
    return next;
  };
}

/** The reads that wait for a connection. */
class ReadQueue {
  private readonly urgent: Read[] = [];
  private readonly ordinary: Read[] = [];
  private wasUrgent = false;

  get isEmpty(): boolean {
    return this.size === 0;
  }

  get size(): number {
    return this.ordinary.length + this.urgent.length;
  }

  get isFull(): boolean {
    return this.ordinary.length >= MAX_QUEUED;
  }

  add(read: Read): void {
    (read.urgent ? this.urgent : this.ordinary).push(read);
  }

  next(): Read | undefined {
    const [first, second] = this.wasUrgent ? [this.ordinary, this.urgent] : [this.urgent, this.ordinary];
    const from = first.length > 0 ? first : second;
    const read = from.shift();
    // An aborted read does not count as a turn.
    if (!read?.signal?.aborted) this.wasUrgent = from === this.urgent;
    return read;
  }
}

/** Opens one connection to watch with and CONNECTIONS to read over; none stays open where one of them is refused. */
async function connections(place: Place): Promise<[Connection, ...Connection[]]> {
  const opening = await Promise.allSettled(Array.from({ length: 1 + CONNECTIONS }, place.connectForReading));
  const opened = opening.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const refused = opening.find((one) => one.status === 'rejected');
  if (!refused) return opened as [Connection, ...Connection[]];
  await Promise.all(opened.map((connection) => connection.close()));
  throw refused.reason;
}

/** Opens the reading connections of a process with many callers. The database must exist. */
export async function openReaders(place: Place): Promise<Readers> {
  const [watcher, ...idle] = await connections(place);
  const opening = ++openings;
  const queue = new ReadQueue();
  let busy = 0;
  let closing: (() => void) | undefined;

  const perform = async (connection: Connection, read: Read): Promise<void> => {
    try {
      read.resolve(await connection.all(read.sql, read.bind));
    } catch (error) {
      read.reject(error as Error);
    }
    busy -= 1;
    idle.push(connection);
    advance();
  };

  const advance = (): void => {
    while (idle.length > 0) {
      const read = queue.next();
      if (!read) break;
      if (read.signal?.aborted) {
        read.reject(gone());
        continue;
      }
      busy += 1;
      void perform(idle.pop()!, read);
    }
    if (busy === 0 && queue.isEmpty) closing?.();
  };

  return {
    all: (sql, bind) =>
      new Promise((resolve, reject) => {
        const reader = readers.getStore() ?? {};
        // Reads without a signal come from background work, which is limited at its source: they are never refused here.
        if (reader.signal && queue.isFull) {
          reject(overloaded());
          return;
        }
        queue.add({ signal: reader.signal, urgent: reader.urgent, sql, bind, resolve, reject });
        advance();
      }),
    load: () => ({ readsQueued: queue.size, readsRunning: busy }),
    version: shared(async () => `${opening}/${await place.version(watcher)}`),
    close: async () => {
      await new Promise<void>((resolve) => {
        closing = resolve;
        advance();
      });
      await Promise.allSettled([...idle, watcher].map((connection) => connection.close()));
    },
  };
}
