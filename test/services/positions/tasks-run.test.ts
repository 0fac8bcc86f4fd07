// Tasks of Arsenkin that run: what is read, and what stays open where they fail, are cancelled, or end short.
import { describe, expect, test } from 'vitest';
import { execute, transaction } from '../../../db/index.ts';
import { deleteRow } from '../../../db/rows.ts';
import { cancelOperation } from '../../../src/operations/queue.ts';
import { runOperation } from '../../../src/operations/engine.ts';
import { startFetch } from '../../../src/services/positions/fetch.ts';
import { projectPositions } from '../../../src/services/positions/grids.ts';
import { arsenkinAccounts } from '../../../src/shared/accounts/tables.ts';
import { ann, fetchPositions, makeProject, tryAgain, usePositions } from './world.ts';
import { addTools, openOf, spent, storedTasks, tools, useTasks, words } from './task-world.ts';

usePositions();
useTasks();

const body = (value: object): string => JSON.stringify(value);

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
    expect(await tryAgain(ended.id)).toMatchObject({ state: 'succeeded' });
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
    expect(await tryAgain(id)).toMatchObject({ state: 'failed' });
    expect(await openOf(id)).toEqual(words(3).map((word) => `${word}: search_task.slow`));
    tools.tasks[0]!.polls = 9;
    expect(await tryAgain(id)).toMatchObject({ state: 'succeeded' });
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
    expect(await tryAgain(ended.id)).toMatchObject({ state: 'failed', failed: 2 });
    expect(await tryAgain(ended.id)).toMatchObject({ state: 'succeeded' });
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
    // No call deletes it while the work is queued.
    await transaction(() => deleteRow(arsenkinAccounts, account));
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
    expect(await tryAgain(ended.id)).toMatchObject({ state: 'succeeded', done: 4, failed: 0 });
    expect(tools.tasks.map(({ data }) => data.queries)).toEqual([words(4), ['word 1']]);
  });

  test('a list that is shorter than was asked for says no more than it does', async () => {
    await addTools();
    const project = await makeProject(['seen'], ['main.ru']);
    const collect = [[['https://a.example/', 'https://b.example/']]];
    checked('finish');
    tools.faults.push({
      path: '/get',
      kind: 'body',
      body: body({ result: { result: { collect } } }),
      times: 1,
    });
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
    expect(await tryAgain(id)).toMatchObject({ state: 'succeeded' });
    expect(tools.tasks).toHaveLength(1);
  });
});
