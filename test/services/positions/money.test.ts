// Cost of a reading: the cap of the day, lost answers, a service that is away, stopped work.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { select, transaction } from '../../../db/index.ts';
import { runOperation } from '../../../src/operations/engine.ts';
import { startFetch } from '../../../src/services/positions/fetch.ts';
import { listOpen } from '../../../src/services/positions/results.ts';
import { addSpending } from '../../../src/services/positions/spending-rows.ts';
import { dayOf } from '../../../src/shared/positions/places.ts';
import {
  addAccount,
  ann,
  changeSettings,
  fake,
  fetchPositions,
  KEY,
  makeProject,
  one,
  paid,
  tryAgain,
  usePositions,
} from './world.ts';

usePositions();
afterEach(() => void vi.useRealTimers());

const words = (count: number): string[] => Array.from({ length: count }, (_, index) => `word ${index}`);

async function makeLarge(count: number, daily_cap: number) {
  await addAccount();
  const project = await makeProject(words(count), ['main.ru']);
  await changeSettings(project.id, { depth: 10, daily_cap });
  return project;
}

test('the spending of another process counts, but for what is under way', async () => {
  const project = await makeLarge(100, 60);
  let other: Promise<void> | undefined;
  fake.hold = () =>
    (other ??= transaction(() =>
      addSpending({ project_id: project.id, day: dayOf(Date.now()), xmlriver_id: 99, requests: 50 }),
    ));
  expect(await fetchPositions(project.id)).toMatchObject({ state: 'partial' });
  expect(paid().length).toBeLessThanOrEqual(10 + 30);
});

test('the cap of a day holds for requests that were under way at midnight', async () => {
  const project = await makeLarge(40, 10);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2027-03-01T23:59:59Z') });
  fake.faults.push({ kind: 'code', code: 102, times: 9 });
  let held = 0;
  fake.hold = async () => {
    held += 1;
    const turn = held;
    await expect.poll(() => held, { interval: 1 }).toBeGreaterThanOrEqual(10);
    vi.setSystemTime('2027-03-02T00:00:01Z');
    // One after the other: what fails is given back after the first of the new day has been stored.
    await sleep(turn * 3);
  };
  await fetchPositions(project.id);
  expect(paid().length).toBeLessThanOrEqual(10);
});

test('answers that were charged and lost count', async () => {
  const project = await makeLarge(40, 10);
  fake.faults.push({ kind: 'lost', times: 10_000 });
  expect(await fetchPositions(project.id)).toMatchObject({ state: 'failed' });
  expect(paid()).toHaveLength(10);
  expect(await one('SELECT SUM(requests) AS n FROM search_spending')).toMatchObject({ n: 10 });
});

test('a service that tells its errors is not charged for them', async () => {
  const project = await makeLarge(20, 20);
  fake.faults.push({ kind: 'code', code: 500, times: 20, every: 2 }, { kind: 'code', code: 110, times: 3 });
  expect(await fetchPositions(project.id)).toMatchObject({ state: 'succeeded' });
  expect(await one('SELECT SUM(requests) AS n FROM search_spending')).toMatchObject({ n: 20 });
});

test('an answer that is charged and can’t be read is not asked for again in the same reading, and its keyword tells so', async () => {
  const project = await makeLarge(3, 100);
  fake.faults.push({ kind: 'half', times: 99, query: 'word 1' });
  const ended = await fetchPositions(project.id);
  expect(ended).toMatchObject({ state: 'partial', done: 3, failed: 1 });
  expect(paid().toSorted()).toEqual(['word 0/0', 'word 1/0', 'word 2/0']);
  const told = expect.objectContaining({ key: 'provider.malformed' });
  expect(await listOpen(ann, ended.id)).toEqual([expect.objectContaining({ keyword: 'word 1', error: told })]);
  expect(await one('SELECT SUM(requests) AS n FROM search_spending')).toMatchObject({ n: 3 });
});

test('a service that is away is not asked for every keyword', async () => {
  const project = await makeLarge(300, 100_000);
  fake.faults.push({ kind: 'code', code: 500, times: 100_000 });
  const ended = await fetchPositions(project.id);
  expect(ended).toMatchObject({ state: 'failed', failed: 300 });
  expect(fake.calls.all).toBeLessThan(200);
  expect(await listOpen(ann, ended.id)).toHaveLength(300);
  fake.faults.length = 0;
  expect(await tryAgain(ended.id)).toMatchObject({ state: 'succeeded', done: 300, failed: 0 });
});

test('work that is stopped sends nothing more, and stores what was under way', async () => {
  const project = await makeLarge(60, 1_000);
  const { id } = await startFetch(ann, { projectId: project.id, keywordId: null, type: 'yandex' }, true);
  const stop = new AbortController();
  let held = 0;
  let go = (): void => undefined;
  const gate = new Promise<void>((resolve) => (go = resolve));
  fake.hold = async () => {
    held += 1;
    await gate;
  };
  const running = runOperation(id, { signal: stop.signal });
  await expect.poll(() => held).toBe(10);
  stop.abort();
  go();
  expect(await running).toMatchObject({ state: 'queued' });
  expect(paid()).toHaveLength(10);
  const stored = await select('SELECT query_id FROM search_pages UNION ALL SELECT query_id FROM search_days');
  expect(stored).toHaveLength(10);
  fake.hold = undefined;
  expect(await runOperation(id)).toMatchObject({ state: 'succeeded', done: 60 });
  expect(paid()).toHaveLength(60);
});

test('keywords that a cap has left open come first on the next day', async () => {
  const project = await makeLarge(20, 12);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2027-03-01T10:00:00Z') });
  await fetchPositions(project.id);
  vi.setSystemTime('2027-03-02T10:00:00Z');
  await fetchPositions(project.id);
  expect(new Set(paid()).size).toBe(20);
});

test('pages with few results make no reading dearer than was told', async () => {
  await addAccount();
  const project = await makeProject(['word'], ['main.ru']);
  await changeSettings(project.id, { depth: 30 });
  let page = 0;
  fake.hold = async () => {
    page += 1;
    const text = `<yandexsearch><response><found priority="all">9000</found><results><grouping><group><doc><url>https://few-${page}.ru/</url></doc></group></grouping></results></response></yandexsearch>`;
    fake.faults.push({ kind: 'body', text, times: 1 });
  };
  await fetchPositions(project.id);
  expect(page).toBe(3);
  expect(await one('SELECT depth, requests FROM search_days')).toEqual({ depth: 3, requests: 3 });
});

test('a key that the service repeats is not stored', async () => {
  const project = await makeLarge(2, 100);
  fake.faults.push({ kind: 'code', code: 500, text: `key ${KEY} again`, times: 100 });
  const { id } = await fetchPositions(project.id);
  const stored = JSON.stringify([
    await select('SELECT * FROM search_failures'),
    await select(`SELECT * FROM operations WHERE id = ${id}`),
    await select('SELECT * FROM audit'),
  ]);
  expect(stored).not.toContain(KEY);
});
