// A domain that is taken out of the portfolio while it is down, and one that comes back.
import { beforeEach, expect, test } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import { purge } from '../../../src/services/system/purge.ts';
import { deleteDomain, restoreDomain } from '../../../src/services/portfolio/domains.ts';
import { addPortfolio } from './world.ts';
import { MINUTE, goesDown, hook, looks, titles, turn, useSending } from './sending-world.ts';

const ANN = { id: 2, login: 'ann', role: 'user' } as const;

useSending();
beforeEach(() => addPortfolio({ domains: 3 }));

const open = () => select('SELECT kind, subjects FROM notices WHERE closed_at IS NULL');

test('a notice is over once all its domains answer again but one that was deleted', async () => {
  await goesDown([1, 2, 3]);
  await turn();
  await deleteDomain(ANN, 3);
  await turn();
  expect(await open()).toHaveLength(1);
  await looks([1, 2], 200);
  await turn();
  expect(await open()).toEqual([]);
  expect(titles('/user/2')).toEqual(['Не отвечают: 3 домена', 'Снова отвечают: 2 домена']);
});

test('the notice of a domain that is deleted ends without a word, and another at its server gets one of its own', async () => {
  await goesDown([1, 2]);
  await turn();
  await deleteDomain(ANN, 1);
  await deleteDomain(ANN, 2);
  await turn();
  expect(await open()).toEqual([]);
  expect(hook.calls.filter(({ path }) => path === '/user/2')).toHaveLength(1);
  await goesDown([3]);
  await turn();
  expect(titles('/user/2').at(-1)).toBe('d3.example не отвечает');
});

test('a domain that is restored while it is still down or blocked is told anew, and its end as well', async () => {
  await transaction(() => execute(`UPDATE domains SET status = 'blocked' WHERE id = 2`));
  await goesDown([1]);
  await turn();
  await deleteDomain(ANN, 1);
  await deleteDomain(ANN, 2);
  await turn();
  await restoreDomain(ANN, 1);
  await restoreDomain(ANN, 2);
  await turn();
  expect(titles('/user/2').slice(1).toSorted()).toEqual(['d1.example не отвечает', 'd2.example заблокирован']);
  await looks([1], 200);
  await turn();
  expect(titles('/user/2').at(-1)).toBe('d1.example снова отвечает');
});

test('a domain that is restored before its notice has ended is not told twice', async () => {
  await goesDown([1]);
  await turn();
  await deleteDomain(ANN, 1);
  await restoreDomain(ANN, 1);
  await turn();
  await turn(60 * MINUTE);
  expect(titles('/user/2')).toEqual(['d1.example не отвечает']);
  expect(await open()).toHaveLength(1);
});

test('a domain that has left for good keeps no notice open', async () => {
  await goesDown([1]);
  await turn();
  await transaction(() => execute(`UPDATE domains SET deleted_at = '2026-01-01T00:00:00.000Z' WHERE id = 1`));
  await purge();
  await turn();
  expect(await select('SELECT id FROM domains WHERE id = 1')).toEqual([]);
  expect(await open()).toEqual([]);
});
