// Under Attack is enabled, disabled, given back, cancelled and tried again in random orders: no zone loses the level that it had.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import { cancelOperation, requeue } from '../../../src/operations/queue.ts';
import { startRestore } from '../../../src/operations/restore.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { startSwitch } from '../../../src/services/dns/protection.ts';
import { AppError } from '../../../src/shared/errors.ts';
import { startBulk, ZONE_TIME, type Bulk } from '../../support/bulk.ts';
import { randomOf } from '../../support/random-bulk.ts';

const LEVELS = ['high', 'low', 'medium', 'essentially_off'];
const STEPS = 8;
const SEEDS = [1, 2, 3, 4, 5, 6];

let bulk: Bulk;
beforeAll(async () => {
  bulk = await startBulk({ accounts: 1, zonesEach: 10, latencyMs: 1 });
});
beforeEach(async () => {
  bulk.fake.faults.length = 0;
  await transaction(async () => {
    await execute('DELETE FROM zone_levels');
    await execute('DELETE FROM operations');
  });
});
afterAll(() => bulk.close());

const levels = (): unknown[] => bulk.zones().map(({ settings }) => settings['security_level']?.value);

/** Runs an operation to its end, or cancels it after so many calls. */
async function run(id: number, calls: number): Promise<string> {
  const from = bulk.fake.requests.length;
  const over = new AbortController();
  const running = bulk.run(id).finally(() => over.abort());
  while (!over.signal.aborted && bulk.fake.requests.length < from + calls) await sleep(1);
  if (!over.signal.aborted) await cancelOperation(id).catch(() => undefined);
  return (await running).state;
}

const start = async (action: 'enable' | 'disable'): Promise<number> =>
  (await startSwitch(SYSTEM, { kind: 'under_attack', action })).id;

/** Asks for work at random: a new switch, or a restore or another try of earlier work. Null: that is refused. */
async function ask(random: () => number, known: readonly number[]): Promise<number | null> {
  const dice = random();
  const one = known[Math.floor(random() * known.length)];
  if (one === undefined || dice < 0.4) return start(dice < 0.2 ? 'enable' : 'disable');
  try {
    if (dice < 0.7) return (await startRestore(null, one)).id;
    await requeue(one);
    return one;
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

test.each(SEEDS)('seed %i', async (seed) => {
  const random = randomOf(seed);
  for (const zone of bulk.zones()) {
    const value = LEVELS[Math.floor(random() * LEVELS.length)];
    zone.settings = { security_level: { value, modified_on: ZONE_TIME } };
  }
  const before = levels();
  const known: number[] = [];
  for (let step = 0; step < STEPS; step += 1) {
    const lost = { match: ({ method }: { method: string }) => method !== 'GET', times: 2 };
    if (random() < 0.3) bulk.fake.faults.push({ kind: random() < 0.5 ? 'act-then-drop' : 'malformed', ...lost });
    const id = await ask(random, known);
    if (id === null) continue;
    if (!known.includes(id)) known.push(id);
    await run(id, random() < 0.4 ? 1 + Math.floor(random() * 25) : Infinity);
  }
  bulk.fake.faults.length = 0;
  expect(await run(await start('disable'), Infinity)).toBe('succeeded');
  expect(levels()).toEqual(before);
  expect(await select('SELECT * FROM zone_levels')).toEqual([]);
});
