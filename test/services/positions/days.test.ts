// The day of what was read: a day holds what was read on it, and a list of results has pages of one reading.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { resultsAt } from '../../../src/demo/search/web.ts';
import { keywordPositions, projectPositions } from '../../../src/services/positions/grids.ts';
import { readingOf } from '../../../src/services/positions/results.ts';
import { dayOf } from '../../../src/shared/positions/places.ts';
import {
  addAccount,
  ann,
  fake,
  fetchPositions,
  KEY,
  LOGIN,
  makeProject,
  one,
  paid,
  placeOf,
  tryAgain,
  usePositions,
  web,
} from './world.ts';

const PRICE = 25;

usePositions();
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2027-03-01T10:00:00Z') }));
afterEach(() => void vi.useRealTimers());

const setTime = (time: string): void => void vi.setSystemTime(time);

/** Lets the account pay for so many requests more. */
const leave = (requests: number): void => {
  fake.state.accounts = [{ login: LOGIN, key: KEY, balance: requests * PRICE }];
};

/** Returns the list of a keyword as the web has it now. */
const listNow = (keyword: string): string[] =>
  resultsAt(web, { engine: 'yandex', keyword, region: '213', device: 'desktop' }, dayOf(Date.now()));

async function keywordId(): Promise<number> {
  return (await one<{ id: number }>('SELECT id FROM keywords'))?.id ?? 0;
}

test('another try of open keywords days later stores their places under the day of that try', async () => {
  await addAccount();
  const words = ['one', 'two', 'three'];
  const project = await makeProject(words, ['main.ru']);
  fake.faults.push({ kind: 'captcha', times: 99, query: 'two' });
  const { id } = await fetchPositions(project.id);
  const first = words.map((word) => (word === 'two' ? null : placeOf(word, 'main.ru')));
  setTime('2027-03-03T09:00:00Z');
  fake.faults.length = 0;
  const before = paid().length;
  expect(await tryAgain(id)).toMatchObject({ state: 'succeeded', done: 3, failed: 0 });
  expect(new Set(fake.charged.slice(before).map(({ query }) => query))).toEqual(new Set(['two']));
  const { dates, values } = await projectPositions(ann, project.id, 'yandex');
  expect(dates).toEqual(['2027-03-01', '2027-03-03']);
  expect(values).toEqual([first, [null, placeOf('two', 'main.ru'), null]]);
});

test('a list goes on after its paid pages on the same day', async () => {
  await addAccount();
  const project = await makeProject(['deep'], ['main.ru']);
  web.hosts = {};
  leave(2);
  const { id } = await fetchPositions(project.id);
  setTime('2027-03-01T23:30:00Z');
  leave(100);
  expect(await tryAgain(id)).toMatchObject({ state: 'succeeded' });
  expect(paid()).toEqual(['deep/0', 'deep/1', 'deep/2', 'deep/3', 'deep/4']);
});

test('a list that was begun days before begins anew, and is killed and begun as often as it takes', async () => {
  await addAccount();
  const project = await makeProject(['deep'], ['main.ru']);
  web.hosts['rival.ru'] = { topic: 'shop', from: null, until: null };
  web.hosts['main.ru'] = { topic: 'nothing', from: null, until: null };
  leave(3);
  const { id } = await fetchPositions(project.id);
  setTime('2027-03-03T10:00:00Z');
  leave(1);
  await tryAgain(id);
  leave(100);
  expect(await tryAgain(id)).toMatchObject({ state: 'succeeded' });
  expect(paid().slice(3)).toEqual(['deep/0', 'deep/1', 'deep/2', 'deep/3', 'deep/4']);
  const reading = await readingOf(ann, project.id, 'yandex', await keywordId(), '2027-03-03');
  expect(reading.urls).toEqual(listNow('deep').slice(0, 50));
  const { dates } = await keywordPositions(ann, project.id, 'yandex', await keywordId());
  expect(dates).toEqual(['2027-03-03']);
});

test('a list that is read over midnight belongs to the day of its first page', async () => {
  await addAccount();
  const project = await makeProject(['deep'], ['main.ru']);
  web.hosts = {};
  setTime('2027-03-01T23:50:00Z');
  leave(2);
  const { id } = await fetchPositions(project.id);
  setTime('2027-03-02T00:10:00Z');
  leave(100);
  await tryAgain(id);
  expect(paid()).toEqual(['deep/0', 'deep/1', 'deep/2', 'deep/3', 'deep/4']);
  const { dates, values } = await projectPositions(ann, project.id, 'yandex');
  expect({ dates, values }).toEqual({ dates: ['2027-03-01'], values: [[0]] });
});
