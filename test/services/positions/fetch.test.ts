// Positions are read page by page: what is paid, what is stored, what an operation tells of keywords that it could not read.
import { describe, expect, test } from 'vitest';
import { select } from '../../../db/index.ts';
import { runOperation } from '../../../src/operations/engine.ts';
import { requeue } from '../../../src/operations/queue.ts';
import { startFetch } from '../../../src/services/positions/fetch.ts';
import { domainPositions, keywordPositions, projectPositions } from '../../../src/services/positions/grids.ts';
import { listOpen, readingOf } from '../../../src/services/positions/results.ts';
import { storeSettings } from '../../../src/services/positions/settings.ts';
import { resultsAt } from '../../../src/demo/search/web.ts';
import { dateOf, dayOf, placesIn } from '../../../src/shared/positions/places.ts';
import { defaultSettings } from '../../../src/shared/positions/settings.ts';
import {
  addAccount,
  ann,
  bob,
  fake,
  fetchPositions,
  KEY,
  LOGIN,
  makeProject,
  one,
  usePositions,
  web,
} from './world.ts';

usePositions();

const today = (): number => dayOf(Date.now());
const placeOf = (keyword: string, host: string, engine: 'yandex' | 'google' = 'yandex'): number => {
  const region = engine === 'yandex' ? '213' : '2643';
  const urls = resultsAt(web, { engine, keyword, region, device: 'desktop' }, today()).slice(0, 50);
  return placesIn(urls, [{ id: 1, domain_name: host }])[0]?.place ?? 0;
};
const keywords = Array.from({ length: 12 }, (_, index) => `word ${index}`);
const paid = () => fake.charged.map(({ query, page }) => `${query}/${page}`);

describe('a reading', () => {
  test('stores the place of every domain of the project, from one result list a keyword', async () => {
    await addAccount();
    const project = await makeProject(keywords, ['main.ru', 'other.ru']);
    expect(await fetchPositions(project.id)).toMatchObject({ state: 'succeeded', done: 12, failed: 0 });
    for (const host of ['main.ru', 'other.ru']) {
      const { values, dates, keywords: shown } = await domainPositions(ann, project.domains[host] ?? 0, 'yandex');
      expect(dates).toEqual([dateOf(today())]);
      expect(shown).toEqual(keywords);
      const last = keywords.map((keyword) => placeOf(keyword, host));
      const pages = keywords.map(
        (keyword) => Math.max(...fake.charged.filter(({ query }) => query === keyword).map(({ page }) => page)) + 1,
      );
      expect(values).toEqual([last.map((place, k) => (place <= (pages[k] ?? 0) * 10 ? place : 0))]);
    }
    expect(new Set(paid()).size).toBe(paid().length);
  });

  test('stops at the page on which the main stands, and reads no page twice', async () => {
    await addAccount();
    const project = await makeProject(keywords, ['main.ru']);
    await fetchPositions(project.id);
    const least = keywords.reduce((sum, keyword) => sum + Math.ceil((placeOf(keyword, 'main.ru') || 50) / 10), 0);
    expect(fake.charged).toHaveLength(least);
    expect(await one('SELECT SUM(requests) AS n FROM search_spending')).toMatchObject({ n: least });
  });

  test('tells 0 with the depth that was read from no check at all', async () => {
    await addAccount();
    const project = await makeProject(['seen', 'unseen'], ['main.ru']);
    web.topics['unseen'] = 'nobody';
    const [, second] = await select<{ id: number }>('SELECT id FROM keywords ORDER BY id');
    await fetchPositions(project.id, 'yandex', second?.id ?? 0);
    const { values, depths } = await projectPositions(ann, project.id, 'yandex');
    expect(values).toEqual([[null, 0]]);
    expect(depths).toEqual([[null, 50]]);
    expect((await projectPositions(ann, project.id, 'google')).dates).toEqual([]);
  });

  test('keeps the list of results as it was read', async () => {
    await addAccount();
    const project = await makeProject(['seen'], ['main.ru']);
    await fetchPositions(project.id, 'google');
    const { id = 0 } = (await one<{ id: number }>('SELECT id FROM keywords')) ?? {};
    const reading = await readingOf(ann, project.id, 'google', id, dateOf(today()));
    const all = resultsAt(web, { engine: 'google', keyword: 'seen', region: '2643', device: 'desktop' }, today());
    expect(reading.urls).toEqual(all.slice(0, reading.depth));
    expect(reading.own).toEqual(
      [{ place: placeOf('seen', 'main.ru', 'google'), domain_name: 'main.ru' }].filter(({ place }) => place > 0),
    );
    const { values, domains } = await keywordPositions(ann, project.id, 'google', id);
    expect({ values, domains }).toEqual({ values: [[placeOf('seen', 'main.ru', 'google')]], domains: ['main.ru'] });
  });

  test('of the same day replaces the earlier one', async () => {
    await addAccount();
    const project = await makeProject(['seen'], ['main.ru']);
    await fetchPositions(project.id);
    web.hosts = {};
    await fetchPositions(project.id);
    expect((await projectPositions(ann, project.id, 'yandex')).values).toEqual([[0]]);
    expect(await one('SELECT COUNT(*) AS n FROM positions')).toMatchObject({ n: 0 });
  });

  test('uses ten streams of an account at most', async () => {
    await addAccount();
    const project = await makeProject(
      Array.from({ length: 60 }, (_, index) => `w${index}`),
      ['main.ru'],
    );
    await fetchPositions(project.id);
    expect(fake.calls.most).toBeLessThanOrEqual(10);
  });
});

