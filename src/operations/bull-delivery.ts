import { AsyncResource } from 'node:async_hooks';
import type { Job } from 'bullmq';
import { isPostgres } from '../lib/database-address.ts';
import type { Logger } from '../lib/log.ts';
import type { Delivery } from './delivery.ts';
import { AT_ONCE, embeddedDelivery, type Takes } from './embedded-delivery.ts';
import { knownKinds } from './engine.ts';
import { operationRow, roomOf } from './lease.ts';
import { ROOMS, type Room } from './rows.ts';

// Beside the tables of the portfolio, so that a copy of these leaves the queue out.
const SCHEMA = 'bullmq';
// The net below the queue: work that was queued by a command, or whose process died, is found by a look.
const LOOK_EVERY_MS = 5_000;
// A process that has died holds a job for so long; the lease of its operation is the longer of the two. A queue whose server was away asks
// again after a second.
const TIMING = { lockDuration: 15_000, stalledInterval: 5_000, maxStalledCount: 1_000, runRetryDelay: 1_000 };
// Work that waits for a free place, or for a process that knows its kind.
const LATER_MS = 1_000;
const LATEST_MS = 30_000;
// Three connections listen, the rest is for short statements.
const CONNECTIONS = ROOMS.length + 3;
const TOLD_EVERY_MS = 60_000;
// A stop waits for the queue to be open.
const CONNECT_MS = 10_000;
// Whether a job has failed is its operation's to say: none is kept.
const GONE = { removeOnComplete: { count: 0 }, removeOnFail: { count: 0 } };

interface Work {
  id: number;
}

interface Engine {
  /** Puts work into the queue of a room, where it is not in it yet. */
  add: (room: Room, kind: string, work: Work) => Promise<unknown>;
  close: () => Promise<void>;
}

/** Returns the address of the database with the queue's schema in the place of `public`. */
function addressIn(url: string): string {
  const address = new URL(url);
  const options = address.searchParams.get('options');
  address.searchParams.set('options', `${options === null ? '' : `${options} `}-c search_path=${SCHEMA}`);
  return address.href;
}

/** Returns a function that logs an error once a minute at most: while the database is away there are many a second. */
function seldom(log: Logger, message: string): (error: unknown) => void {
  let told = -Infinity;
  return (error) => {
    if (performance.now() - told < TOLD_EVERY_MS) return;
    told = performance.now();
    log.warn({ err: error }, message);
  };
}

/** Whether a process takes any kind of work of a room: else it would only put its jobs back, later for each who can. */
const isTaken = (room: Room, { kinds }: Takes): boolean =>
  [...knownKinds()].some(([kind, flow]) => roomOf(flow) === room && (kinds?.has(kind) ?? true));

type TakeJob = (job: Job<Work>, token?: string) => Promise<void>;

/** Puts a job back, for this process or another one. */
async function later(job: Job<Work>, token: string | undefined): Promise<never> {
  const { DelayedError } = await import('bullmq');
  await job.moveToDelayed(Date.now() + Math.min(LATEST_MS, LATER_MS * job.attemptsStarted), token);
  throw new DelayedError();
}

/** Opens the queues of all rooms; `work` gets the jobs of those that this process takes. `troubled` is told of each error. */
async function openEngine(
  url: string,
  takes: Takes,
  work: TakeJob,
  troubled: (error: unknown) => void,
): Promise<Engine> {
  const [{ createPostgresBackend, runMigrations, Queue: BullQueue, Worker: BullWorker }, pg] = await Promise.all([
    import('bullmq'),
    import('pg'),
  ]);
  const pool = new pg.default.Pool({
    connectionString: addressIn(url),
    max: CONNECTIONS,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS,
  });
  // A connection that is lost while it is in use, or idle, tells so by an event as well, which would end the process.
  pool.on('error', troubled);
  pool.on('connect', (client) => void client.on('error', troubled));
  const closing: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const end of closing.toReversed()) await end().catch(troubled);
    await pool.end().catch(troubled);
  };
  try {
    const client = await pool.connect();
    await runMigrations(client, SCHEMA).finally(() => client.release());
    const queues = new Map(
      ROOMS.map((room) => [room, new BullQueue(room, { connection: pool }, createPostgresBackend)] as const),
    );
    for (const [room, queue] of queues) {
      queue.on('error', troubled);
      closing.push(() => queue.close());
      if (!isTaken(room, takes)) continue;
      const worker = new BullWorker(
        room,
        work,
        { connection: pool, concurrency: AT_ONCE[room], ...TIMING, ...GONE },
        createPostgresBackend,
      );
      worker.on('error', troubled);
      closing.push(() => worker.close());
    }
    // The same work is in the queue once, however often it is announced.
    const add: Engine['add'] = async (room, kind, one) =>
      queues.get(room)?.add(kind, one, { jobId: `operation-${one.id}`, ...GONE });
    return { add, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Delivers by BullMQ on the PostgreSQL database at `url`, in a schema of its own: an id reaches a process that is free at once, whichever it
 * is. A look every five seconds is the net below it: nothing depends on the queue's memory, and where it can't be opened (such as for want
 * of the right to make a schema) the looks alone deliver.
 */
function bullDelivery(log: Logger, url: string, takes: Takes): Delivery {
  const embedded = embeddedDelivery(log, { ...takes, lookEveryMs: LOOK_EVERY_MS });
  const troubled = seldom(log, 'queue');
  const adding = new Set<Promise<unknown>>();
  let opening: Promise<Engine | null> = Promise.resolve(null);

  const work: TakeJob = async (job, token) => {
    if ((await embedded.take(job.data.id)) !== 'over') await later(job, token);
  };

  const add = async (id: number): Promise<void> => {
    const engine = await opening;
    if (!engine) return embedded.announce(id);
    const { kind } = await operationRow(id);
    const flow = knownKinds().get(kind);
    await engine.add(flow ? roomOf(flow) : 'usual', kind, { id });
  };
  const announce = (id: number): void => {
    const added = add(id).catch((error: unknown) => {
      troubled(error);
      embedded.announce(id);
    });
    adding.add(added);
    void added.finally(() => adding.delete(added));
  };
  return {
    // Bound to this context: neither the transaction nor the actor of who has queued the work is that of the queue.
    announce: AsyncResource.bind(announce),
    start: () => {
      embedded.start();
      opening = openEngine(url, takes, work, troubled).catch((error: unknown) => {
        log.warn({ err: error }, 'no queue: work is looked for at intervals');
        return null;
      });
    },
    stop: async () => {
      const engine = await opening;
      await Promise.all(adding);
      // First the work, which puts its jobs back.
      await embedded.stop();
      await engine?.close();
    },
  };
}

/** Returns the delivery of a process whose database is at `address`: BullMQ's on PostgreSQL, the embedded one on SQLite. */
export const deliveryFor = (log: Logger, address: string, takes: Takes = {}): Delivery =>
  isPostgres(address) ? bullDelivery(log, address, takes) : embeddedDelivery(log, takes);
