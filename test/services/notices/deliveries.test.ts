// From what happened to what arrives: a real database, and a real server that is called.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { recordEvents } from '../../../db/events.ts';
import { execute, executeUnaudited, select, transaction } from '../../../db/index.ts';
import { signatureOf, webhookChannel } from '../../../src/providers/webhook.ts';
import { interceptCrashPoints } from '../../../src/lib/crash-point.ts';
import { useConfig } from '../../../src/lib/config.ts';
import { endEvents } from '../../../src/operations/audit.ts';
import { renderContent } from '../../../src/notifier/render.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { storeHealth } from '../../../src/services/checks/check-http.ts';
import type { Look } from '../../../src/services/checks/look-rows.ts';
import { useChannels } from '../../../src/services/notices/channels.ts';
import { recordEnds } from '../../../src/services/notices/expiry.ts';
import { deliverDue } from '../../../src/services/notices/deliveries.ts';
import { acknowledgeNotice, groupPending, listNotices } from '../../../src/services/notices/notices.ts';
import { writePreferences } from '../../../src/services/notices/preferences.ts';
import { createWebhook } from '../../../src/services/notices/webhooks.ts';
import type { OperationRow } from '../../../src/shared/operations/tables.ts';
import { startDatabase, type TestDatabase } from '../../support/database.ts';
import { temporaryConfig } from '../../support/server.ts';
import { startHook, type Hook } from './hook.ts';
import { addPortfolio } from './world.ts';

const START = Date.parse('2026-05-04T12:00:00.000Z');
const MINUTE = 60_000;

let database: TestDatabase;
let hook: Hook;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: START });
  database = await startDatabase();
  hook = await startHook();
  useConfig(temporaryConfig());
  const channel = webhookChannel(true);
  const addressOf = async (id: number) => JSON.stringify({ url: `${hook.url}/user/${id}`, secret: 's' });
  useChannels({ telegram: { channel, addressOf } }, channel);
});
afterEach(async () => {
  await hook.close();
  await database.close();
  vi.useRealTimers();
});

const look = (id: number, code: number | null): Look => ({
  id,
  verdict: code === null ? 'timeout' : String(code),
  code,
  ms: 10,
  detail: null,
});
const looks = (ids: number[], code: number | null) => storeHealth(ids.map((id) => look(id, code)));

/** Lets time pass until what has happened is grouped, and sends. */
async function turn(ms = 10_000): Promise<void> {
  vi.setSystemTime(Date.now() + ms);
  await groupPending(new Date());
  while ((await deliverDue(renderContent)) > 0) continue;
}

const goesDown = async (ids: number[]): Promise<void> => {
  await looks(ids, 200);
  await looks(ids, null);
  await looks(ids, null);
};

const titles = (path: string): string[] =>
  hook.calls.filter((call) => call.path === path).map(({ body }) => body.title);
const states = () => select<{ state: string; kind: string }>('SELECT kind, state FROM notice_deliveries ORDER BY id');

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

test('a webhook is called with what it can verify, and a repeat has the same number', async () => {
  await addPortfolio({ domains: 1 });
  const { secret } = await createWebhook({
    name: 'pager',
    url: `${hook.url}/hook`,
    levels: ['critical'],
    active: true,
  });
  hook.answer = 503;
  await goesDown([1]);
  await turn();
  hook.answer = 204;
  await turn(MINUTE);
  const calls = hook.calls.filter(({ path }) => path === '/hook');
  expect(calls).toHaveLength(2);
  for (const { headers, text } of calls) {
    const signature = signatureOf(secret, String(headers['x-seo-admin-timestamp']), text);
    expect(headers['x-seo-admin-signature']).toBe(`sha256=${signature}`);
  }
  expect(new Set(calls.map(({ headers }) => headers['x-seo-admin-delivery'])).size).toBe(1);
  const stored = JSON.stringify(await select('SELECT * FROM notice_webhooks'));
  expect([stored.includes(secret), stored.includes('v1.')]).toEqual([false, true]);
});

test('two processes that send at once send once', async () => {
  await addPortfolio({ domains: 1 });
  await goesDown([1]);
  vi.setSystemTime(Date.now() + 10_000);
  await Promise.all([groupPending(), groupPending(), groupPending()]);
  await Promise.all([1, 2, 3, 4].map(() => deliverDue(renderContent)));
  expect(hook.calls.map(({ path }) => path).toSorted()).toEqual(['/user/1', '/user/2']);
});

