// Telegram in the demo: a bot that runs, a linked chat, one that can be linked, and the page where people write and press.
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { renderContent } from '../../src/notifier/render.ts';
import { recordEvents } from '../../db/events.ts';
import { transaction } from '../../db/index.ts';
import { FROZEN_NOW } from '../../src/demo/clock.ts';
import { demoTelegram, telegramRows } from '../../src/demo/telegram-people.ts';
import { startDemo, type Demo } from '../../src/demo/index.ts';
import { createLog } from '../../src/lib/log.ts';
import { serve, type Serving } from '../../src/server.ts';
import { deliverDue } from '../../src/services/notices/deliveries.ts';
import { groupPending } from '../../src/services/notices/notices.ts';
import { until } from '../bot/support.ts';
import { request, temporaryConfig } from '../support/server.ts';

const [ANNA, OLEG] = [710_001, 710_002];
const config = temporaryConfig({
  // The bot and the mail server of the real installation stay unused.
  telegram: { token: '1:real', url: 'http://127.0.0.1:9' },
  mail: { url: 'smtp://127.0.0.1:9', from: 'a@example.com' },
});
let demo: Demo;
let serving: Serving;
let url: string;
beforeAll(async () => {
  demo = await startDemo(config, { size: 60, frozen: false });
  serving = await serve({
    config: demo.config,
    log: createLog('silent'),
    host: '127.0.0.1',
    port: 0,
    scheduler: false,
  });
  url = demo.config.telegram?.url ?? '';
});
afterAll(async () => {
  await serving.close();
  await demo.close();
  rmSync(config.dataDir, { recursive: true });
});

const read = async (path: string, headers: Record<string, string> = {}): Promise<string> =>
  (await fetch(url + path, { headers })).text();
const find = async (pattern: RegExp, person: number): Promise<RegExpExecArray | undefined> =>
  pattern.exec(await read(`/chat?person=${person}`)) ?? undefined;
const send = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(url + path, { method: 'POST', body: new URLSearchParams(fields), headers, redirect: 'manual' });
const signIn = async (login: string): Promise<string> =>
  (await request(serving, 'POST /api/login', { body: { login, password: login } })).body.token;

test('the chat of `demo` is linked, and what is written and pressed on the page reaches the bot', async () => {
  const token = await signIn('demo');
  expect(demo.config.mail).toBeUndefined();
  const view = await until(async () => {
    const { body } = await request(serving, 'GET /api/telegram', { token });
    return body.bot.state === 'on' && body;
  });
  expect(view).toMatchObject({ demo_url: url, link: { telegram_id: ANNA }, bot: { username: 'seo_admin_demo_bot' } });
  expect(await read('/')).toContain(`<iframe src="/chat?person=${ANNA}"`);

  const written = await send('/write', { person: String(ANNA), text: '/check astro-mir.ru' });
  expect([written.status, written.headers.get('location')]).toEqual([303, `/?person=${ANNA}`]);
  const [, message = '', data = ''] = await until(async () =>
    find(/name="message" value="(\d+)"><input type="hidden" name="data" value="(check:\d+)"/, ANNA),
  );
  const before = (await read(`/chat?person=${ANNA}`)).split('astro-mir.ru').length;
  expect((await send('/press', { person: String(ANNA), message, data })).status).toBe(303);
  await until(async () => (await read(`/chat?person=${ANNA}`)).split('astro-mir.ru').length > before);
  // A button that the message does not have, or a person who is not there.
  expect((await send('/press', { person: String(ANNA), message, data: 'check:2' })).status).toBe(400);
  expect((await send('/press', { person: String(OLEG), message, data })).status).toBe(400);
  expect((await send('/write', { person: '1', text: 'x' })).status).toBe(400);
});

test('the chat of `operator` can be linked by /reg and the code that the bot shows', async () => {
  const token = await signIn('operator');
  await send('/write', { person: String(OLEG), text: '/reg' });
  const [, code = ''] = await until(() => find(/<code>([^<]+)<\/code>/, OLEG));
  const { status, body } = await request(serving, 'POST /api/telegram/confirm', { token, body: { code } });
  expect([status, body.link?.telegram_id]).toEqual([200, OLEG]);
});

test('a notice arrives on the page, and stands in the log of deliveries', async () => {
  const token = await signIn('demo');
  await transaction(() => recordEvents([{ kind: 'domain_blocked', level: 'critical', name: 'astro-mir.ru' }]));
  await until(async () => {
    await groupPending();
    await deliverDue(renderContent);
    return (await read(`/chat?person=${ANNA}`)).includes('name="data" value="ack:');
  });
  const { body } = await request(serving, 'GET /api/deliveries', { token });
  // The operator was told of his link before.
  const newest = body.data.find(({ login }: { login: string }) => login === 'demo');
  // The newest comes first: it has a past.
  expect(newest).toMatchObject({ channel: 'telegram', state: 'sent' });
});

test('other origins and names can neither read the page nor press', async () => {
  const fields = { person: String(ANNA), text: '/stop' };
  expect((await send('/write', fields, { origin: 'https://evil.example' })).status).toBe(403);
  expect((await send('/write', fields, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  expect((await request({ url }, 'GET /', { headers: { host: 'evil.example' } })).status).toBe(403);
  expect((await send('/write', { ...fields, text: 'x'.repeat(20_000) })).status).toBe(400);
  expect((await send('/write', { person: String(ANNA), text: '<script>1</script>' })).status).toBe(303);
  const page = await read(`/chat?person=${ANNA}`);
  expect(page).toContain('&lt;script&gt;1');
  expect(page).not.toContain('<script');
});

test('the beginning depends on its day alone', () => {
  expect(demoTelegram(FROZEN_NOW)).toEqual(demoTelegram(FROZEN_NOW));
  expect(demoTelegram(FROZEN_NOW).sent.map(({ at }) => at)).toEqual(['2026-10-21T06:30:00.000Z']);
  expect(telegramRows(FROZEN_NOW)).toMatchObject([{ user_id: 1, linked_at: '2026-10-21T06:30:00.000Z' }]);
});
