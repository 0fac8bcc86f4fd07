// Those whom notices reach: a webhook's receiver, a mail server and Telegram. They keep all that they were sent.
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { startTelegram } from '../../../src/demo/telegram.ts';
import { newTelegram, type TelegramFake } from '../../../src/demo/telegram-state.ts';
import { MARKERS } from './secrets.ts';

/** A call of the webhook. */
interface Call {
  headers: IncomingHttpHeaders;
  body: string;
}

/** The receivers, and what each has got: whole calls, mails as they are read, and messages of the bot. */
export interface Receivers {
  hookUrl: string;
  mailHost: string;
  telegram: TelegramFake;
  calls: Call[];
  mails: string[];
  close: () => Promise<void>;
}

const portOf = (server: Pick<Server, 'address'>): number => (server.address() as AddressInfo).port;

/** Returns a mail and its parts as they are read: in transit letters are encoded, and a line may end within a secret. */
function readable(mail: string): string {
  const parts = [...mail.matchAll(/Content-Transfer-Encoding: (\S+)\r\n[^]*?\r\n\r\n([^]*?)(?=\r\n--|$)/gi)];
  const texts = parts.map(([, encoding = '', body = '']) => {
    if (/base64/i.test(encoding)) return Buffer.from(body, 'base64').toString();
    const letters = body
      .replaceAll(/=\r\n/g, '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    return Buffer.from(letters, 'latin1').toString();
  });
  return [...texts, mail, mail.replaceAll(/=?\r\n\s*/g, '')].join('\n');
}

/** A mail server that takes the right login, but for the first time: then it refuses, and repeats it. */
function mailServer(mails: string[]): SMTPServer {
  let isFirst = true;
  return new SMTPServer({
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _session, callback) => {
      const isRefused = isFirst || password !== MARKERS['password of the mail server'];
      isFirst = false;
      if (!isRefused) return callback(null, { user: username ?? '' });
      const said = Buffer.from(`\0${username}\0${password}`).toString('base64');
      return callback(Object.assign(new Error(`no ${username}:${password} ${said}`), { responseCode: 535 }));
    },
    onData: (stream, session, callback) => {
      let text = `${JSON.stringify(session.envelope)}\r\n`;
      stream.setEncoding('utf8');
      stream.on('data', (part: string) => (text += part));
      stream.on('end', () => {
        mails.push(readable(text));
        callback();
      });
    },
  });
}

/** Starts the receivers on loopback. */
export async function startReceivers(): Promise<Receivers> {
  const [calls, mails]: [Call[], string[]] = [[], []];
  const hook = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => {
      calls.push({ headers: request.headers, body });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
  const mail = mailServer(mails);
  await new Promise<void>((resolve) => mail.listen(0, '127.0.0.1', resolve));
  const telegram = await startTelegram(newTelegram(MARKERS['token of the bot'], 'marked_bot'));
  return {
    hookUrl: `http://127.0.0.1:${portOf(hook)}/told`,
    mailHost: `127.0.0.1:${portOf(mail.server)}`,
    telegram,
    calls,
    mails,
    close: async () => {
      hook.close();
      await new Promise<void>((resolve) => mail.close(() => resolve()));
      await telegram.close();
    },
  };
}
