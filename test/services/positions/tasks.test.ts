// Positions read by Arsenkin's tasks: what is sent, paid and stored, and what stays open where a task fails.
import { beforeEach, describe, expect, test } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import { cancelOperation, requeue } from '../../../src/operations/queue.ts';
import { runOperation } from '../../../src/operations/engine.ts';
import { resultsAt } from '../../../src/demo/search/web.ts';
import { fetchCost, listSpending } from '../../../src/services/positions/cost.ts';
import { startFetch } from '../../../src/services/positions/fetch.ts';
import { projectPositions } from '../../../src/services/positions/grids.ts';
import { listOpen, readingOf } from '../../../src/services/positions/results.ts';
import { startDueFetches } from '../../../src/services/positions/schedule.ts';
import { readSettings, storeSettings } from '../../../src/services/positions/settings.ts';
import { deleteLeftTasks } from '../../../src/services/accounts/search-task-rows.ts';
import { deleteTeamRow } from '../../../src/services/accounts/team.ts';
import { dateOf, dayOf, placesIn } from '../../../src/shared/positions/places.ts';
import { defaultSettings, PositionSettings } from '../../../src/shared/positions/settings.ts';
import { addAccount, ann, fake, fetchPositions, makeProject, one, web, usePositions } from './world.ts';
import { addTools, asked, spent, storedTasks, token, tools, useTasks } from './task-world.ts';

usePositions();
useTasks();

const words = (count: number): string[] => Array.from({ length: count }, (_, index) => `word ${index}`);
const today = (): number => dayOf(Date.now());
const settings = (change: Partial<PositionSettings> = {}): PositionSettings => {
  const { project_id: _, ...rest } = defaultSettings(0);
  return PositionSettings.parse({ ...rest, ...change });
};
const again = async (id: number) => {
  await requeue(id, true);
  return runOperation(id);
};
const openOf = async (id: number) => (await listOpen(ann, id)).map(({ keyword, error }) => `${keyword}: ${error.key}`);
const body = (value: object): string => JSON.stringify(value);

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
    tools.faults.push({ path: '/check', kind: 'body', body: body({ code: 'TASK_STATUS', status: 'queue' }), times: 4 });
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
    await storeSettings(ann, project.id, settings({ source: 'arsenkin' }));
    const { source: _, ...older } = settings();
    await storeSettings(ann, project.id, older);
    expect(await readSettings(ann, project.id)).toMatchObject({ source: 'arsenkin' });
    const asked = fetchPositions(project.id);
    await expect(asked).rejects.toMatchObject({ kind: 'refused', key: 'positions.no_arsenkin' });
    await addTools();
    expect(await fetchPositions(project.id)).toMatchObject({ state: 'succeeded' });
    expect(await one('SELECT source FROM search_days')).toEqual({ source: 'arsenkin' });
  });

  test('without an account at either is refused', async () => {
    const project = await makeProject(['seen'], ['main.ru']);
    await expect(fetchPositions(project.id)).rejects.toMatchObject({ key: 'positions.no_account' });
  });
});