describe('a reading that fails', () => {
  test('for a while is asked for again, and pays nothing twice', async () => {
    await addAccount();
    const project = await makeProject(keywords, ['main.ru']);
    fake.faults.push({ kind: 'code', code: 500, times: 20, every: 5 }, { kind: 'html', times: 2, every: 7 });
    expect(await fetchPositions(project.id)).toMatchObject({ state: 'succeeded', failed: 0 });
    expect(new Set(paid()).size).toBe(paid().length);
  });

  test('for good leaves its keywords open, and another try goes on with them alone', async () => {
    await addAccount();
    const project = await makeProject(keywords, ['main.ru']);
    for (const query of ['word 3', 'word 7']) fake.faults.push({ kind: 'captcha', times: 99, query });
    const ended = await fetchPositions(project.id);
    expect(ended.state).toBe('partial');
    const open = await listOpen(ann, ended.id);
    expect({ failed: ended.failed, open: open.map(({ keyword }) => keyword) }).toEqual({
      failed: 2,
      open: ['word 3', 'word 7'],
    });
    const { values } = await projectPositions(ann, project.id, 'yandex');
    const names = new Set(open.map(({ keyword }) => keyword));
    expect(values[0]?.map((value) => value === null)).toEqual(keywords.map((keyword) => names.has(keyword)));
    fake.faults.length = 0;
    const before = paid().length;
    await requeue(ended.id, true);
    expect(await runOperation(ended.id)).toMatchObject({ state: 'succeeded', done: 12, failed: 0 });
    expect(new Set(fake.charged.slice(before).map(({ query }) => query))).toEqual(names);
    expect(new Set(paid()).size).toBe(paid().length);
    expect(await listOpen(ann, ended.id)).toEqual([]);
  });

  test('a day that failed is shown without a value, and not with that of the day before', async () => {
    await addAccount();
    const project = await makeProject(['seen'], ['main.ru']);
    fake.state.accounts = [];
    expect(await fetchPositions(project.id)).toMatchObject({ state: 'failed' });
    expect(await projectPositions(ann, project.id, 'yandex')).toMatchObject({
      dates: [dateOf(today())],
      values: [[null]],
    });
  });

  test('money that runs out stops the reading, marks the account, and the next account goes on', async () => {
    const first = await addAccount('first');
    fake.state.accounts = [
      { login: LOGIN, key: KEY, balance: 5 * 25 },
      { login: '777', key: KEY, balance: 0 },
    ];
    const project = await makeProject(keywords, ['main.ru']);
    const ended = await fetchPositions(project.id);
    expect(ended.state).toBe('partial');
    expect(fake.charged).toHaveLength(5);
    expect(ended.message).toContain('positions.no_money');
    expect(await one(`SELECT check_error FROM xmlriver_accounts WHERE id = ${first.id}`)).toMatchObject({
      check_error: expect.stringContaining('no_money'),
    });
    await addAccount('second', '777');
    fake.state.accounts[1]!.balance = 1_000_000;
    await requeue(ended.id, true);
    expect(await runOperation(ended.id)).toMatchObject({ state: 'succeeded' });
    expect(new Set(paid()).size).toBe(paid().length);
  });

  test('the cap of the day holds, over several readings', async () => {
    await addAccount();
    const project = await makeProject(keywords, ['main.ru']);
    const { project_id: _, ...settings } = defaultSettings(project.id);
    await storeSettings(ann, project.id, { ...settings, daily_cap: 7, depth: 10, device: 'desktop', every_days: 0 });
    expect(await fetchPositions(project.id)).toMatchObject({ state: 'partial' });
    await fetchPositions(project.id, 'google');
    expect(fake.charged).toHaveLength(7);
    await storeSettings(ann, project.id, { ...settings, daily_cap: 12, depth: 10, device: 'mobile', every_days: 0 });
    await Promise.all([fetchPositions(project.id), fetchPositions(project.id, 'google')]);
    expect(fake.charged).toHaveLength(12);
  });
});

