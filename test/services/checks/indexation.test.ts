// Which domains engines have in their index: verdicts that are confirmed, failures that change nothing, guards.
import { describe, expect, test } from 'vitest';
import { executeUnaudited, select, transaction } from '../../../db/index.ts';
import { registerFlows, runOperation } from '../../../src/operations/engine.ts';
import { domainIndexation, indexFlow, startIndexCheck } from '../../../src/services/checks/check-index.ts';
import {
  addAccount,
  ann,
  bob,
  changeSettings,
  fake,
  KEY,
  LOGIN,
  makeProject,
  tryAgain,
  usePositions,
  web,
} from '../positions/world.ts';
import { age, endedEarlier, runDue, shown } from './index-world.ts';

usePositions();

const check = async (actor = ann) => {
  registerFlows([indexFlow]);
  const { id } = await startIndexCheck(actor, {}, true);
  return runOperation(id);
};

describe('a check of indexation', () => {
  test('asks of mains alone, and tells a domain that is there from one that is not', async () => {
    await addAccount();
    const { domains } = await makeProject(['seen'], ['indexed-1.ru', 'reserve.ru']);
    expect(await check()).toMatchObject({ state: 'succeeded', done: 1 });
    expect(await shown()).toEqual([
      { name: 'indexed-1.ru', yandex: 1, google: 1 },
      { name: 'reserve.ru', yandex: null, google: null },
    ]);
    const { yandex } = await domainIndexation(ann, domains['indexed-1.ru'] ?? 0);
    expect(yandex).toMatchObject([{ indexed: true, doubted_at: null }]);
    await expect(domainIndexation(bob, domains['indexed-1.ru'] ?? 0)).rejects.toMatchObject({ kind: 'not_found' });
  });

  test('that says no after a yes is confirmed by a second one before the domain has fallen out', async () => {
    await addAccount();
    const { domains } = await makeProject(['seen'], ['indexed-1.ru']);
    await check();
    web.hosts = {};
    await check();
    expect(await shown()).toMatchObject([{ yandex: 1, google: 1 }]);
    await check();
    expect(await shown()).toMatchObject([{ yandex: 1, google: 1 }]);
    await age(2);
    await check();
    expect(await shown()).toMatchObject([{ yandex: 0, google: 0 }]);
    const { google } = await domainIndexation(ann, domains['indexed-1.ru'] ?? 0);
    expect(google.map(({ indexed }) => indexed)).toEqual([false, true]);
  });

  test('that fails changes nothing, and tells so', async () => {
    await addAccount();
    await makeProject(['seen'], ['indexed-1.ru']);
    await check();
    fake.state.accounts = [{ login: LOGIN, key: KEY, balance: 0 }];
    expect(await check()).toMatchObject({ state: 'failed', failed: 1 });
    fake.state.accounts = [{ login: LOGIN, key: KEY, balance: 1_000_000 }];
    fake.faults.push({ kind: 'html', times: 99 });
    expect(await check()).toMatchObject({ state: 'failed' });
    expect(await shown()).toMatchObject([{ yandex: 1, google: 1 }]);
  });

  test('in which most domains are gone at once writes none of that', async () => {
    await addAccount();
    for (let index = 0; index < 30; index += 1) await makeProject([`word ${index}`], [`main-${index}.ru`]);
    await check();
    const before = await shown();
    expect(before.filter(({ yandex }) => yandex === 1).length).toBeGreaterThan(20);
    web.hosts = {};
    const ended = await check();
    expect(ended.state).toBe('failed');
    expect(ended.steps).toContain('indexation.doubtful');
    await age(2);
    await check();
    expect(await shown()).toEqual(before);
  });

  test('in which most domains are gone for two days tells so, and writes it then', async () => {
    await addAccount();
    for (let index = 0; index < 30; index += 1) await makeProject([`word ${index}`], [`main-${index}.ru`]);
    await check();
    web.hosts = {};
    await check();
    await age(50);
    expect(await check()).toMatchObject({ state: 'succeeded' });
    expect(new Set((await shown()).flatMap(({ yandex, google }) => [yandex, google]))).toEqual(new Set([0]));
  });
});

