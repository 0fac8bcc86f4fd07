// The e-mail address of notices over the API, against a real SMTP server: whose is it, and who hears that it is another one?
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { select } from '../../../db/index.ts';
import { renderContent } from '../../../src/notifier/render.ts';
import { deliverDue } from '../../../src/services/notices/deliveries.ts';
import { groupPending } from '../../../src/services/notices/notices.ts';
import { createPerson, PASSWORD, request, startServer, type Person, type TestServer } from '../../support/server.ts';
import { startMailServer, type MailServer } from '../../support/mail/smtp.ts';

let smtp: MailServer;
let server: TestServer;
let ann: Person;

beforeAll(async () => {
  smtp = await startMailServer();
  server = await startServer({ mail: { url: smtp.url, from: 'seo@example.com' } });
});
afterAll(async () => {
  await server.close();
  await smtp.close();
});
beforeEach(async () => {
  Object.assign(smtp, { mails: [], refuse: null });
  ann = await createPerson(server);
});

const PATH = 'POST /api/notice-preferences/email';
// In English a mail is readable as it is sent.
const headers = { 'Accept-Language': 'en' };
const ask = (call: string, body?: object, token = ann.token) => request(server, call, { token, body, headers });
const sendCode = (email: string, password?: string) => ask(PATH, { email, ...(password && { password }) });
const lastCode = (): string => /\b(\d{8})\b/.exec(smtp.mails.at(-1)?.text ?? '')?.[1] ?? '';
const confirm = () => ask(`${PATH}/confirm`, { code: lastCode() });
const preferences = async () => (await ask('GET /api/notice-preferences')).body.data;
const inForce = async (): Promise<string | null> => {
  const { email, email_confirmed_at } = await preferences();
  return email_confirmed_at === null ? null : email;
};
const changes = async (): Promise<number> =>
  (await select(`SELECT 1 FROM events WHERE kind = 'email_changed' AND user_id = $id`, { id: ann.id })).length;

/** Sends all that is due a while later; returns to whom. */
async function deliver(): Promise<string[]> {
  const before = smtp.mails.length;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
  await groupPending(new Date());
  while ((await deliverDue(renderContent)) > 0) continue;
  vi.useRealTimers();
  return smtp.mails
    .slice(before)
    .flatMap(({ to }) => to)
    .toSorted();
}

/** Does something after the minute in which no second code is sent. */
async function later<T>(work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
  try {
    return await work();
  } finally {
    vi.useRealTimers();
  }
}

async function confirmed(email: string): Promise<void> {
  expect((await sendCode(email)).status).toBe(200);
  expect((await confirm()).status).toBe(200);
}

test('an address gets notices only after its code was told, and the first one is a change that is told as well', async () => {
  expect((await sendCode('ann@example.com')).status).toBe(200);
  expect([await inForce(), await changes()]).toEqual([null, 0]);
  const code = lastCode();
  expect((await confirm()).status).toBe(200);
  expect([await inForce(), await changes()]).toEqual(['ann@example.com', 1]);
  expect((await confirm()).status).toBe(422);
  const stored = [await select('SELECT * FROM notice_preferences'), await select('SELECT * FROM audit')];
  expect(JSON.stringify(stored)).not.toContain(code);
});

test('no API token sets, confirms or removes the address', async () => {
  const { token } = (await ask('POST /api/tokens', { name: 'ci', scope: 'write', days: 1 })).body;
  const bodies = {
    '': { email: 'thief@evil.example' },
    '/confirm': { code: '12345678' },
    '/remove': { password: PASSWORD },
  };
  for (const [path, body] of Object.entries(bodies)) {
    expect((await ask(PATH + path, body, token)).status).toBe(403);
  }
  expect(smtp.mails).toEqual([]);
});

test('a confirmed address is replaced and removed with the password alone', async () => {
  await confirmed('ann@example.com');
  for (const password of [undefined, 'another password']) {
    const answer = await later(() => sendCode('thief@evil.example', password));
    expect([answer.status, answer.body.code]).toEqual([422, 'wrong_password']);
  }
  expect((await ask(`${PATH}/remove`, { password: 'another password' })).body.code).toBe('wrong_password');
  expect([await inForce(), smtp.mails.length]).toEqual(['ann@example.com', 1]);
});

test('the confirmed address stays in force until the next one is confirmed', async () => {
  await confirmed('ann@example.com');
  expect((await later(() => sendCode('new@example.com', PASSWORD))).status).toBe(200);
  expect(await preferences()).toMatchObject({ email: 'ann@example.com', email_next: 'new@example.com' });
  expect(await inForce()).toBe('ann@example.com');
  expect((await confirm()).body.data).toMatchObject({ email: 'new@example.com', email_next: null });
  expect(await inForce()).toBe('new@example.com');
});

test('the address of before hears that another one has its place, and that there is none', async () => {
  await confirmed('ann@example.com');
  await deliver();
  await later(() => sendCode('new@example.com', PASSWORD));
  await confirm();
  expect(await deliver()).toEqual(['ann@example.com', 'new@example.com']);
  expect((await ask(`${PATH}/remove`, { password: PASSWORD })).status).toBe(200);
  expect([await inForce(), await changes()]).toEqual([null, 3]);
  expect(await deliver()).toEqual(['new@example.com']);
});

test('a second code waits for a minute, and an address whose code could not be sent waits for none', async () => {
  await confirmed('ann@example.com');
  expect((await sendCode('other@example.com', PASSWORD)).status).toBe(429);
  smtp.refuse = 451;
  expect((await later(() => sendCode('other@example.com', PASSWORD))).status).toBe(502);
  expect(await preferences()).toMatchObject({ email: 'ann@example.com', email_next: null });
  expect(await inForce()).toBe('ann@example.com');
});

test('after five wrong codes the right one is refused as well', async () => {
  await sendCode('ann@example.com');
  const wrong = lastCode() === '11111111' ? '22222222' : '11111111';
  for (let tries = 0; tries < 5; tries += 1) {
    expect((await ask(`${PATH}/confirm`, { code: wrong })).status).toBe(422);
  }
  expect((await confirm()).status).toBe(422);
  expect(await inForce()).toBeNull();
});
