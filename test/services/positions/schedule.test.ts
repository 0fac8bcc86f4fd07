// Readings that begin by themselves: of what is due, once, whatever was read by hand or left open.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { select } from '../../../db/index.ts';
import { runOperation } from '../../../src/operations/engine.ts';
import { startDueFetches } from '../../../src/services/positions/schedule.ts';
import {
  addAccount,
  changeSettings,
  fake,
  fetchPositions,
  KEY,
  LOGIN,
  makeProject,
  one,
  paid,
  usePositions,
} from './world.ts';

usePositions();
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2027-03-01T01:23:00Z') }));
afterEach(() => void vi.useRealTimers());

/** Runs what is due, and returns the states in which it has ended. */
async function runDue(): Promise<string[]> {
  await startDueFetches();
  const queued = await select<{ id: number }>(`SELECT id FROM operations WHERE state = 'queued' ORDER BY id`);
  const states: string[] = [];
  for (const { id } of queued) states.push((await runOperation(id)).state);
  return states;
}

async function makeScheduled(words: string[], settings = {}) {
  await addAccount();
  const project = await makeProject(words, ['main.ru']);
  await changeSettings(project.id, { depth: 10, every_days: 1, ...settings });
  return project;
}

test('a schedule reads every keyword once a day in both engines, however often it is asked', async () => {
  await makeScheduled(['one', 'two']);
  expect(await runDue()).toEqual(['succeeded', 'succeeded']);
  expect(await runDue()).toEqual([]);
  vi.setSystemTime('2027-03-01T23:23:00Z');
  expect(await runDue()).toEqual([]);
  vi.setSystemTime('2027-03-02T01:23:00Z');
  expect(await runDue()).toEqual(['succeeded', 'succeeded']);
  expect(paid()).toHaveLength(8);
});

test('a schedule of a week is not due before, and is after missed days', async () => {
  await makeScheduled(['one'], { every_days: 7 });
  await runDue();
  vi.setSystemTime('2027-03-07T22:23:00Z');
  expect(await runDue()).toEqual([]);
  vi.setSystemTime('2027-03-19T04:23:00Z');
  expect(await runDue()).toEqual(['succeeded', 'succeeded']);
});

test('a keyword that was read by hand does not put the others off, and is not paid again', async () => {
  const project = await makeScheduled(['one', 'two', 'three']);
  const { id = 0 } = (await one<{ id: number }>(`SELECT id FROM keywords WHERE value = 'two'`)) ?? {};
  await fetchPositions(project.id, 'yandex', id);
  await runDue();
  const yandex = fake.charged.filter(({ engine }) => engine === 'yandex').map(({ query }) => query);
  expect(yandex.toSorted()).toEqual(['one', 'three', 'two']);
});

test('keywords that a lack of money has left open are read at the next time, and no others', async () => {
  await makeScheduled(['one', 'two', 'three']);
  fake.state.accounts = [{ login: LOGIN, key: KEY, balance: 50 }];
  await runDue();
  expect(paid()).toHaveLength(2);
  fake.state.accounts = [{ login: LOGIN, key: KEY, balance: 1_000_000 }];
  vi.setSystemTime('2027-03-01T04:23:00Z');
  expect(await runDue()).toEqual(['succeeded', 'succeeded']);
  expect(paid()).toHaveLength(6);
});

test('a project that has used up its cap is left alone until the next day', async () => {
  await makeScheduled(['one', 'two', 'three'], { daily_cap: 4 });
  expect(await runDue()).toEqual(['succeeded', 'partial']);
  expect(await runDue()).toEqual([]);
  vi.setSystemTime('2027-03-02T01:23:00Z');
  await runDue();
  expect(paid()).toHaveLength(8);
});
