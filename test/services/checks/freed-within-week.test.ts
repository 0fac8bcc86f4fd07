// Names that became blocked within the week are guarded from mass freeing like those that were blocked before.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runOperation } from '../../../src/operations/engine.ts';
import { acceptHeld } from '../../../src/services/checks/checks.ts';
import { add, ann, check, loadList, many, stored, useWorld } from './check-world.ts';

useWorld();

const names = many(300);
const others = Array.from({ length: 200 }, (_, index) => `other-${index}.test`);
const look = { steps: ['blocklist' as const] };

// Only Date is faked; timers run, so that database calls go on.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 1) }));
afterEach(() => void vi.useRealTimers());

const passDays = (days: number): void => void vi.setSystemTime(Date.now() + days * 86_400_000);
const blocked = async (): Promise<number> =>
  Object.values(await stored('status')).filter((status) => status === 'blocked').length;

/** Checks by a list of these names beside others; returns what is held of what, null for nothing, and how many are blocked then. */
async function checkBy(listed: readonly string[]): Promise<[number | null, number | null, number]> {
  await loadList([...others, ...listed]);
  const { held } = await check(ann, look);
  return [held?.count ?? null, held?.total ?? null, await blocked()];
}

/** Accepts the held result of a check by the list of now. */
async function accept(): Promise<void> {
  const { id } = await check(ann, look);
  await runOperation((await acceptHeld(ann, id)).id);
}

test('a wave that was blocked within the week and is freed at once is held until a person accepts it, who is not asked again', async () => {
  await add(ann, names);
  expect(await checkBy(names.slice(0, 40))).toEqual([null, null, 40]);
  expect(await checkBy([])).toEqual([40, 40, 40]);
  passDays(3);
  expect(await checkBy([])).toEqual([40, 40, 40]);
  await accept();
  expect(await checkBy([])).toEqual([null, null, 0]);
  // Later results are measured from there.
  expect(await checkBy(names.slice(0, 4))).toEqual([null, null, 4]);
  expect(await checkBy([])).toEqual([null, null, 0]);
});

test('a wave of yesterday is guarded beside names that have been blocked for long, and these beside a large wave', async () => {
  await add(ann, names);
  expect(await checkBy(names.slice(0, 20))).toEqual([null, null, 20]);
  passDays(10);
  expect(await checkBy(names.slice(0, 70))).toEqual([null, null, 70]);
  expect(await checkBy(names.slice(0, 55))).toEqual([15, 70, 70]);
  expect(await checkBy(names.slice(5, 70))).toEqual([5, 20, 70]);
  expect(await checkBy([...names.slice(0, 3), ...names.slice(4, 60)])).toEqual([null, null, 59]);
});

test('a wave of yesterday that is freed a little each day is held after a fifth, on whatever day that comes', async () => {
  await add(ann, names);
  expect(await checkBy(names.slice(0, 40))).toEqual([null, null, 40]);
  passDays(6);
  expect(await checkBy(names.slice(4, 40))).toEqual([null, null, 36]);
  expect(await checkBy(names.slice(8, 40))).toEqual([null, null, 32]);
  for (let day = 6; day < 12; day += 1) {
    expect(await checkBy(names.slice(9, 40))).toEqual([9, 40, 32]);
    passDays(1);
  }
  // Names that were freed more than seven days ago count no more.
  passDays(1.5);
  expect(await checkBy(names.slice(9, 40))).toEqual([null, null, 31]);
});

test('names that are blocked and free by turns are held for nobody where they are few, and no longer than a list says so', async () => {
  await add(ann, names);
  await checkBy(names.slice(0, 30));
  for (let day = 0; day < 16; day += 1) {
    passDays(1);
    const isFree = day % 2 === 0;
    expect(await checkBy(names.slice(isFree ? 4 : 0, 30))).toEqual([null, null, isFree ? 26 : 30]);
  }
  expect(await checkBy(names.slice(10, 30))).toEqual([6, 26, 30]);
  passDays(1);
  expect(await checkBy(names.slice(0, 30))).toEqual([null, null, 30]);
});

test('a portfolio of three names is held by no list', async () => {
  await add(ann, names.slice(0, 3));
  for (let day = 0; day < 8; day += 1) {
    expect(await checkBy(day % 2 === 0 ? names.slice(0, 3) : [])).toEqual([null, null, day % 2 === 0 ? 3 : 0]);
    passDays(1);
  }
});
