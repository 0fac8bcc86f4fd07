// Shared parts of the tests of the engine: a kind of work whose steps a test defines.
import { afterEach, beforeEach } from 'vitest';
import { execute, transaction } from '../../db/index.ts';
import { createLog } from '../../src/lib/log.ts';
import { deliveryFor } from '../../src/operations/bull-delivery.ts';
import { startDelivery } from '../../src/operations/delivery.ts';
import type { Takes } from '../../src/operations/embedded-delivery.ts';
import { registerFlows } from '../../src/operations/engine.ts';
import type { FlowStep, StepContext } from '../../src/operations/flow.ts';
import { enqueue } from '../../src/operations/queue.ts';
import type { StoredStep } from '../../src/shared/operations.ts';
import { startDatabase } from '../support/database.ts';

let database: Awaited<ReturnType<typeof startDatabase>>;
/** The steps that ran, in order. */
export let ran: string[];

/** Opens a new database for each test. */
export function useSteps(): void {
  beforeEach(async () => {
    database = await startDatabase();
    ran = [];
  });
  afterEach(() => database.close());
}

/** Returns the address of the test's database. */
export const addressOf = (): string => database.file;

/** Starts the delivery of a process on the database of the test: by BullMQ on PostgreSQL, else the embedded one. */
export const deliver = (takes: Takes = {}) => deliverTo(database.file, takes);

/** Starts the delivery of a process on the database at an address. */
export const deliverTo = (address: string, takes: Takes = {}) => startDelivery(deliveryFor(log, address, takes));

/** A log that writes nothing. */
export const log = createLog('silent');
/** Waits some milliseconds. */
export const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Registers a kind of work with these steps. */
export function define(steps: Record<string, (context: StepContext) => Promise<object | void>>): void {
  const list = Object.entries(steps).map(([name, run]): FlowStep => ({
    name,
    run: async (context) => {
      ran.push(name);
      return (await run(context)) ?? {};
    },
  }));
  registerFlows([
    {
      kind: 'test',
      steps: () => list,
      total: async () => 10,
      finished: ({ done }) => ({ key: 'check.finished', params: { done } }),
    },
  ]);
}

/** Queues work. */
export const queue = (subject = 'one', here = false) =>
  enqueue({ kind: 'test', subject, user_id: null, input: {}, message: { key: 'check.started' } }, here);
/** The states of stored steps. */
export const statesOf = (steps: string) => (JSON.parse(steps) as StoredStep[]).map(({ state }) => state);
/** A step that does five of ten. */
export const good = async ({ advance }: StepContext) => advance(5);
/** A step that fails. */
export const bad = async () => ({ error: { key: 'check.list_missing' } });
/** Ends the lease of an operation. */
export const freeLease = (id: number) =>
  transaction(() => execute(`UPDATE operations SET lease_until = '2000-01-01T00:00:00.000Z' WHERE id = $id`, { id }));