describe('a task whose begin is not known', () => {
  test.each([
    ['its answer is lost', { path: '/set', kind: 'lost', times: 1 }],
    ['the service fails', { path: '/set', kind: 'body', status: 502, body: '<h1>Bad Gateway</h1>', times: 1 }],
    ['its answer is no JSON', { path: '/set', kind: 'body', body: '<html>', times: 1 }],
    ['its answer has no number', { path: '/set', kind: 'body', body: '{"code":"SET_TASK_OK"}', times: 1 }],
  ] as const)('because %s is sent again by a person alone', async (_why, fault) => {
    await addTools();
    const project = await makeProject(words(3), ['main.ru']);
    tools.faults.push({ ...fault });
    const ended = await fetchPositions(project.id);
    expect(ended).toMatchObject({ state: 'failed', failed: 3 });
    expect(await openOf(ended.id)).toEqual(words(3).map((word) => `${word}: search_task.unknown`));
    expect((await projectPositions(ann, project.id, 'yandex')).values).toEqual([[null, null, null]]);
    expect(await storedTasks()).toMatchObject([{ state: 'unknown', task_id: null }]);
    const before = tools.tasks.length;
    expect(await again(ended.id)).toMatchObject({ state: 'succeeded', done: 3 });
    expect(tools.tasks).toHaveLength(before + 1);
    expect(await openOf(ended.id)).toEqual([]);
    expect(await spent()).toMatchObject({ requests: 6 });
  });

  test('because it was cancelled meanwhile is sent again by a person alone', async () => {
    await addTools();
    const project = await makeProject(words(2), ['main.ru']);
    tools.faults.push({ path: '/set', kind: 'hang', times: 1 });
    const { id } = await startFetch(ann, { projectId: project.id, keywordId: null, type: 'yandex' }, true);
    const ending = runOperation(id);
    await expect.poll(() => tools.tasks.length, { interval: 5 }).toBe(1);
    await cancelOperation(id);
    expect(await ending).toMatchObject({ state: 'cancelled' });
    expect(await storedTasks()).toMatchObject([{ state: 'unknown' }]);
    expect(await openOf(id)).toEqual(words(2).map((word) => `${word}: search_task.unknown`));
    expect(await again(id)).toMatchObject({ state: 'succeeded' });
    expect(tools.tasks).toHaveLength(2);
  });

  test('is not sent by the schedule on the same day', async () => {
    await addTools();
    const project = await makeProject(words(3), ['main.ru']);
    await storeSettings(ann, project.id, settings({ every_days: 1 }));
    tools.faults.push({ path: '/set', kind: 'lost', times: 1 });
    await fetchPositions(project.id);
    await startDueFetches();
    const queued = await select<{ input: string }>(`SELECT input FROM operations WHERE state = 'queued'`);
    expect(queued.map(({ input }) => JSON.parse(input).engine)).toEqual(['google']);
  });
});

describe('a task that is refused', () => {
  test('by the number of calls is sent again, and costs once', async () => {
    await addTools();
    const project = await makeProject(words(3), ['main.ru']);
    tools.faults.push({ path: '/set', kind: 'body', status: 429, retryAfter: 0.05, body: '{}', times: 3 });
    expect(await fetchPositions(project.id)).toMatchObject({ state: 'succeeded', failed: 0 });
    expect(tools.tasks).toHaveLength(1);
    expect(await spent()).toEqual({ requests: 3, limits: 6 });
  });

  test('because of one keyword is sent in parts until that one is alone', async () => {
    await addTools();
    const project = await makeProject(words(20), ['main.ru']);
    tools.state.rejects = ['word 7'];
    const ended = await fetchPositions(project.id);
    expect(ended).toMatchObject({ state: 'partial', done: 20, failed: 1 });
    expect(await openOf(ended.id)).toEqual(['word 7: provider.refused']);
    expect(asked().toSorted()).toEqual(
      words(20)
        .filter((word) => word !== 'word 7')
        .toSorted(),
    );
    expect(await spent()).toEqual({ requests: 19, limits: 38 });
  });

  test('for want of limits goes to the next account; without one its keywords are open, and the account is marked', async () => {
    const { id } = await addTools('poor');
    tools.state.tokens = { [token()]: 5 };
    const project = await makeProject(words(3), ['main.ru']);
    const ended = await fetchPositions(project.id);
    expect(ended).toMatchObject({ state: 'failed', failed: 3 });
    expect(await openOf(ended.id)).toEqual(words(3).map((word) => `${word}: search_task.no_money`));
    expect(await one(`SELECT check_error FROM arsenkin_accounts WHERE id = ${id}`)).toMatchObject({
      check_error: expect.stringContaining('search_task.no_money'),
    });
    expect(await spent()).toEqual({ requests: 0, limits: 0 });
    await addTools('rich', 'another-token-4712');
    tools.state.tokens['another-token-4712'] = 1_000;
    expect(await again(ended.id)).toMatchObject({ state: 'succeeded' });
    expect(tools.tasks.map((task) => task.token)).toEqual(['another-token-4712']);
  });

  test('because its token is, goes to the next account', async () => {
    tools.state.tokens['token-of-before-1'] = 100;
    await addTools('refused', 'token-of-before-1');
    await addTools();
    delete tools.state.tokens['token-of-before-1'];
    const project = await makeProject(words(3), ['main.ru']);
    expect(await fetchPositions(project.id)).toMatchObject({ state: 'succeeded' });
    expect(await one(`SELECT check_error FROM arsenkin_accounts ORDER BY id`)).toMatchObject({
      check_error: expect.stringContaining('search_task.account_refused'),
    });
  });

  test('for good leaves its keywords open with the reason', async () => {
    await addTools();
    const project = await makeProject(words(2), ['main.ru']);
    tools.faults.push({ path: '/set', kind: 'body', status: 404, body: '{"error":"Wrong tool"}', times: 1 });
    const ended = await fetchPositions(project.id);
    expect(await openOf(ended.id)).toEqual(words(2).map((word) => `${word}: provider.refused`));
    expect(await spent()).toMatchObject({ requests: 0 });
  });
});

