// A deletion takes years of positions with it, and lets others write in between.
import { expect, test } from 'vitest';
import { executeUnaudited, select, transaction } from '../../../db/index.ts';
import { deleteProject } from '../../../src/services/portfolio/projects.ts';
import { deleteKeyword, deleteKeywords } from '../../../src/services/positions/keywords.ts';
import { purge } from '../../../src/services/system/purge.ts';
import { DAY_MS } from '../../../src/shared/time.ts';
import { ann, bob, makeProject, usePositions } from './world.ts';

usePositions();

const words = Array.from({ length: 60 }, (_, index) => `word ${index}`);
const run = (sql: string, bind: object = {}) => transaction(() => executeUnaudited('demo', sql, { ...bind }));

/** Makes a project whose keywords were read on ten days. */
async function makeRead() {
  const project = await makeProject(words, ['main.ru']);
  await run(
    `INSERT INTO search_queries (keyword_id, engine, region, device) SELECT id, 'yandex', '213', 'desktop' FROM keywords`,
  );
  const days = `json_each('[1,2,3,4,5,6,7,8,9,10]') d`;
  await run(
    `INSERT INTO search_days (query_id, day, depth, requests, source, checked_at, scope_id)
     SELECT q.id, CAST(d.value AS INTEGER), 50, 5, 'xmlriver', '2026-01-01T00:00:00.000Z', 1 FROM search_queries q, ${days}`,
  );
  await run(
    `INSERT INTO positions (query_id, day, domain_id, place) SELECT q.id, CAST(d.value AS INTEGER), $id, 3 FROM search_queries q, ${days}`,
    { id: project.domains['main.ru'] },
  );
  return project;
}

const count = async (table: string): Promise<unknown> =>
  (await select<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table}`))[0]?.n;

test('keywords that are deleted let others write in between', async () => {
  const project = await makeRead();
  const ends: string[] = [];
  const deleting = deleteKeywords(ann, project.id, words).then(() => ends.push('deleted'));
  // Asked for while the first rows are being deleted.
  await expect.poll(() => count('positions'), { interval: 1 }).toBeLessThan(600);
  await run('UPDATE search_days SET requests = 6').then(() => ends.push('written'));
  await deleting;
  expect(ends).toEqual(['written', 'deleted']);
  for (const table of ['keywords', 'search_queries', 'search_days', 'positions']) expect(await count(table)).toBe(0);
});

test('a keyword of somebody else keeps what was found for it', async () => {
  const project = await makeRead();
  const [row] = await select<{ id: number }>('SELECT id FROM keywords ORDER BY id');
  await expect(deleteKeyword(bob, row?.id ?? 0)).rejects.toMatchObject({ kind: 'not_found' });
  await expect(deleteKeywords(bob, project.id, words)).rejects.toMatchObject({ kind: 'not_found' });
  expect(await count('positions')).toBe(600);
  await deleteKeyword(ann, row?.id ?? 0);
  expect(await count('positions')).toBe(590);
});

test('a project that is purged takes its positions with it', async () => {
  const project = await makeRead();
  await deleteProject(ann, project.id);
  await purge();
  expect(await count('positions')).toBe(600);
  await run('UPDATE projects SET deleted_at = $at', { at: new Date(Date.now() - 31 * DAY_MS).toISOString() });
  await purge();
  for (const table of ['projects', 'keywords', 'search_days', 'positions']) expect(await count(table)).toBe(0);
});
