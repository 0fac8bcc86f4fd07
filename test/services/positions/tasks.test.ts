// Positions read by Arsenkin's tasks: what is asked, by which service, what it costs, and what is stored.
import { beforeEach, describe, expect, test } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import { runOperation } from '../../../src/operations/engine.ts';
import { resultsAt } from '../../../src/demo/search/web.ts';
import { fetchCost, listSpending } from '../../../src/services/positions/cost.ts';
import { startFetch } from '../../../src/services/positions/fetch.ts';
import { projectPositions } from '../../../src/services/positions/grids.ts';
import { readingOf } from '../../../src/services/positions/results.ts';
import { readSettings, storeSettings } from '../../../src/services/positions/settings.ts';
import { deleteLeftTasks } from '../../../src/services/accounts/search-task-rows.ts';
import { dateOf, dayOf, placesIn } from '../../../src/shared/positions/places.ts';
import { defaultSettings } from '../../../src/shared/positions/settings.ts';
import { addAccount, ann, changeSettings, fake, fetchPositions, makeProject, one, usePositions, web } from './world.ts';
import { addTools, asked, openOf, spent, tools, useTasks, words } from './task-world.ts';

usePositions();
useTasks();

const today = (): number => dayOf(Date.now());

describe('a reading by tasks', () => {
  test('stores the place of every domain from one list a keyword, as read by Arsenkin', async () => {
    await addTools();
    const project = await makeProject(words(7), ['main.ru', 'other.ru']);
    expect(await fetchPositions(project.id, 'google')).toMatchObject({ state: 'succeeded', done: 7, failed: 0 });
    const { values } = await projectPositions(ann, project.id, 'google');
    const sought = [{ id: 1, domain_name: 'main.ru' }];
    const query = { engine: 'google', region: '2643', device: 'desktop' } as const;
    const expected = words(7).map((keyword) => {
      const urls = resultsAt(web, { ...query, keyword }, today()).slice(0, 50);
      return placesIn(urls, sought)[0]?.place ?? 0;
    });
    expect(values).toEqual([expected]);
    const { id = 0 } = (await one<{ id: number }>('SELECT id FROM keywords ORDER BY id')) ?? {};
    const reading = await readingOf(ann, project.id, 'google', id, dateOf(today()));
    expect(reading).toMatchObject({ source: 'arsenkin', depth: 50 });
    expect(reading.urls).toEqual(resultsAt(web, { ...query, keyword: 'word 0' }, today()).slice(0, 50));
    expect(await one('SELECT SUM(requests) AS n FROM search_days')).toMatchObject({ n: 7 });
    expect(fake.charged).toEqual([]);
  });

  test('sends each keyword once, in tasks of moderate size, five at once at most', async () => {
    await addTools();
    const project = await makeProject(words(1_350), ['main.ru']);
    expect(await fetchPositions(project.id)).toMatchObject({ state: 'succeeded', done: 1_350 });
    expect(tools.tasks.map(({ data }) => data.queries.length)).toEqual([200, 200, 200, 200, 200, 200, 150]);
    expect(new Set(asked()).size).toBe(1_350);
    expect(tools.calls.most).toBeLessThanOrEqual(5);
    expect(await spent()).toEqual({ requests: 1_350, limits: 2_700 });
  });

  test('of several projects at once keeps to five tasks of the account', async () => {
    await addTools();
    const projects = [await makeProject(words(900), ['a.ru']), await makeProject(words(900), ['b.ru'])];
    const ended = await Promise.all(
      projects.flatMap(({ id }) => [fetchPositions(id, 'yandex'), fetchPositions(id, 'google')]),
    );
    expect(ended.map(({ state }) => state)).toEqual(Array.from({ length: 4 }, () => 'succeeded'));
    expect(tools.calls.most).toBeLessThanOrEqual(5);
    expect(asked()).toHaveLength(3_600);
  });

  test('a keyword that was deleted while its task ran is left out', async () => {
    await addTools();
    const project = await makeProject(words(3), ['main.ru']);
    tools.faults.push({
      path: '/check',
      kind: 'body',
      body: JSON.stringify({ code: 'TASK_STATUS', status: 'queue' }),
      times: 4,
    });
    const { id } = await startFetch(ann, { projectId: project.id, keywordId: null, type: 'yandex' }, true);
    const ending = runOperation(id);
    await expect.poll(() => tools.tasks.length, { interval: 5 }).toBe(1);
    await transaction(() => execute(`DELETE FROM search_queries WHERE keyword_id IN (SELECT MIN(id) FROM keywords)`));
    expect(await ending).toMatchObject({ failed: 0 });
    expect(await select('SELECT query_id FROM search_days')).toHaveLength(2);
  });
});