describe('whose it is', () => {
  test('a project, a keyword and an operation of somebody else are not there', async () => {
    await addAccount();
    const project = await makeProject(['seen'], ['main.ru']);
    const { id = 0 } = (await one<{ id: number }>('SELECT id FROM keywords')) ?? {};
    const request = { projectId: project.id, keywordId: null, type: 'yandex' } as const;
    await expect(startFetch(bob, request)).rejects.toMatchObject({ kind: 'refused' });
    await expect(projectPositions(bob, project.id, 'yandex')).rejects.toMatchObject({ kind: 'not_found' });
    await expect(keywordPositions(bob, project.id, 'yandex', id)).rejects.toMatchObject({ kind: 'not_found' });
    await expect(domainPositions(bob, project.domains['main.ru'] ?? 0, 'yandex')).rejects.toMatchObject({
      kind: 'not_found',
    });
    const ended = await fetchPositions(project.id);
    await expect(listOpen(bob, ended.id)).rejects.toMatchObject({ kind: 'not_found' });
  });

  test('a keyword of another project is refused by its field', async () => {
    await addAccount();
    const mine = await makeProject(['seen'], ['main.ru']);
    const { id = 0 } = (await one<{ id: number }>('SELECT id FROM keywords')) ?? {};
    const other = await makeProject(['another'], ['second.ru']);
    const asked = startFetch(ann, { projectId: other.id, keywordId: id, type: 'google' });
    await expect(asked).rejects.toMatchObject({ kind: 'refused', fields: { keywordId: expect.anything() } });
    await expect(keywordPositions(ann, other.id, 'google', id)).rejects.toMatchObject({ kind: 'not_found' });
    expect(mine.id).not.toBe(other.id);
  });

  test('a subdomain that is a domain of the project has its own place', () => {
    const sought = [
      { id: 1, domain_name: 'a.ru' },
      { id: 2, domain_name: 'b.a.ru' },
    ];
    const urls = ['https://xa.ru/', 'https://www.b.a.ru/', 'https://c.a.ru/', 'https://a.ru/'];
    expect(placesIn(urls, sought).map(({ domain_id, place }) => [domain_id, place])).toEqual([
      [2, 2],
      [1, 3],
    ]);
  });
});
