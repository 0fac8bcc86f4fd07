// From what happened to what arrives: whom a notice is told to, when, and how often.
import { expect, test, vi } from 'vitest';
import { recordEvents } from '../../../db/events.ts';
import { execute, executeUnaudited, select, transaction } from '../../../db/index.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { acknowledgeNotice, listNotices } from '../../../src/services/notices/notices.ts';
import { writePreferences } from '../../../src/services/notices/preferences.ts';
import { addPortfolio } from './world.ts';
import { START, MINUTE, hook, looks, turn, goesDown, titles, states, useSending } from './sending-world.ts';

useSending();

test('ten thousand domains that go down at once are one notice, told once to each who sees them, as he sees them', async () => {
  await addPortfolio({ domains: 10_000, ofBob: [5, 6], onSecond: [7] });
  const ids = Array.from({ length: 10_000 }, (_, n) => n + 1);
  await goesDown(ids.filter((id) => id !== 7));
  await turn();
  expect(await select('SELECT kind, cause, subjects FROM notices')).toEqual([
    { kind: 'domain_down', cause: 'server:1', subjects: 9_999 },
  ]);
  expect(hook.calls).toHaveLength(3);
  expect(titles('/user/2')).toEqual(['Не отвечают: 9\u00A0997 доменов']);
  expect(titles('/user/3')).toEqual(['Не отвечают: 2 домена']);
  expect(titles('/user/1')).toEqual(['Не отвечают: 9\u00A0999 доменов']);
  const bobs = hook.calls.find(({ path }) => path === '/user/3');
  expect(bobs?.body.lines).toEqual(['Общий сервер: srv1', 'd5.example', 'd6.example']);
  await turn();
  expect(hook.calls).toHaveLength(3);
});

test('names that are about to be looked at again are waited for, so that one notice has all, and told within a minute', async () => {
  await addPortfolio({ domains: 40 });
  const ids = Array.from({ length: 40 }, (_, n) => n + 1);
  await looks(ids, 200);
  await looks(ids, null);
  await looks(ids.slice(0, 10), null);
  await turn(20_000);
  expect(hook.calls).toEqual([]);
  await looks(ids.slice(10, 30), null);
  await turn(20_000);
  expect(hook.calls).toEqual([]);
  // The others are not looked at in time.
  await turn(10_000);
  expect(titles('/user/2')).toEqual(['Не отвечают: 30 доменов']);
});

test('a suspect that nobody looks at again holds up no notice of other names', async () => {
  await addPortfolio({ domains: 2 });
  await looks([1, 2], 200);
  await looks([2], null);
  vi.setSystemTime(START + 3 * MINUTE);
  await goesDown([1]);
  await turn();
  expect(titles('/user/2')).toEqual(['d1.example не отвечает']);
});

test('a notice that is over says for how long, and what is not yet settled waits', async () => {
  await addPortfolio({ domains: 1 });
  await goesDown([1]);
  await turn(1_000);
  expect(hook.calls).toEqual([]);
  await turn(9_000);
  vi.setSystemTime(START + 25 * MINUTE);
  await looks([1], 200);
  await turn();
  expect(titles('/user/2')).toEqual(['d1.example не отвечает', 'd1.example снова отвечает']);
  expect(hook.calls.at(-1)?.body.lines).toEqual(['Длилось 25 мин']);
});

test('a name that goes up and down every minute is told of three times an hour at most, and that it flaps', async () => {
  await addPortfolio({ domains: 1 });
  await looks([1], 200);
  for (let minute = 0; minute < 180; minute += 1) {
    await looks([1], null);
    await looks([1], null);
    await turn();
    await looks([1], 200);
    await turn(50_000);
  }
  const times = hook.calls.filter(({ path }) => path === '/user/2').map(({ at }) => (at - START) / MINUTE);
  const perHour = times.map((time) => times.filter((other) => other >= time && other < time + 60).length);
  expect(Math.max(...perHour)).toBeLessThanOrEqual(3);
  expect(titles('/user/2')).toContain('d1.example то доступен, то нет');
  expect(await select('SELECT 1 FROM notices')).toHaveLength(2);
  // It ends when nothing has changed for an hour.
  await turn(61 * MINUTE);
  expect(titles('/user/2').at(-1)).toBe('d1.example снова отвечает');
});

test('a notice that grows is told again, ten minutes later at the earliest', async () => {
  await addPortfolio({ domains: 9 });
  await goesDown([1, 2]);
  await turn();
  await goesDown([3]);
  await turn();
  expect(titles('/user/2')).toHaveLength(1);
  await turn(10 * MINUTE);
  expect(titles('/user/2')).toEqual(['Не отвечают: 2 домена', 'Не отвечают: 3 домена']);
});