/** Has the process die, as far as the delivery can tell, when it first passes a point. */
async function dieAt(point: string): Promise<void> {
  let isLeft = true;
  interceptCrashPoints((passed) => {
    if (passed !== point || !isLeft) return;
    isLeft = false;
    throw new Error(`killed at ${point}`);
  });
  await expect(deliverDue(renderContent)).rejects.toThrow('killed');
  interceptCrashPoints();
}

test.each([
  ['notice:before-intent', 1, 'sent'],
  // Nobody can tell whether it arrived: it is marked, and not sent a second time.
  ['notice:after-intent', 0, 'unknown'],
  ['notice:after-call', 1, 'unknown'],
])('a process that dies at %s has sent %i times in the end, and the log says %s', async (point, times, state) => {
  await addPortfolio({ domains: 1 });
  await writePreferences(1, { levels: { telegram: [], email: [] } });
  await goesDown([1]);
  vi.setSystemTime(Date.now() + 10_000);
  await groupPending();
  await dieAt(point);
  // Until its lease is over nobody else sends.
  await turn(MINUTE);
  await turn(10 * MINUTE);
  expect(titles('/user/2')).toHaveLength(times);
  expect(await states()).toEqual([{ kind: 'opened', state }]);
});

test('a webhook that was being called is called again, by the same number, because its receiver can tell', async () => {
  await addPortfolio({ domains: 1 });
  useChannels({}, webhookChannel(true));
  await createWebhook({ name: 'pager', url: `${hook.url}/hook`, levels: ['critical'], active: true });
  await goesDown([1]);
  vi.setSystemTime(Date.now() + 10_000);
  await groupPending();
  await dieAt('notice:after-call');
  await turn(10 * MINUTE);
  expect(hook.calls.map(({ headers }) => headers['x-seo-admin-delivery'])).toEqual(['delivery-1', 'delivery-1']);
  expect(await states()).toEqual([{ kind: 'opened', state: 'sent' }]);
});

test('a redirect is not followed, and a private address is called only where that is allowed', async () => {
  hook.answer = 302;
  const content = { title: 'T', lines: [], link: null, buttons: [] };
  const send = (url: string, allowPrivate: boolean) =>
    webhookChannel(allowPrivate).send(JSON.stringify({ url, secret: 's' }), content, AbortSignal.timeout(5_000), 'k');
  expect(await send(`${hook.url}/a`, true)).toEqual({ outcome: 'failed', reason: 'http_302' });
  expect(hook.calls.map(({ path }) => path)).toEqual(['/a']);
  const port = new URL(hook.url).port;
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '169.254.169.254']) {
    expect(await send(`http://${host}:${port}/b`, false)).toEqual({ outcome: 'failed', reason: 'private_address' });
  }
  expect(hook.calls).toHaveLength(1);
});

test('what a service has said in an error is in no notice', async () => {
  await addPortfolio({ domains: 1 });
  const failed = {
    id: 5,
    kind: 'dns_change',
    state: 'failed',
    held: null,
    user_id: 2,
    asked_by: 'person',
    message: '{"key":"error.upstream","params":{"said":"password planted-secret"}}',
  } as OperationRow;
  await transaction(() => recordEvents(endEvents(failed)));
  await turn();
  expect(titles('/user/2')).toEqual(['Операция «Смена DNS» #5 не удалась']);
  const stored = await select('SELECT * FROM events, notices, notice_subjects, notice_deliveries');
  expect(stored).toHaveLength(1);
  expect(JSON.stringify([stored, hook.calls])).not.toContain('planted-secret');
});

test('a name is told of thirty, fourteen, seven and one day before its end, and when it has ended', async () => {
  await addPortfolio({ domains: 1 });
  const end = START + 40 * 24 * 60 * MINUTE;
  await transaction(() =>
    executeUnaudited('check', 'UPDATE domains SET expired_at = $end', { end: new Date(end).toISOString() }),
  );
  for (let day = 0; day < 45; day += 1) {
    vi.setSystemTime(START + day * 24 * 60 * MINUTE);
    await recordEnds();
    await turn();
    await recordEnds();
    await turn();
  }
  expect(titles('/user/2')).toEqual([
    ...[30, 14, 7, 1].map((days) => `d1.example: срок имени заканчивается, дней: ${days}`),
    'd1.example: срок имени истёк',
  ]);
});
