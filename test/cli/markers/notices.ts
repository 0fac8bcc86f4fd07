// Notices over every channel: an administrator takes them by a webhook, by e-mail and by Telegram, and another process sends them.
import { expect } from 'vitest';
import { signatureOf } from '../../../src/providers/webhook.ts';
import { ask, askOnce, receivers, runs, startTelling, type Caller } from './callers.ts';

const PERSON = { id: 7001, first_name: 'Ann', username: 'ann_marked' };
// An account whose login was refused: each channel has a language of its own, but names are the same.
const REFUSED = 'Renamed';
const LEVELS = ['critical', 'warning', 'info'];

/** Waits for what a function finds. */
async function found<T>(find: () => T | undefined): Promise<T> {
  await expect.poll(find).toBeTruthy();
  return find() as T;
}

const sentTexts = (): string[] => receivers.telegram.state.sent.map(({ text }) => text);

/** Takes an address, for which the mail server refuses the login of the first caller; returns how both were answered. */
async function takeMail(first: Caller, admin: Caller): Promise<number[]> {
  const path = 'POST /api/notice-preferences/email';
  const statuses = [(await ask(first, path, { email: 'b@example.net' })).status];
  statuses.push((await ask(admin, path, { email: 'a@example.net' })).status);
  const [, code = ''] = /\b(\d{8})\b/.exec(await found(() => receivers.mails[0])) ?? [];
  statuses.push((await ask(admin, `${path}/confirm`, { code })).status);
  return statuses;
}

/** Links a chat with the bot, as a person does. */
async function takeChat({ token }: Caller): Promise<number> {
  const { code } = (await askOnce(token, 'POST /api/telegram', {})).body;
  receivers.telegram.write(PERSON, `/start ${code}`);
  const [, shown = ''] = await found(() => /<code>([^<]+)<\/code>/.exec(sentTexts().join()) ?? undefined);
  return (await askOnce(token, 'POST /api/telegram/confirm', { code: shown })).status;
}

/** Makes an administrator take notices over every channel; returns the key that signs the calls of the webhook. */
export async function takeNotices(first: Caller, admin: Caller): Promise<string> {
  const hook = { name: 'pager', url: receivers.hookUrl, levels: LEVELS, active: true };
  const { secret } = (await ask(admin, 'POST /api/webhooks', hook)).body.data;
  expect(await takeMail(first, admin)).toEqual([502, 200, 200]);
  expect(await takeChat(admin)).toBe(200);
  const levels = { telegram: LEVELS, email: LEVELS };
  expect((await ask(admin, 'PUT /api/notice-preferences', { levels, every_project: true })).status).toBe(200);
  return secret;
}

/** Has the notices of all that has happened sent, and returns everything that the receivers have got. */
export async function tell(secret: string): Promise<string[]> {
  const telling = startTelling();
  const { calls, mails } = receivers;
  const isTold = (text: string): boolean => text.includes(REFUSED);
  await expect.poll(() => calls.some(({ body }) => isTold(body))).toBe(true);
  await expect.poll(() => mails.some(isTold)).toBe(true);
  await expect.poll(() => sentTexts().some(isTold)).toBe(true);
  telling.process.kill('SIGTERM');
  runs.push(await telling.ended);
  for (const { headers, body } of calls) {
    const time = String(headers['x-seo-admin-timestamp']);
    expect(headers['x-seo-admin-signature']).toBe(`sha256=${signatureOf(secret, time, body)}`);
  }
  return [...calls.map((call) => JSON.stringify(call.headers) + call.body), ...mails, ...sentTexts()];
}
