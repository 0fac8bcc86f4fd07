// The past after a move: whose places a day shows, and how far a new main has recovered.
import { expect, test } from 'vitest';
import { executeUnaudited, select, transaction } from '../../../db/index.ts';
import { projectPositions } from '../../../src/services/positions/grids.ts';
import { listRecoveries } from '../../../src/services/positions/moves.ts';
import { purge } from '../../../src/services/system/purge.ts';
import { dateOf, dayOf } from '../../../src/shared/positions/places.ts';
import { DAY_MS } from '../../../src/shared/time.ts';
import { ann, bob, makeProject, usePositions, type TestProject } from './world.ts';

usePositions();

const today = dayOf(Date.now());
const run = (sql: string, bind: object = {}) => transaction(() => executeUnaudited('demo', sql, { ...bind }));

/** Makes a project of three domains, of which the last is the main now, and its queries. */
async function makeMoved(words: readonly string[]): Promise<TestProject> {
  const project = await makeProject(words, ['a.ru', 'b.ru', 'c.ru']);
  await run(
    `INSERT INTO search_queries (keyword_id, engine, region, device) SELECT id, 'yandex', '213', 'desktop' FROM keywords`,
  );
  const ids = JSON.stringify(Object.values(project.domains));
  await run(`INSERT INTO search_scopes (project_id, domain_ids) VALUES ($id, $ids)`, { id: project.id, ids });
  return project;
}

/** Stores that all words, or the first ones, were read some days ago, with a place of some domains. */
async function read(project: TestProject, ago: number, places: Record<string, number>, words = 100): Promise<void> {
  const bind = { day: today - ago, at: new Date().toISOString(), words };
  const queries = 'FROM (SELECT id FROM search_queries ORDER BY id LIMIT $words) q, search_scopes c';
  await run(
    `INSERT INTO search_days (query_id, day, depth, requests, source, checked_at, scope_id) SELECT q.id, $day, 50, 5, 'xmlriver', $at, c.id ${queries}`,
    bind,
  );
  for (const [name, place] of Object.entries(places)) {
    await run(
      `INSERT INTO positions (query_id, day, domain_id, place) SELECT q.id, $day, $id, $place FROM (SELECT id FROM search_queries ORDER BY id LIMIT $words) q`,
      { day: today - ago, id: project.domains[name], place, words },
    );
  }
}

/** Notes a move some days ago, and makes its target the main. */
async function move(project: TestProject, ago: number, from: string, to: string): Promise<void> {
  const at = new Date(Date.now() - ago * DAY_MS).toISOString();
  const bind = { project: project.id, at, from, to, main: project.domains[from], transfer: project.domains[to] };
  await run(
    `INSERT INTO transfer_history (project_id, main_domain_id, transfer_domain_id, main_domain_name, transfer_domain_name, action, created_at)
     VALUES ($project, $main, $transfer, $from, $to, 'auto', $at)`,
    bind,
  );
  await run(`UPDATE domains SET type = CASE WHEN id = $id THEN 'main' ELSE 'transfer' END`, { id: bind.transfer });
}

const shown = async ({ id }: TestProject): Promise<Record<string, number | null | undefined>> => {
  const { dates, values } = await projectPositions(ann, id, 'yandex');
  return Object.fromEntries(dates.map((date, index) => [date, values[index]?.[0]]));
};

test('two moves of one day leave the days before to the domain that was the main then', async () => {
  const project = await makeMoved(['word']);
  await read(project, 6, { 'a.ru': 7, 'b.ru': 3, 'c.ru': 2 });
  await read(project, 4, { 'a.ru': 9, 'b.ru': 8, 'c.ru': 7 });
  await read(project, 2, { 'a.ru': 1, 'b.ru': 2, 'c.ru': 30 });
  await move(project, 4, 'a.ru', 'b.ru');
  await move(project, 4, 'b.ru', 'c.ru');
  expect(await shown(project)).toEqual({ [dateOf(today - 6)]: 7, [dateOf(today - 4)]: 7, [dateOf(today - 2)]: 30 });
});

test('a move that was taken back on its day leaves the days before as they were', async () => {
  const project = await makeMoved(['word']);
  await read(project, 6, { 'a.ru': 7, 'b.ru': 3 });
  await read(project, 2, { 'a.ru': 8, 'b.ru': 2 });
  await move(project, 4, 'a.ru', 'b.ru');
  await move(project, 4, 'b.ru', 'a.ru');
  expect(await shown(project)).toEqual({ [dateOf(today - 6)]: 7, [dateOf(today - 2)]: 8 });
});

test('a former main that was deleted and purged keeps its days', async () => {
  const project = await makeMoved(['word']);
  await read(project, 6, { 'a.ru': 7 });
  await read(project, 2, { 'b.ru': 20 });
  await move(project, 4, 'a.ru', 'b.ru');
  const before = await shown(project);
  expect(before).toEqual({ [dateOf(today - 6)]: 7, [dateOf(today - 2)]: 20 });
  const recovered = await listRecoveries(ann, 'yandex');
  await run('UPDATE domains SET deleted_at = $at WHERE id = $id', {
    id: project.domains['a.ru'],
    at: new Date(Date.now() - 40 * DAY_MS).toISOString(),
  });
  await purge();
  expect(await select('SELECT domain_name FROM domains ORDER BY id')).toEqual([
    { domain_name: 'b.ru' },
    { domain_name: 'c.ru' },
  ]);
  expect(await shown(project)).toEqual(before);
  expect(await listRecoveries(ann, 'yandex')).toEqual(recovered);
});

test('a recovery is told in percent of the best day before, up to the last day that was read', async () => {
  const project = await makeMoved(['one', 'two', 'three', 'four']);
  await read(project, 9, { 'a.ru': 1 });
  await read(project, 8, { 'a.ru': 30 });
  await read(project, 5, { 'a.ru': 50, 'b.ru': 50 });
  await read(project, 3, { 'b.ru': 5 });
  await move(project, 7, 'a.ru', 'b.ru');
  const [one] = await listRecoveries(ann, 'yandex');
  expect(one).toMatchObject({ recovered: 60, curve: [null, null, 10, null, 60] });
  expect(await listRecoveries(bob, 'yandex')).toEqual([]);
  expect(await listRecoveries(ann, 'google')).toMatchObject([{ recovered: null, curve: [] }]);
});

test('a day on which a few keywords were read tells of no recovery', async () => {
  const project = await makeMoved(['one', 'two', 'three', 'four']);
  await read(project, 9, { 'a.ru': 5 });
  await read(project, 3, { 'b.ru': 10 });
  await read(project, 2, { 'b.ru': 1 }, 1);
  await move(project, 4, 'a.ru', 'b.ru');
  expect(await listRecoveries(ann, 'yandex')).toMatchObject([{ recovered: 83, curve: [null, 83] }]);
});

test('the second move of a day is measured against the main before the first', async () => {
  const project = await makeMoved(['word']);
  await read(project, 9, { 'a.ru': 1, 'b.ru': 50 });
  await read(project, 2, { 'c.ru': 5 });
  await move(project, 4, 'a.ru', 'b.ru');
  await move(project, 4, 'b.ru', 'c.ru');
  expect(await listRecoveries(ann, 'yandex')).toMatchObject([{ recovered: 60 }, { recovered: null, curve: [] }]);
});

test('a move without a reading before it tells no recovery', async () => {
  const project = await makeMoved(['word']);
  await read(project, 2, { 'b.ru': 5 });
  await move(project, 4, 'a.ru', 'b.ru');
  expect(await listRecoveries(ann, 'yandex')).toMatchObject([{ recovered: null, curve: [] }]);
});
