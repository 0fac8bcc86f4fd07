// Random schedules of purchases: workers that crash, answers that get lost, limits, and a switch, against a registrar that counts charges.
import { setTimeout as sleep } from 'node:timers/promises';
import { execute, select, transaction } from '../../../db/index.ts';
import { interceptCrashPoints } from '../../../src/lib/crash-point.ts';
import { owner } from '../../../src/operations/lease.ts';
import { Waiting } from '../../../src/operations/waiting.ts';
import { ProviderError } from '../../../src/providers/provider-error.ts';
import type { Registrar } from '../../../src/providers/provider.ts';
import { regru } from '../../../src/providers/registrars/regru.ts';
import { purchaseActs } from '../../../src/services/purchases/acts.ts';
import type { PurchaseOrder } from '../../../src/services/purchases/reserve.ts';
import type { Shop } from '../../../src/services/purchases/shop.ts';
import { AppError } from '../../../src/shared/errors.ts';
import { random } from '../../support/random.ts';
import { AT_ONCE, LOGIN } from '../../support/registrars/shops.ts';

/** One schedule: an order of an operation. Several tasks may be about one name, and several workers about one task. */
export interface Task {
  operation: number;
  order: PurchaseOrder;
}

/** A worker's process died here. */
class Crash extends Error {}

/** The end of names for whose order the process waits this long; the registrar acts, and answers later. */
export const SLOW = '-slow';
const PATIENCE_MS = 40;

/** Of a registrar that takes calls again as soon as it has said after "too many requests". */
export const PACE = { ...AT_ONCE, leastPauseMs: 10 };

const registrar = regru as unknown as Registrar;

const impatient: Registrar = {
  ...registrar,
  register: (login, order, call) => {
    const isSlow = order.domain_name.endsWith(`${SLOW}.ru`);
    return registrar.register!(login, order, isSlow ? { ...call, signal: AbortSignal.timeout(PATIENCE_MS) } : call);
  },
};

/** Opens the account at the fake without a database's secret. */
export const shopAt = (id: number, url: string): Shop => ({
  id,
  type: 'reg.ru',
  registrar: impatient,
  login: LOGIN,
  call: (signal) => ({ url, pace: PACE, ...(signal && { signal }) }),
});

/** Takes a task over, as a process does with an operation. */
export async function claim({ operation }: Pick<Task, 'operation'>): Promise<void> {
  await transaction(() =>
    execute(`UPDATE operations SET lease_owner = $owner, fence = fence + 1 WHERE id = $operation`, {
      operation,
      owner,
    }),
  );
}

/** Failures that end a try; anything else is a bug of the product or of the test. */
const isExpected = (error: unknown): boolean =>
  error instanceof Crash ||
  error instanceof Waiting ||
  error instanceof AppError ||
  error instanceof ProviderError ||
  (error instanceof Error && error.message.includes('was taken over'));

/** Runs the acts of a task once, as the engine does; `crash` throws where the worker dies. Its journal is what was committed. */
async function tryTask(task: Task, shop: Shop, journal: Set<string>, crash: () => void): Promise<void> {
  await claim(task);
  for (const act of purchaseActs({ ...task.order, operation_id: task.operation }, shop)) {
    if (journal.has(act.name)) continue;
    crash();
    const change = await act.look(false);
    crash();
    if (change) await change.perform();
    crash();
    journal.add(act.name);
  }
}

/** Works tasks off with several workers; each may crash at any point, with this chance. Returns the number of crashes. */
export async function work(
  tasks: readonly Task[],
  shop: Shop,
  { seed, workers = 4, chance = 0.08, tries = 3 }: { seed: number; workers?: number; chance?: number; tries?: number },
): Promise<number> {
  const next = random(seed);
  let crashes = 0;
  const crash = (): void => {
    if (next() >= chance) return;
    crashes += 1;
    throw new Crash('killed');
  };
  interceptCrashPoints(crash);
  const journals = new Map<Task, Set<string>>();
  const queue = tasks.flatMap((task) => Array.from({ length: tries }, () => task));
  const worker = async (): Promise<void> => {
    for (let task = queue.shift(); task; task = queue.shift()) {
      const journal = journals.get(task) ?? new Set<string>();
      journals.set(task, journal);
      if (journal.has('resolve')) continue;
      try {
        await tryTask(task, shop, journal, crash);
      } catch (error) {
        if (!isExpected(error)) throw error;
        // A refusal is the end of its item.
        if (error instanceof AppError) journal.add('resolve');
      }
      if (next() < 0.1) await sleep(1);
    }
  };
  try {
    await Promise.all(Array.from({ length: workers }, worker));
  } finally {
    interceptCrashPoints();
  }
  return crashes;
}

/** Inserts the operations of tasks; returns their ids. */
export async function insertOperations(seed: number, count: number, user: number | null): Promise<number[]> {
  const rows = await transaction(() =>
    select<{ id: number }>(
      `INSERT INTO operations (kind, subject, user_id, input, state, steps, message, lease_owner, created_at)
       SELECT 'test_buy', $prefix || CAST(value AS TEXT), $user, '{}', 'running', '[]', '{}', 'x', '' FROM json_each($numbers) WHERE true
       RETURNING id`,
      { user, prefix: `${seed} `, numbers: JSON.stringify(Array.from({ length: count }, (_, index) => index)) },
    ),
  );
  return rows.map(({ id }) => id);
}
