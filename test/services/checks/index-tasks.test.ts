// Indexation by Arsenkin's tasks: batches, verdicts that stay unknown, failures that change nothing, guards.
import { describe, expect, test } from 'vitest';
import { select } from '../../../db/index.ts';
import { registerFlows, runOperation } from '../../../src/operations/engine.ts';
import {
  countIndexRequests,
  indexFlow,
  startIndexCheck,
  type IndexRequest,
} from '../../../src/services/checks/check-index.ts';
import { storeSettings } from '../../../src/services/positions/settings.ts';
import { defaultSettings, PositionSettings } from '../../../src/shared/positions/settings.ts';
import { addAccount, ann, changeSettings, fake, makeProject, tryAgain, web, usePositions } from '../positions/world.ts';
import { addTools, asked, storedTasks, token, tools, useTasks } from '../positions/task-world.ts';
import { age, endedEarlier, runDue, shown } from './index-world.ts';

usePositions();
useTasks();

const check = async (request: IndexRequest = {}) => {
  registerFlows([indexFlow]);
  const { id } = await startIndexCheck(ann, request, true);
  return runOperation(id);
};
const choose = (projectId: number, source: 'xmlriver' | 'arsenkin') =>
  storeSettings(ann, projectId, PositionSettings.parse({ ...defaultSettings(projectId), source }));
const mains = async (count: number): Promise<void> => {
  for (let index = 0; index < count; index += 1) await makeProject([], [`main-${index}.ru`]);
};

describe('a check by tasks', () => {
  test('asks both engines for up to a hundred domains at once, each once', async () => {
    await addTools();
    await mains(230);
    expect(await check()).toMatchObject({ state: 'succeeded', done: 230, failed: 0 });
    expect(tools.tasks.map(({ data }) => data.queries.length)).toEqual([100, 100, 30]);
    expect(new Set(asked()).size).toBe(230);
    const known = await shown();
    expect(known.every(({ yandex, google }) => yandex !== null && google !== null)).toBe(true);
    expect(known.some(({ yandex }) => yandex === 1)).toBe(true);
    expect(await select('SELECT balance FROM arsenkin_accounts')).toEqual([{ balance: String(1_000_000 - 230 * 4) }]);
  });

  test('asks the service that each project has chosen', async () => {
    await addTools();
    await addAccount();
    const [first, second] = [await makeProject([], ['indexed-1.ru']), await makeProject([], ['indexed-2.ru'])];
    await choose(second.id, 'arsenkin');
    expect(await check()).toMatchObject({ state: 'succeeded', done: 2 });
    expect(asked()).toEqual(['https://indexed-2.ru/']);
    expect(new Set(fake.charged.map(({ query }) => query.replace(/^site:|https:\/\/|\/$/g, '')))).toEqual(
      new Set(['indexed-1.ru']),
    );
    expect(first.id).not.toBe(second.id);
  });

  test('is told before it begins with the requests of the service that each domain is asked of', async () => {
    await addTools();
    await mains(2);
    expect(await countIndexRequests(ann, {})).toBe(4);
    const { id } = await makeProject([], ['indexed-1.ru', 'reserve.ru']);
    await addAccount();
    await choose(id, 'arsenkin');
    // Two domains of XMLRiver, which may be asked twice, and one by a task.
    expect(await countIndexRequests(ann, { engine: 'google' })).toBe(5);
    const { domains } = await makeProject([], ['indexed-2.ru']);
    expect(await countIndexRequests(ann, { domain_ids: [domains['indexed-2.ru'] ?? 0] })).toBe(4);
  });

  test('tells of domains whose service has no account, and checks the others', async () => {
    await addAccount();
    await makeProject([], ['indexed-1.ru']);
    const { id } = await makeProject([], ['indexed-2.ru']);
    await choose(id, 'arsenkin');
    const ended = await check();
    expect(ended).toMatchObject({ state: 'failed', done: 2, failed: 1 });
    expect(ended.steps).toContain('positions.no_arsenkin');
    expect(await shown()).toMatchObject([{ yandex: 1 }, { yandex: null, google: null }]);
  });

  test('of one engine asks and writes that one alone', async () => {
    await addTools();
    await makeProject([], ['indexed-1.ru']);
    await check({ engine: 'google' });
    expect(tools.tasks[0]?.data).toMatchObject({ yandex: false, google: true });
    expect(await shown()).toEqual([{ name: 'indexed-1.ru', yandex: null, google: 1 }]);
  });

  test('without any account is refused', async () => {
    await makeProject([], ['indexed-1.ru']);
    await expect(check()).rejects.toMatchObject({ kind: 'not_configured', key: 'indexation.no_account' });
  });

  test('that says no after a yes is confirmed by a second one', async () => {
    await addTools();
    await makeProject([], ['indexed-1.ru']);
    await check();
    web.hosts = {};
    await check();
    expect(await shown()).toMatchObject([{ yandex: 1, google: 1 }]);
    await age(2);
    await check();
    expect(await shown()).toMatchObject([{ yandex: 0, google: 0 }]);
  });

  test('in which most domains are gone at once writes none of that, and neither pays nor forgets the doubt at another try', async () => {
    await addTools();
    await mains(30);
    await check();
    const before = await shown();
    web.hosts = {};
    const ended = await check();
    expect(ended.steps).toContain('indexation.doubtful');
    expect(await shown()).toEqual(before);
    const tasks = tools.tasks.length;
    expect((await tryAgain(ended.id)).steps).toContain('indexation.doubtful');
    expect(tools.tasks).toHaveLength(tasks);
    expect(await shown()).toEqual(before);
  });
});

