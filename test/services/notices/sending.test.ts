// How a delivery is sent: signed, once, not where it must not go, and with nothing that a service has said.
import { expect, test, vi } from 'vitest';
import { recordEvents } from '../../../db/events.ts';
import { execute, executeUnaudited, select, transaction } from '../../../db/index.ts';
import { signatureOf, webhookChannel } from '../../../src/providers/webhook.ts';
import { interceptCrashPoints } from '../../../src/lib/crash-point.ts';
import { endEvents } from '../../../src/operations/audit.ts';
import { renderContent } from '../../../src/notifier/render.ts';
import { useChannels } from '../../../src/services/notices/channels.ts';
import { viewOf } from '../../../src/services/notices/content.ts';
import { recordEnds } from '../../../src/services/notices/expiry.ts';
import { deliverDue } from '../../../src/services/notices/deliveries.ts';
import { groupPending, listNotices } from '../../../src/services/notices/notices.ts';
import { writePreferences } from '../../../src/services/notices/preferences.ts';
import { createWebhook } from '../../../src/services/notices/webhooks.ts';
import type { OperationRow } from '../../../src/shared/operations/tables.ts';
import { addPortfolio } from './world.ts';
import { START, MINUTE, hook, looks, turn, goesDown, titles, states, useSending } from './sending-world.ts';

useSending();

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

test('a delivery whose end cannot be stored at first is sent, and not told as unknown', async () => {
  await addPortfolio({ domains: 1 });
  await goesDown([1]);
  const rename = (from: string, to: string) => transaction(() => execute(`ALTER TABLE ${from} RENAME TO ${to}`));
  let isBack: Promise<unknown> | undefined;
  interceptCrashPoints((name) => {
    if (name !== 'notice:after-call' || isBack) return;
    isBack = rename('notice_deliveries', 'deliveries_away').then(() => rename('deliveries_away', 'notice_deliveries'));
  });
  await turn().finally(() => interceptCrashPoints());
  await isBack;
  expect((await states()).map(({ state }) => state)).toEqual(['sent', 'sent']);
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

test('an operation is told by its name, as failed, as done in part, or as waiting, and leads to itself', async () => {
  await addPortfolio({ domains: 1 });
  const ended = (state: string, held: string | null): OperationRow =>
    ({ id: 7, kind: 'tls', state, held, user_id: 2, asked_by: 'person' }) as OperationRow;
  for (const [state, held] of [
    ['failed', null],
    ['partial', null],
    ['succeeded', '{}'],
  ] as const) {
    await transaction(() => recordEvents(endEvents(ended(state, held))));
    await turn();
  }
  const { notices } = await listNotices({ id: 2, login: 'bob', role: 'user' }, {});
  expect(titles('/user/2')).toEqual([
    'Операция «TLS 1.3» #7 не удалась',
    'Операция «TLS 1.3» #7 удалась не полностью',
    'Операция «TLS 1.3» #7 ждёт человека',
  ]);
  expect(new Set(notices.map((notice) => viewOf(notice).path))).toEqual(new Set(['/operations?operation=7']));
});

test('a notice of several domains leads to the dashboard, and one of a purchase to the purchases', async () => {
  await addPortfolio({ domains: 2 });
  await goesDown([1, 2]);
  await turn();
  await transaction(() => recordEvents([{ kind: 'purchase_unknown', name: 'new.example', project_id: 1 }]));
  await turn();
  const { notices } = await listNotices({ id: 2, login: 'bob', role: 'user' }, {});
  expect(notices.map((notice) => [notice.kind, viewOf(notice).path])).toEqual([
    ['purchase_unknown', '/purchases'],
    ['domain_down', '/'],
  ]);
});

test('the text of a service’s error is in no notice', async () => {
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

test('a name of other letters is told in these, in the title and among others', async () => {
  await addPortfolio({ domains: 3 });
  const rename = `UPDATE domains SET domain_name = 'xn--e1afmkfd.xn--p1ai' WHERE id = 1`;
  await transaction(() => executeUnaudited('check', rename));
  await goesDown([1]);
  await turn();
  expect(titles('/user/2')).toEqual(['пример.рф не отвечает']);
  await looks([1], 200);
  await turn(61 * MINUTE);
  await goesDown([1, 2]);
  await turn();
  expect(hook.calls.at(-1)?.body.lines).toContain('пример.рф');
});
