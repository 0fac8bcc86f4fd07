// Which open notice an outage becomes part of, and that nobody misses it there.
import { expect, test } from 'vitest';
import { recordEvents } from '../../../db/events.ts';
import { select, transaction } from '../../../db/index.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { acknowledgeNotice, listNotices } from '../../../src/services/notices/notices.ts';
import { updateDomain } from '../../../src/services/portfolio/domains.ts';
import { writePreferences } from '../../../src/services/notices/preferences.ts';
import { addPortfolio } from './world.ts';
import { MINUTE, goesDown, looks, titles, turn, useSending } from './sending-world.ts';

useSending();

test('a name that goes down again in a notice that is open still is told again', async () => {
  await addPortfolio({ domains: 3 });
  await goesDown([1, 2, 3]);
  await turn();
  await looks([3], 200);
  await turn();
  await turn(120 * MINUTE);
  await goesDown([3]);
  await turn(10 * MINUTE);
  expect(titles('/user/2')).toEqual(['Не отвечают: 3 домена', 'Не отвечают: 3 домена']);
  await turn(60 * MINUTE);
  expect(titles('/user/2')).toHaveLength(2);
});

test('a main domain does not become part of a less urgent notice about reserves', async () => {
  await addPortfolio({ domains: 4, reserves: [1, 2] });
  await writePreferences(2, { levels: { telegram: ['critical'], email: [] } });
  await goesDown([1, 2]);
  await turn();
  expect(titles('/user/2')).toEqual([]);
  await goesDown([3, 4]);
  await turn();
  expect(titles('/user/2')).toEqual(['Не отвечают: 2 домена']);
  expect(await select('SELECT level, subjects FROM notices ORDER BY id')).toEqual([
    { level: 'warning', subjects: 2 },
    { level: 'critical', subjects: 2 },
  ]);
});

test('what comes after everything was acknowledged waits for an answer of its own', async () => {
  await addPortfolio({ domains: 3, ofBob: [3] });
  await goesDown([1, 2]);
  await turn();
  await acknowledgeNotice({ id: 2, login: 'ann', role: 'user' }, 1);
  await goesDown([3]);
  await turn();
  expect(titles('/user/3')).toEqual(['d3.example не отвечает']);
  expect((await listNotices({ id: 3, login: 'bob', role: 'user' }, {})).waiting).toBe(1);
  expect((await listNotices(SYSTEM, {})).notices.map(({ subjects }) => subjects)).toEqual([1, 2]);
});

test('each change of a person’s Telegram is told, also while an earlier one is not acknowledged', async () => {
  await addPortfolio({ domains: 1 });
  for (let n = 0; n < 2; n += 1) {
    const params = { at: new Date().toISOString() };
    await transaction(() => recordEvents([{ kind: 'telegram_changed', name: 'ann', user_id: 2, params }]));
    await turn(20 * MINUTE);
  }
  expect(titles('/user/2')).toHaveLength(2);
});

test('a domain that gets another name takes nothing of its former one along, and what befalls the new one is told', async () => {
  await addPortfolio({ domains: 1 });
  await goesDown([1]);
  await turn();
  await updateDomain(SYSTEM, 1, { domain_name: 'other.example' }, ['domain_name']);
  await turn();
  expect((await listNotices(SYSTEM, { open: true })).notices).toEqual([]);
  expect(titles('/user/2')).toEqual(['d1.example не отвечает']);
  await goesDown([1]);
  await turn();
  expect(titles('/user/2')).toEqual(['d1.example не отвечает', 'other.example не отвечает']);
});
