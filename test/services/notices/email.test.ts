// E-mail against a real SMTP server.
import { SMTPServer } from 'smtp-server';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startMailServer, type MailServer } from '../../support/mail/smtp.ts';
import { emailChannel } from '../../../src/providers/email.ts';
import type { NoticeContent } from '../../../src/providers/provider.ts';

let smtp: MailServer;
beforeEach(async () => {
  smtp = await startMailServer();
});
afterEach(() => smtp.close());

const content: NoticeContent = {
  title: 'Не отвечает d1.example\r\nBcc: stranger@example.com',
  lines: ['<b>not bold</b>', '.'],
  link: 'https://seo.example.com/sites?search=d1.example',
  buttons: [],
};
const send = (to: string, key?: string) =>
  emailChannel(smtp.url, 'seo-admin <seo@example.com>').send(to, content, AbortSignal.timeout(10_000), key);

test('a mail arrives as text and HTML, and a title can add no header and no recipient', async () => {
  const sent = await send('ann@example.com', 'delivery-7');
  expect(sent).toMatchObject({ outcome: 'sent' });
  const [mail] = smtp.mails;
  expect(mail?.to).toEqual(['ann@example.com']);
  const [head = '', ...body] = mail?.text.split('\r\n\r\n') ?? [];
  expect(head).not.toMatch(/^Bcc:/im);
  expect(head).toMatch(/^Message-ID: <delivery-7\..*@example\.com>$/im);
  expect(head).toMatch(/^Auto-Submitted: auto-generated$/im);
  expect(body.join('\n')).toContain('&lt;b&gt;not bold');
});

/** Decodes a header of a mail: its lines are joined, and its encoded words (RFC 2047) read. */
const headerOf = (head: string, name: string): string =>
  (new RegExp(`^${name}: (.*(?:\\r\\n[ \\t].*)*)`, 'im').exec(head)?.[1] ?? '')
    .replace(/\?=\r\n[ \t]+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_word, kind: string, text: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString()
        : decodeURIComponent(text.replaceAll('_', ' ').replaceAll('=', '%')),
    );

test('a mail is ASCII on its way: Cyrillic is encoded in its subject and in both of its parts', async () => {
  await send('ann@example.com', 'delivery-8');
  const [{ text } = { text: '' }] = smtp.mails;
  expect(text).toMatch(/^\p{ASCII}*$/u);
  const [head = ''] = text.split('\r\n\r\n');
  expect(headerOf(head, 'Subject')).toBe('Не отвечает d1.example Bcc: stranger@example.com');
  expect(Math.max(...head.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(78);
  expect(headerOf(head, 'MIME-Version')).toBe('1.0');
  const boundary = /boundary="([^"]+)"/.exec(headerOf(head, 'Content-Type'))?.[1] ?? '';
  expect(headerOf(head, 'Content-Type')).toMatch(/^multipart\/alternative/);
  const parts = text.split(`--${boundary}`).slice(1, -1);
  expect(parts.map((part) => headerOf(part, 'Content-Type'))).toEqual([
    'text/plain; charset=utf-8',
    'text/html; charset=utf-8',
  ]);
});

test('a server whose certificate is not valid gets nothing', async () => {
  const tls = new URL('../../corpus/tls/', import.meta.url);
  const [key, cert] = [readFileSync(new URL('key.pem', tls)), readFileSync(new URL('cert.pem', tls), 'utf8')];
  let heard = 0;
  const secure = new SMTPServer({
    key,
    cert,
    secure: true,
    authOptional: true,
    onConnect: (_session, callback) => {
      heard += 1;
      callback();
    },
    onData: (stream, _session, callback) => stream.resume().on('end', () => callback()),
  });
  secure.on('error', () => undefined);
  await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
  const { port } = secure.server.address() as AddressInfo;
  const outcomeAt = async (host: string, ca?: string) =>
    (
      await emailChannel(`smtps://${host}:${port}`, 'seo@example.com', ca).send(
        'a@example.com',
        content,
        AbortSignal.timeout(10_000),
      )
    ).outcome;
  // Nobody vouches for it; somebody does, but for another name.
  expect(await outcomeAt('127.0.0.1')).toBe('later');
  expect(await outcomeAt('localhost', cert)).toBe('later');
  expect(heard).toBe(0);
  await new Promise<void>((resolve) => secure.close(() => resolve()));
});

test('an address that is refused for good is gone, one that is refused for now waits, and so does a server that is away', async () => {
  smtp.refuse = 550;
  expect(await send('gone@example.com')).toEqual({ outcome: 'gone', reason: 'smtp_550' });
  smtp.refuse = 451;
  expect(await send('ann@example.com')).toMatchObject({ outcome: 'later', reason: 'smtp_451' });
  await smtp.close();
  expect(await send('ann@example.com')).toMatchObject({ outcome: 'later' });
});

test('a refused login is told without the login', async () => {
  const channel = emailChannel(smtp.url.replace('//', '//user:planted-secret@'), 'seo@example.com');
  const sent = await channel.send('ann@example.com', content, AbortSignal.timeout(10_000));
  expect(sent.outcome).toBe('later');
  expect(JSON.stringify(sent)).not.toContain('planted-secret');
  expect(smtp.mails).toEqual([]);
});

test('a server on another machine gets nothing without TLS', async () => {
  // 127.0.0.2 is this machine, but no address that is known to be.
  const channel = emailChannel(smtp.url.replace('127.0.0.1', '127.0.0.2'), 'seo@example.com');
  const sent = await channel.send('ann@example.com', content, AbortSignal.timeout(10_000));
  expect([sent.outcome, smtp.mails]).toEqual(['later', []]);
});
