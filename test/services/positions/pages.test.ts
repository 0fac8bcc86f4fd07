// How far a keyword is read, and which depth is told: pages with other blocks, repeated ones, empty ones, and the end of the results.
import { expect, test } from 'vitest';
import { projectPositions } from '../../../src/services/positions/grids.ts';
import { addAccount, ann, fake, fetchPositions, makeProject, one, usePositions, web } from './world.ts';

usePositions();

const doc = (url: string, type = 'organic'): string =>
  `<group><doccount>1</doccount><doc><url>${url}</url><contenttype>${type}</contenttype></doc></group>`;
const page = (groups: readonly string[], found: number | null = 12_300): string =>
  `<yandexsearch><response>${found === null ? '' : `<found priority="all">${found}</found>`}<results><grouping>${groups.join('')}</grouping></results></response></yandexsearch>`;
const others = (count: number, from: number): string[] =>
  Array.from({ length: count }, (_, index) => doc(`https://other-${from + index}.example/`));
const ads = (count: number): string[] => Array.from({ length: count }, () => doc('https://main.ru/ad', 'ads'));
const NOTHING = '<yandexsearch><response><error code="15">Ничего не найдено</error></response></yandexsearch>';

/** Reads a keyword whose pages are these, and whose further ones have nothing new. */
async function read(...pages: string[]) {
  await addAccount();
  const project = await makeProject(['seen'], ['main.ru']);
  web.topics = {};
  for (const text of pages) fake.faults.push({ kind: 'body', text, times: 1, query: 'seen' });
  const { state } = await fetchPositions(project.id);
  const { values, depths } = await projectPositions(ann, project.id, 'yandex');
  const stored = await one<{ requests: number }>('SELECT requests FROM search_days');
  return { state, value: values[0]?.[0], depth: depths[0]?.[0], requests: stored?.requests };
}

test('places count organic results alone, over pages in which other blocks stand', async () => {
  const first = [...ads(1), ...others(4, 0), ...ads(2), ...others(3, 4)];
  const second = [...ads(2), ...others(2, 7), doc('https://www.main.ru/p'), ...others(5, 9)];
  expect(await read(page(first), page(second))).toMatchObject({ value: 10, depth: 15, requests: 2 });
});

test('a page that is full of blocks and results is not the last, though few results are counted', async () => {
  const first = [...others(7, 0), ...ads(3)];
  expect(await read(page(first, 9), page([doc('https://main.ru/')], 9))).toMatchObject({ value: 8 });
});

test('a short page is the last where no more results are counted, and the whole depth was read', async () => {
  expect(await read(page(others(7, 0), 7))).toMatchObject({ value: 0, depth: 50, requests: 1 });
});

test('a service that answers fewer results than it counts is read until it says that there are no more', async () => {
  expect(await read(page(others(3, 0), 3000), page(others(3, 3), 3000), NOTHING)).toMatchObject({
    value: 0,
    depth: 50,
    requests: 3,
  });
});

test('the same page answered again ends the reading, and nothing is told of what was not read', async () => {
  const same = page(others(10, 0));
  expect(await read(same, same, same)).toMatchObject({ state: 'succeeded', value: 0, depth: 10, requests: 2 });
});

test('an empty page of a service that counts more results ends the reading at the depth that was read', async () => {
  expect(await read(page(others(10, 0)), page([]), page([doc('https://main.ru/')]))).toMatchObject({
    state: 'succeeded',
    value: 0,
    depth: 10,
  });
});

test('an empty page of a service that counts no more is the end, and the whole depth was read', async () => {
  expect(await read(page(others(10, 0), 10), page([], 10))).toMatchObject({ value: 0, depth: 50 });
});

test.each([
  ['an empty first page though results are counted', page([], 100)],
  ['a first page of other blocks alone', page(ads(4), 100)],
])('%s leaves the keyword without a value', async (_what, text) => {
  expect(await read(...Array.from({ length: 5 }, () => text))).toMatchObject({ state: 'failed', value: null });
});

test('results behind the depth are no places, and the depth is what was asked for', async () => {
  const pages = Array.from({ length: 4 }, (_, index) => page(others(14, index * 14)));
  pages[3] = page([...others(9, 42), doc('https://main.ru/'), ...others(4, 51)]);
  expect(await read(...pages)).toMatchObject({ value: 0, depth: 50 });
});

test('a service with one result a page costs no more than was told before, and the depth is what was read', async () => {
  const pages = Array.from({ length: 40 }, (_, index) => page(others(1, index)));
  expect(await read(...pages)).toMatchObject({ value: 0, depth: 5, requests: 5 });
});