describe('a paid look-up', () => {
  test('for one engine is kept where the other one fails, and is not paid again by another try', async () => {
    await addAccount();
    await makeProject(['seen'], ['indexed-1.ru']);
    let calls = 0;
    fake.hold = async () => {
      calls += 1;
      if (calls > 1) throw new Error('away');
    };
    const ended = await check();
    expect(ended).toMatchObject({ state: 'failed', failed: 1 });
    expect(await shown()).toMatchObject([{ yandex: 1, google: null }]);
    fake.hold = undefined;
    expect(await tryAgain(ended.id)).toMatchObject({ state: 'succeeded', done: 1, failed: 0 });
    expect(await shown()).toMatchObject([{ yandex: 1, google: 1 }]);
    expect(fake.charged.map(({ engine }) => engine)).toEqual(['yandex', 'google']);
  });

  test('by a check of one engine does not stand for the other one', async () => {
    await addAccount();
    await makeProject(['seen'], ['indexed-1.ru']);
    registerFlows([indexFlow]);
    const google = await startIndexCheck(ann, { engine: 'google' }, true);
    const yandex = await startIndexCheck(ann, { engine: 'yandex' }, true);
    await runOperation(yandex.id);
    await runOperation(google.id);
    expect(await shown()).toMatchObject([{ yandex: 1, google: 1 }]);
  });

  test('on a schedule is paid once a day, however often it is due', async () => {
    await addAccount();
    const { id } = await makeProject(['seen'], ['indexed-1.ru']);
    await changeSettings(id, { every_days: 1 });
    const due = async (): Promise<number> => {
      await runDue();
      return fake.charged.length;
    };
    expect(await due()).toBe(2);
    expect(await due()).toBe(2);
    await transaction(() =>
      executeUnaudited('check', 'UPDATE domains SET last_check_indexation = $at', {
        at: new Date(Date.now() - 21 * 3_600_000).toISOString(),
      }),
    );
    expect(await due()).toBe(4);
  });

  test('for an answer that can’t be read is not paid again in the same check, which tells so', async () => {
    await addAccount();
    await makeProject(['seen'], ['indexed-1.ru']);
    fake.faults.push({ kind: 'half', times: 99 });
    const ended = await check();
    expect(ended).toMatchObject({ state: 'failed', failed: 1 });
    expect(ended.steps).toContain('provider.malformed');
    expect(fake.charged.map(({ engine }) => engine)).toEqual(['yandex']);
  });

  test('for the first way of asking is not paid again where the second one fails for a while', async () => {
    await addAccount();
    await makeProject(['seen'], ['absent.ru']);
    web.hosts = {};
    fake.faults.push({ kind: 'code', code: 500, times: 2, query: 'site:absent.ru' });
    expect(await check()).toMatchObject({ state: 'succeeded' });
    expect(fake.charged.map(({ engine, query }) => `${engine} ${query}`)).toEqual([
      'yandex https://absent.ru/',
      'yandex site:absent.ru',
      'google https://absent.ru/',
      'google site:absent.ru',
    ]);
  });

  test('on a schedule is asked once a day where the answer is not understood, and again by a person at any time', async () => {
    await addAccount();
    const { id } = await makeProject(['seen'], ['indexed-1.ru']);
    await changeSettings(id, { every_days: 1 });
    fake.faults.push({ kind: 'html', times: 99 });
    const due = async (): Promise<number> => {
      await runDue();
      return fake.calls.all;
    };
    const calls = await due();
    expect(await due()).toBe(calls);
    await endedEarlier(21);
    expect(await due()).toBeGreaterThan(calls);
    fake.faults.length = 0;
    const [last] = await select<{ id: number }>('SELECT max(id) AS id FROM operations');
    expect(await tryAgain(last?.id ?? 0)).toMatchObject({ state: 'succeeded', done: 1, failed: 0 });
    expect(await shown()).toMatchObject([{ yandex: 1, google: 1 }]);
  });

  test('on a schedule is asked again at the next turn where the service was away', async () => {
    await addAccount();
    const { id } = await makeProject(['seen'], ['indexed-1.ru']);
    await changeSettings(id, { every_days: 1 });
    fake.faults.push({ kind: 'code', code: 500, times: 99 });
    await runDue();
    fake.faults.length = 0;
    await runDue();
    expect(await shown()).toMatchObject([{ yandex: 1, google: 1 }]);
  });
});