describe('the service of a project', () => {
  test('is XMLRiver where it has an account, else Arsenkin', async () => {
    await addTools();
    const project = await makeProject(['seen'], ['main.ru']);
    await fetchPositions(project.id);
    await addAccount();
    await fetchPositions(project.id, 'google');
    expect(await select('SELECT source FROM search_days ORDER BY query_id')).toEqual([
      { source: 'arsenkin' },
      { source: 'xmlriver' },
    ]);
  });

  test('is Arsenkin where the accounts of XMLRiver have failed their last test', async () => {
    await addTools();
    await addAccount();
    await transaction(() => execute(`UPDATE xmlriver_accounts SET check_error = '{}'`));
    const project = await makeProject(['seen'], ['main.ru']);
    await fetchPositions(project.id);
    expect(await one('SELECT source FROM search_days')).toEqual({ source: 'arsenkin' });
  });

  test('that was chosen is kept by bodies without it, and refused by its name where it has no account', async () => {
    await addAccount();
    const project = await makeProject(['seen'], ['main.ru']);
    await changeSettings(project.id, { source: 'arsenkin' });
    const { project_id: _, source: _source, ...older } = defaultSettings(project.id);
    await storeSettings(ann, project.id, { ...older, depth: 50, every_days: 0 });
    expect(await readSettings(ann, project.id)).toMatchObject({ source: 'arsenkin' });
    const asked = fetchPositions(project.id);
    await expect(asked).rejects.toMatchObject({ kind: 'not_configured', key: 'positions.no_arsenkin' });
    await addTools();
    expect(await fetchPositions(project.id)).toMatchObject({ state: 'succeeded' });
    expect(await one('SELECT source FROM search_days')).toEqual({ source: 'arsenkin' });
  });

  test('without an account at either is refused', async () => {
    const project = await makeProject(['seen'], ['main.ru']);
    await expect(fetchPositions(project.id)).rejects.toMatchObject({
      kind: 'not_configured',
      key: 'positions.no_account',
    });
  });
});

describe('limits', () => {
  beforeEach(() => addTools());

  test('the cap of the day holds over both engines, what was refused is not counted', async () => {
    const project = await makeProject(words(6), ['main.ru']);
    await changeSettings(project.id, { daily_cap: 8 });
    const ended = await Promise.all([fetchPositions(project.id), fetchPositions(project.id, 'google')]);
    expect(asked()).toHaveLength(8);
    expect(ended.reduce((sum, { failed }) => sum + failed, 0)).toBe(4);
    const open = await Promise.all(ended.map(({ id }) => openOf(id)));
    expect(open.flat().every((line) => line.endsWith('positions.cap'))).toBe(true);
    expect(await fetchCost(ann, project.id, 'yandex')).toMatchObject({ left_today: 0 });
  });

  test('are the price and the balance of a reading, by what the last ones have cost', async () => {
    const project = await makeProject(words(5), ['main.ru']);
    const before = await fetchCost(ann, project.id, 'yandex');
    expect(before).toEqual({
      source: 'arsenkin',
      requests: 5,
      price: null,
      currency: 'limits',
      balance: '1000000',
      left_today: 5_000,
      has_account: true,
      operation_id: null,
    });
    await fetchPositions(project.id);
    expect(await fetchCost(ann, project.id, 'yandex')).toMatchObject({
      price: '10',
      balance: '999990',
      left_today: 4_995,
    });
    const [account] = await listSpending();
    expect(account).toMatchObject({ source: 'arsenkin', requests_week: 5, lasts_days: 699_993 });
  });

  test('tasks of old operations are deleted', async () => {
    const project = await makeProject(words(2), ['main.ru']);
    await fetchPositions(project.id);
    expect(await transaction(() => deleteLeftTasks('2020-01-01', 10))).toBe(0);
    expect(await transaction(() => deleteLeftTasks('2999-01-01', 10))).toBe(1);
  });
});