describe('a task that runs', () => {
  const checked = (status: string, times = 1): void =>
    void tools.faults.push({ path: '/check', kind: 'body', body: body({ code: 'TASK_STATUS', status }), times });

  test('is asked for again after failures, and paid once', async () => {
    await addTools();
    const project = await makeProject(words(3), ['main.ru']);
    tools.faults.push(
      { path: '/check', kind: 'body', status: 503, body: '', times: 3 },
      { path: '/check', kind: 'lost', times: 2 },
      { path: '/get', kind: 'body', body: '<html>', times: 2 },
      { path: '/get', kind: 'body', body: '{"code":"RESULT_ERROR"}', times: 1 },
    );
    expect(await fetchPositions(project.id)).toMatchObject({ state: 'succeeded', failed: 0 });
    expect(tools.tasks).toHaveLength(1);
  });

  test('and fails at the service leaves its keywords open; a person may send them again', async () => {
    await addTools();
    const project = await makeProject(words(3), ['main.ru']);
    checked('failed');
    const ended = await fetchPositions(project.id);
    expect(await openOf(ended.id)).toEqual(words(3).map((word) => `${word}: provider.refused`));
    expect(await again(ended.id)).toMatchObject({ state: 'succeeded' });
    expect(tools.tasks).toHaveLength(2);
  });

  test('and does not end leaves its keywords open, and is read by another try without a charge', async () => {
    await addTools();
    const project = await makeProject(words(3), ['main.ru']);
    checked('process', 1_000);
    const { id } = await startFetch(ann, { projectId: project.id, keywordId: null, type: 'yandex' }, true);
    const ending = runOperation(id);
    await expect.poll(async () => (await storedTasks())[0]?.state, { interval: 5 }).toBe('running');
    await transaction(() => execute(`UPDATE search_tasks SET created_at = '2026-01-01T00:00:00.000Z'`));
    // The age is that of the row as it was sent: the next process reads it.
    tools.faults.splice(0, 1, { path: '/check', kind: 'body', status: 401, body: '{}', times: 1 });
    expect(await ending).toMatchObject({ state: 'failed' });
    expect(await openOf(id)).toEqual(words(3).map((word) => `${word}: search_task.account_refused`));
    checked('process');
    expect(await again(id)).toMatchObject({ state: 'failed' });
    expect(await openOf(id)).toEqual(words(3).map((word) => `${word}: search_task.slow`));
    tools.tasks[0]!.polls = 9;
    expect(await again(id)).toMatchObject({ state: 'succeeded' });
    expect(tools.tasks).toHaveLength(1);
    expect(await spent()).toEqual({ requests: 3, limits: 6 });
  });

  test('and whose state is refused to be told is read by another try; one that is not known there is lost', async () => {
    await addTools();
    const project = await makeProject(words(2), ['main.ru']);
    tools.faults.push({ path: '/check', kind: 'body', status: 400, body: '{"error":"limit of calls"}', times: 1 });
    const ended = await fetchPositions(project.id);
    expect(ended).toMatchObject({ state: 'failed', failed: 2 });
    tools.faults.push({ path: '/check', kind: 'body', status: 400, body: '{"error":"bad request"}', times: 1 });
    expect(await again(ended.id)).toMatchObject({ state: 'failed', failed: 2 });
    expect(await again(ended.id)).toMatchObject({ state: 'succeeded' });
    expect(tools.tasks).toHaveLength(1);
    tools.faults.push({ path: '/check', kind: 'body', status: 404, body: '{"error":"No such task"}', times: 1 });
    const second = await fetchPositions(project.id);
    expect(second).toMatchObject({ state: 'failed' });
    expect(await storedTasks()).toMatchObject([{ state: 'ended' }, { state: 'ended' }]);
  });

  test('whose account is gone leaves its keywords open', async () => {
    const { id: account } = await addTools();
    const project = await makeProject(words(2), ['main.ru']);
    checked('process', 1_000);
    const { id } = await startFetch(ann, { projectId: project.id, keywordId: null, type: 'yandex' }, true);
    const stop = new AbortController();
    const ending = runOperation(id, { signal: stop.signal });
    await expect.poll(async () => (await storedTasks())[0]?.state, { interval: 5 }).toBe('running');
    stop.abort();
    await ending;
    await deleteTeamRow(ann, 'arsenkin_accounts', account);
    tools.faults.length = 0;
    expect(await runOperation(id)).toMatchObject({ state: 'failed' });
    expect(await openOf(id)).toEqual(words(2).map((word) => `${word}: search_task.account_gone`));
    expect(tools.tasks).toHaveLength(1);
  });

  test('a list that is missing or not understood leaves its keyword open, and is never 0', async () => {
    await addTools();
    const project = await makeProject(words(4), ['main.ru']);
    tools.faults.push({ path: '/get', kind: 'without', queries: ['word 1'], times: 1 });
    const ended = await fetchPositions(project.id);
    expect(ended).toMatchObject({ state: 'partial', done: 4, failed: 1 });
    expect(await openOf(ended.id)).toEqual(['word 1: search_task.no_answer']);
    const { values } = await projectPositions(ann, project.id, 'yandex');
    expect(values[0]?.map((value) => value === null)).toEqual([false, true, false, false]);
    expect(await again(ended.id)).toMatchObject({ state: 'succeeded', done: 4, failed: 0 });
    expect(tools.tasks.map(({ data }) => data.queries)).toEqual([words(4), ['word 1']]);
  });

  test('a list that is shorter than was asked for says no more than it does', async () => {
    await addTools();
    const project = await makeProject(['seen'], ['main.ru']);
    const collect = [[['https://a.example/', 'https://b.example/']]];
    checked('finish');
    tools.faults.push({ path: '/get', kind: 'body', body: body({ result: { result: { collect } } }), times: 1 });
    await fetchPositions(project.id);
    expect(await projectPositions(ann, project.id, 'yandex')).toMatchObject({ values: [[0]], depths: [[2]] });
  });

  test('that is cancelled is read by another try, and not sent again', async () => {
    await addTools();
    const project = await makeProject(words(2), ['main.ru']);
    checked('process', 1_000);
    const { id } = await startFetch(ann, { projectId: project.id, keywordId: null, type: 'yandex' }, true);
    const ending = runOperation(id);
    await expect.poll(async () => (await storedTasks())[0]?.state, { interval: 5 }).toBe('running');
    await cancelOperation(id);
    expect(await ending).toMatchObject({ state: 'cancelled' });
    tools.faults.length = 0;
    expect(await again(id)).toMatchObject({ state: 'succeeded' });
    expect(tools.tasks).toHaveLength(1);
  });
});

describe('limits', () => {
  beforeEach(() => addTools());

  test('the cap of the day holds over both engines, what was refused is not counted', async () => {
    const project = await makeProject(words(6), ['main.ru']);
    await storeSettings(ann, project.id, settings({ daily_cap: 8 }));
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
