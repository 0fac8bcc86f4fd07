// A reading of thousands of keywords in both engines, killed five times: what was answered and stored is paid once.
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { useSecretKey } from '../../src/lib/secret.ts';
import { runOperation } from '../../src/operations/engine.ts';
import { startFetch } from '../../src/services/positions/fetch.ts';
import { ENGINES } from '../../src/shared/engines.ts';
import { startChild } from '../support/child.ts';
import { endLeases } from '../support/leases.ts';
import {
  addAccount,
  ann,
  changeSettings,
  database,
  fake,
  makeProject,
  one,
  usePositions,
} from '../services/positions/world.ts';

usePositions();

const KEYWORDS = 2_000;
const KILLS = 5;
// So many keywords of a reading are at once between the charge of a page and its commit.
const AT_ONCE = 30;

const countPaid = (): number => fake.charged.length;
/** Returns the pages that were paid, each once. */
const pages = (): Set<string> => new Set(fake.charged.map(({ engine, query, page }) => `${engine}/${query}/${page}`));
const countStored = async (): Promise<number> =>
  (await one<{ n: number }>('SELECT (SELECT COUNT(*) FROM search_pages) + (SELECT COUNT(*) FROM search_days) AS n'))
    ?.n ?? 0;

test('two thousand keywords in two engines, killed five times, cost no more than what was under way', async () => {
  const key = randomBytes(32);
  useSecretKey(key);
  await addAccount();
  const { id: projectId } = await makeProject(
    Array.from({ length: KEYWORDS }, (_, index) => `word ${index}`),
    ['main.ru'],
  );
  await changeSettings(projectId, { depth: 10, daily_cap: 100_000 });
  const ids: number[] = [];
  for (const type of ENGINES) ids.push((await startFetch(ann, { projectId, keywordId: null, type })).id);
  const start = () =>
    ids.map((id) =>
      startChild('test/children/positions.ts', [
        database.file,
        database.folder,
        fake.url,
        key.toString('hex'),
        String(id),
      ]),
    );
  let lost = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const before = countPaid();
    const children = start();
    await expect.poll(countPaid, { interval: 5 }).toBeGreaterThan(before + 500);
    await Promise.all(children.map((child) => child.kill()));
    // Calls that had arrived are answered into the void.
    await sleep(200);
    await endLeases();
    // One page a keyword: what is stored was read, or its page is.
    const open = pages().size - (await countStored());
    expect(open).toBeGreaterThanOrEqual(0);
    expect(open).toBeLessThanOrEqual(ENGINES.length * AT_ONCE);
    lost += open;
  }
  const ended = await Promise.all(ids.map((id) => runOperation(id)));
  expect(ended).toMatchObject(ENGINES.map(() => ({ state: 'succeeded', done: KEYWORDS, failed: 0 })));
  expect(pages().size).toBe(KEYWORDS * ENGINES.length);
  expect(countPaid()).toBeLessThanOrEqual(pages().size + lost);
  expect(await one('SELECT COUNT(*) AS n FROM search_days')).toMatchObject({ n: pages().size });
  // A page that a kill has left between charge and commit is paid, and is not counted.
  const { n = 0 } = (await one<{ n: number }>('SELECT SUM(requests) AS n FROM search_spending')) ?? {};
  expect(n).toBeLessThanOrEqual(countPaid());
  expect(n).toBeGreaterThanOrEqual(pages().size);
});

test('answers are stored though the work stops while another process holds the write lock for 24 s', async () => {
  await addAccount();
  const { id: projectId } = await makeProject(
    Array.from({ length: 60 }, (_, index) => `word ${index}`),
    ['main.ru'],
  );
  await changeSettings(projectId, { depth: 10 });
  const { id } = await startFetch(ann, { projectId, keywordId: null, type: 'yandex' }, true);
  const go = join(database.folder, 'go');
  const holder = startChild('test/children/hold-lock.ts', [database.file, go]);
  expect(await holder.line()).toBe('ready');
  let held = 0;
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  fake.hold = async () => {
    held += 1;
    await gate;
  };
  const stop = new AbortController();
  const running = runOperation(id, { signal: stop.signal });
  await expect.poll(() => held).toBe(10);
  writeFileSync(go, '');
  expect(await holder.line()).toBe('held');
  stop.abort();
  open();
  await sleep(24_000);
  await holder.kill();
  expect(await running).toMatchObject({ state: 'queued' });
  expect(countPaid()).toBe(10);
  expect(await countStored()).toBe(10);
  fake.hold = undefined;
  expect(await runOperation(id)).toMatchObject({ state: 'succeeded', done: 60 });
  expect(countPaid()).toBe(60);
});
