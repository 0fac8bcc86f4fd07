// Which open notice an outage becomes part of, and that nobody misses it there.
import { expect, test } from 'vitest';
import { recordEvents } from '../../../db/events.ts';
import { select, transaction } from '../../../db/index.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { acknowledgeNotice, listNotices } from '../../../src/services/notices/notices.ts';
import { updateDomain } from '../../../src/services/portfolio/domains.ts';
import { writePreferences } from '../../../src/services/notices/preferences.ts';
import { addPortfolio } from './world.ts';
import { MINUTE, goesDown, hook, looks, titles, turn, useSending } from './sending-world.ts';

const ANN = { id: 2, login: 'ann', role: 'user' } as const;

/** Notices of a user go to the administrator, who is told nothing else, after half an hour. */
async function passesOn(user: number): Promise<void> {
  await writePreferences(1, { levels: { telegram: [], email: [] } });
  await writePreferences(user, { escalate_to: 'boss', escalate_after: 30 });
}
const passedOn = () => hook.calls.filter(({ path }) => path === '/user/1').map(({ body }) => body.lines[0]);

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

test('an event after everything was acknowledged waits for an answer of its own', async () => {
  await addPortfolio({ domains: 3, ofBob: [3] });
  await goesDown([1, 2]);
  await turn();
  await acknowledgeNotice(ANN, 1);
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

test('an event that joins a notice after a person acknowledged his part of it is passed on, too', async () => {
  await addPortfolio({ domains: 3, ofBob: [3] });
  await passesOn(2);
  await goesDown([1, 3]);
  await turn();
  await acknowledgeNotice(ANN, 1);
  await turn(60 * MINUTE);
  expect(passedOn()).toEqual([]);
  await goesDown([2]);
  await turn();
  expect(await select('SELECT subjects FROM notices')).toEqual([{ subjects: 3 }]);
  expect((await listNotices(ANN, { open: true })).notices).toHaveLength(1);
  await turn(31 * MINUTE);
  expect(passedOn()).toEqual(['ann не подтвердил это уведомление']);
});

test('a person whose domain a notice gets later has it passed on as any other', async () => {
  await addPortfolio({ domains: 3, ofBob: [3] });
  await passesOn(3);
  await goesDown([1, 2]);
  await turn();
  await goesDown([3]);
  await turn(11 * MINUTE);
  expect(titles('/user/3')).toEqual(['d3.example не отвечает']);
  await turn(31 * MINUTE);
  expect(passedOn()).toEqual(['bob не подтвердил это уведомление']);
});

test('a notice that grows again and again is passed on once at a time', async () => {
  await addPortfolio({ domains: 5 });
  await passesOn(2);
  await goesDown([1, 2]);
  await turn();
  for (const id of [3, 4]) {
    await goesDown([id]);
    await turn(11 * MINUTE);
  }
  expect(titles('/user/2')).toHaveLength(3);
  await turn(9 * MINUTE);
  expect(titles('/user/1')).toEqual(['Не отвечают: 4 домена']);
  await goesDown([5]);
  await turn(11 * MINUTE);
  await acknowledgeNotice(ANN, 1);
  await turn(60 * MINUTE);
  expect(titles('/user/1')).toHaveLength(1);
});