test('who may not see a domain any more, or not sign in, is told nothing', async () => {
  await addPortfolio({ domains: 2, ofBob: [2] });
  hook.answer = 503;
  await goesDown([1, 2]);
  await turn();
  hook.calls.length = 0;
  hook.answer = 204;
  await transaction(async () => {
    await execute(`UPDATE notice_deliveries SET due_at = '2026-05-04T12:00:00.000Z' WHERE state = 'queued'`);
  });
  await transaction(() => executeUnaudited('check', 'UPDATE users SET active = 0 WHERE id = 2'));
  await transaction(() => executeUnaudited('check', 'UPDATE domains SET project_id = 1 WHERE id = 2'));
  await turn();
  expect(hook.calls.map(({ path }) => path)).toEqual(['/user/1']);
  expect(await states()).toEqual([
    { kind: 'opened', state: 'sent' },
    { kind: 'opened', state: 'dropped' },
    { kind: 'opened', state: 'dropped' },
  ]);
});

test('an address that is away is tried again with growing pauses, and given up after a day, with a line of the audit', async () => {
  await addPortfolio({ domains: 1 });
  hook.answer = 503;
  await goesDown([1]);
  await turn();
  const first = hook.calls.length;
  for (let hour = 0; hour < 36; hour += 1) for (let part = 0; part < 4; part += 1) await turn(15 * MINUTE);
  expect(hook.calls.length).toBeGreaterThan(first + 10);
  expect(hook.calls.length).toBeLessThan(first + 100);
  expect((await states()).map(({ state }) => state)).toEqual(['dropped', 'dropped']);
  expect(await select(`SELECT outcome FROM audit WHERE object = 'notice_deliveries'`)).toHaveLength(2);
});

test('an address that is gone is not tried again', async () => {
  await addPortfolio({ domains: 1 });
  hook.answer = 410;
  await goesDown([1]);
  await turn();
  await turn(60 * MINUTE);
  expect(hook.calls).toHaveLength(2);
  expect((await states()).map(({ state }) => state)).toEqual(['gone', 'gone']);
});

test('a critical notice that nobody acknowledges goes to the next person, one that is acknowledged does not', async () => {
  await addPortfolio({ domains: 2 });
  await writePreferences(2, { escalate_to: 'boss', escalate_after: 15 });
  await writePreferences(1, { levels: { telegram: [], email: [] } });
  await goesDown([1]);
  await turn();
  await turn(14 * MINUTE);
  expect(titles('/user/1')).toEqual([]);
  await turn(2 * MINUTE);
  expect(titles('/user/1')).toEqual(['d1.example не отвечает']);
  expect(hook.calls.at(-1)?.body.lines[0]).toBe('ann не подтвердил это уведомление');
  await goesDown([2]);
  await turn();
  const ann = { id: 2, login: 'ann', role: 'user' } as const;
  const { notices } = await listNotices(ann, { open: true });
  await acknowledgeNotice(ann, notices[0]!.id);
  await turn(60 * MINUTE);
  expect(titles('/user/1')).toHaveLength(1);
});

test('an acknowledgement counts for others only where he sees all that the notice is about', async () => {
  await addPortfolio({ domains: 2, ofBob: [2] });
  await goesDown([1, 2]);
  await turn();
  const ann = { id: 2, login: 'ann', role: 'user' } as const;
  const bob = { id: 3, login: 'bob', role: 'user' } as const;
  await acknowledgeNotice(ann, 1);
  expect([(await listNotices(ann, {})).waiting, (await listNotices(bob, {})).waiting]).toEqual([0, 1]);
  await acknowledgeNotice(SYSTEM, 1);
  expect((await listNotices(bob, {})).waiting).toBe(0);
  await expect(acknowledgeNotice({ ...bob, id: 99 }, 1)).rejects.toMatchObject({ kind: 'not_found' });
});

test('quiet hours hold back what is not critical until they are over', async () => {
  await addPortfolio({ domains: 1 });
  await writePreferences(2, { quiet_from: '22:00', quiet_until: '08:00', zone: 'UTC', critical_always: true });
  vi.setSystemTime(Date.parse('2026-05-04T23:00:00.000Z'));
  await transaction(() => recordEvents([{ kind: 'name_ends', name: 'd1.example', domain_id: 1, params: { days: 7 } }]));
  await turn();
  expect(titles('/user/2')).toEqual([]);
  await goesDown([1]);
  await turn();
  expect(titles('/user/2')).toEqual(['d1.example не отвечает']);
  vi.setSystemTime(Date.parse('2026-05-05T08:00:00.000Z'));
  await turn();
  expect(titles('/user/2')).toContain('d1.example: срок имени заканчивается, дней: 7');
});
