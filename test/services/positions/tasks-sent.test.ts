// Tasks of Arsenkin that are sent: what stays open where the answer is lost, or they are refused.
import { describe, expect, test } from 'vitest';
import { select } from '../../../db/index.ts';
import { cancelOperation } from '../../../src/operations/queue.ts';
import { runOperation } from '../../../src/operations/engine.ts';
import { startFetch } from '../../../src/services/positions/fetch.ts';
import { addKeywords } from '../../../src/services/positions/keywords.ts';
import { projectPositions } from '../../../src/services/positions/grids.ts';
import { startDueFetches } from '../../../src/services/positions/schedule.ts';
import { ann, changeSettings, fetchPositions, makeProject, one, tryAgain, usePositions } from './world.ts';
import { addTools, asked, openOf, spent, storedTasks, token, tools, useTasks, words } from './task-world.ts';

usePositions();
useTasks();

/** The number of the engine in a task: 2 is Yandex, 11 Google. */
const typeOf = ({ se }: Record<string, unknown>): number => (se as { type: number }[])[0]!.type;

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
    expect(await tryAgain(ended.id)).toMatchObject({ state: 'succeeded', done: 3 });
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
    expect(await tryAgain(id)).toMatchObject({ state: 'succeeded' });
    expect(tools.tasks).toHaveLength(2);
  });

  test('is not sent by the schedule on the same day', async () => {
    await addTools();
    const project = await makeProject(words(3), ['main.ru']);
    await changeSettings(project.id, { every_days: 1 });
    tools.faults.push({ path: '/set', kind: 'lost', times: 1 });
    await fetchPositions(project.id);
    await startDueFetches();
    const queued = await select<{ input: string }>(`SELECT input FROM operations WHERE state = 'queued'`);
    expect(queued.map(({ input }) => JSON.parse(input).engine)).toEqual(['google']);
  });
});

test('a keyword that was paid without an answer is not paid again by the schedule on that day, and keeps no other back', async () => {
  await addTools();
  const project = await makeProject(words(3), ['main.ru']);
  await changeSettings(project.id, { every_days: 1 });
  tools.faults.push({ path: '/get', kind: 'without', queries: ['word 1'], times: 1 });
  const ended = await fetchPositions(project.id);
  expect(await openOf(ended.id)).toEqual(['word 1: search_task.no_answer']);
  const runDue = async (): Promise<string[]> => {
    await startDueFetches();
    const before = tools.tasks.length;
    for (const { id } of await select<{ id: number }>(`SELECT id FROM operations WHERE state = 'queued' ORDER BY id`)) {
      await runOperation(id);
    }
    return tools.tasks.slice(before).flatMap(({ data }) => data.queries.map((word) => `${typeOf(data)} ${word}`));
  };
  expect(await runDue()).toEqual(words(3).map((word) => `11 ${word}`));
  await addKeywords(ann, project.id, ['word 3']);
  expect(await runDue()).toEqual(['2 word 3', '11 word 3']);
  expect(await runDue()).toEqual([]);
  expect(await tryAgain(ended.id)).toMatchObject({ state: 'succeeded' });
  expect(asked().filter((word) => word === 'word 1')).toHaveLength(3);
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
    expect(await tryAgain(ended.id)).toMatchObject({ state: 'succeeded' });
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
