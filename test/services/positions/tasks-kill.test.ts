// Work by Arsenkin's tasks that is killed at each of its calls: nothing is sent twice by itself, and what was paid is read.
import { randomBytes } from 'node:crypto';
import { expect, describe, test } from 'vitest';
import { select } from '../../../db/index.ts';
import { useSecretKey } from '../../../src/lib/secret.ts';
import { registerFlows, runOperation } from '../../../src/operations/engine.ts';
import { requeue } from '../../../src/operations/queue.ts';
import { indexFlow, startIndexCheck } from '../../../src/services/checks/check-index.ts';
import { fetchFlow, startFetch } from '../../../src/services/positions/fetch.ts';
import { startChild, type Child } from '../../support/child.ts';
import { endLeases } from '../../support/leases.ts';
import { addTools, asked, spent, storedTasks, tools, useTasks, words } from './task-world.ts';
import { ann, database, makeProject, usePositions } from './world.ts';

usePositions();
useTasks();

const RUNS = JSON.stringify({ code: 'TASK_STATUS', status: 'process' });

interface Killed {
  id: number;
  /** Runs the operation in a child until something is so, and kills it. */
  kill: (until: () => Promise<boolean> | boolean) => Promise<void>;
}

/** Each kind of work asks for three things in one task, or for more than one task. */
const KINDS = {
  positions: {
    most: 200,
    start: async (count: number): Promise<number> => {
      const { id: projectId } = await makeProject(words(count), ['main.ru']);
      return (await startFetch(ann, { projectId, keywordId: null, type: 'yandex' })).id;
    },
    stored: () => select('SELECT query_id FROM search_days'),
  },
  indexation: {
    most: 100,
    start: async (count: number): Promise<number> => {
      for (let index = 0; index < count; index += 1) await makeProject([], [`main-${index}.ru`]);
      return (await startIndexCheck(ann, {})).id;
    },
    stored: () => select('SELECT id FROM domains WHERE yandex_indexation IS NOT NULL'),
  },
};

async function prepare(start: (count: number) => Promise<number>, count: number): Promise<Killed> {
  const key = randomBytes(32);
  useSecretKey(key);
  registerFlows([fetchFlow, indexFlow]);
  await addTools();
  const id = await start(count);
  const args = [database.file, database.folder, tools.url, key.toString('hex'), String(id)];
  return {
    id,
    kill: async (until) => {
      const child: Child = startChild('test/children/tasks.ts', args);
      await expect.poll(until, { interval: 5 }).toBe(true);
      await child.kill();
      await endLeases();
    },
  };
}

const isRunning = async (count = 1): Promise<boolean> =>
  (await storedTasks()).filter(({ state }) => state === 'running').length === count;

describe.each(Object.entries(KINDS))('%s killed', (kind, { most, start, stored }) => {
  test('before the call sends its task once', async () => {
    const { id, kill } = await prepare(start, 3);
    // The queue of the token waits, with the task in it.
    tools.faults.push({ path: '/set', kind: 'body', status: 429, retryAfter: 600, body: '{}', times: 1 });
    await kill(async () => tools.faults.length === 0 && (await storedTasks())[0]?.state === 'reserved');
    expect(await runOperation(id)).toMatchObject({ state: 'succeeded', done: 3, failed: 0 });
    expect(tools.tasks).toHaveLength(1);
    expect(await spent()).toMatchObject({ requests: kind === 'positions' ? 3 : 0 });
  });

  test('between the call and its commit sends nothing again, until a person asks for that', async () => {
    const { id, kill } = await prepare(start, most + 2);
    tools.faults.push(
      { path: '/set', kind: 'hang', times: 1 },
      { path: '/check', kind: 'body', body: RUNS, times: 100_000 },
    );
    await kill(async () => tools.tasks.length === 2 && (await isRunning()));
    // The next run leaves it open, and is killed as well.
    await kill(async () => (await storedTasks()).some(({ state }) => state === 'unknown'));
    tools.faults.length = 0;
    const ended = await runOperation(id);
    expect(`${ended.message} ${ended.steps}`).toContain('search_task.unknown');
    expect([2, most]).toContain(ended.failed);
    expect(await stored()).toHaveLength(most + 2 - ended.failed);
    expect(tools.tasks).toHaveLength(2);
    await requeue(id, true);
    expect(await runOperation(id)).toMatchObject({ state: 'succeeded', done: most + 2, failed: 0 });
    expect(tools.tasks).toHaveLength(3);
    expect(await stored()).toHaveLength(most + 2);
  });

  test('while its task runs reads it, paid once', async () => {
    const { id, kill } = await prepare(start, most + 2);
    tools.faults.push({ path: '/check', kind: 'body', body: RUNS, times: 100_000 });
    await kill(() => isRunning(2));
    await kill(() => true);
    tools.faults.length = 0;
    expect(await runOperation(id)).toMatchObject({ state: 'succeeded', done: most + 2, failed: 0 });
    expect(tools.tasks).toHaveLength(2);
    expect(new Set(asked()).size).toBe(most + 2);
    expect(await stored()).toHaveLength(most + 2);
  });

  test('after the result was sent reads it again, unpaid', async () => {
    const { id, kill } = await prepare(start, 3);
    tools.faults.push({ path: '/get', kind: 'hang', times: 1 });
    await kill(() => tools.tasks[0]?.fetched === 1);
    expect(await stored()).toEqual([]);
    expect(await runOperation(id)).toMatchObject({ state: 'succeeded', done: 3, failed: 0 });
    expect(tools.tasks.map(({ fetched }) => fetched)).toEqual([2]);
    expect(await stored()).toHaveLength(3);
  });
});