describe('a verdict that is not known', () => {
  test('stays as it was, and its domain open; the known one is written', async () => {
    await addTools();
    await makeProject([], ['indexed-1.ru']);
    await makeProject([], ['indexed-2.ru']);
    const y = { 0: { url: 'https://indexed-1.ru/', index: true }, 1: { url: 'https://indexed-2.ru/', index: false } };
    const g = { 0: { url: 'https://indexed-1.ru/', index: '?' } };
    tools.faults.push(
      { path: '/check', kind: 'body', body: '{"code":"TASK_STATUS","status":"finish"}', times: 1 },
      { path: '/get', kind: 'body', body: JSON.stringify({ code: 'TASK_RESULT', result: { y, g } }), times: 1 },
    );
    const ended = await check();
    expect(ended).toMatchObject({ state: 'failed', done: 2, failed: 2 });
    expect(await shown()).toMatchObject([
      { yandex: 1, google: null },
      { yandex: 0, google: null },
    ]);
    expect(ended.steps).toContain('search_task.no_answer');
    expect(await tryAgain(ended.id)).toMatchObject({ state: 'succeeded', failed: 0 });
    expect(await shown()).toMatchObject([{ google: 1 }, { google: 1 }]);
    expect(tools.tasks).toHaveLength(2);
  });

  test.each([
    ['lost', { path: '/set', kind: 'lost', times: 1 }, 'search_task.unknown'],
    ['failed', { path: '/check', kind: 'body', body: '{"status":"failed"}', times: 1 }, 'provider.refused'],
    ['refused', { path: '/set', kind: 'body', status: 404, body: '{"error":"no"}', times: 1 }, 'provider.refused'],
    ['of another form', { path: '/get', kind: 'body', body: '{"result":["?"]}', times: 1 }, 'search_task.no_answer'],
  ] as const)('because the task is %s changes nothing', async (_how, fault, told) => {
    await addTools();
    await makeProject([], ['indexed-1.ru']);
    await check();
    const before = await shown();
    expect(before).toMatchObject([{ yandex: 1, google: 1 }]);
    web.hosts = {};
    tools.faults.push({ ...fault });
    const ended = await check();
    expect(ended).toMatchObject({ state: 'failed', failed: 1 });
    expect(ended.steps).toContain(told);
    expect(await shown()).toEqual(before);
    expect((await storedTasks()).at(-1)?.state ?? 'none').toMatch(/^(?:unknown|ended)$/);
  });

  test.each([
    ['lost', { path: '/set', kind: 'lost', times: 1 }],
    ['of another form', { path: '/get', kind: 'body', body: '{"result":["?"]}', times: 1 }],
  ] as const)('because the task is %s is paid again by the schedule on the next day alone', async (_how, fault) => {
    await addTools();
    const { id } = await makeProject(['seen'], ['indexed-1.ru']);
    await changeSettings(id, { every_days: 1 });
    tools.faults.push({ ...fault });
    await runDue();
    await runDue();
    expect(tools.tasks).toHaveLength(1);
    await endedEarlier(21);
    await runDue();
    expect(tools.tasks).toHaveLength(2);
    expect(await shown()).toMatchObject([{ yandex: 1, google: 1 }]);
  });

  test('for want of limits changes nothing, and the next account is asked', async () => {
    await addTools('poor');
    await makeProject([], ['indexed-1.ru']);
    tools.state.tokens[token()] = 0;
    const ended = await check();
    expect(ended).toMatchObject({ state: 'failed', failed: 1 });
    expect(ended.steps).toContain('search_task.no_money');
    expect(await shown()).toMatchObject([{ yandex: null, google: null }]);
    tools.state.tokens['another-token-4712'] = 1_000;
    await addTools('rich', 'another-token-4712');
    expect(await tryAgain(ended.id)).toMatchObject({ state: 'succeeded' });
    expect(await shown()).toMatchObject([{ yandex: 1, google: 1 }]);
  });
});
