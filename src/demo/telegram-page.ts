// The page of Telegram in small: what people see of their chats with the bot, and where they write and press.
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { translate, type Language } from '../shared/i18n/index.ts';
import type { FakePerson, SentMessage, TelegramState } from './telegram-state.ts';

/** Data and actions of the page. `write` and `press` return the id of the update that the bot gets. */
export interface ChatWorld {
  state: TelegramState;
  people: readonly FakePerson[];
  write: (person: FakePerson, text: string) => number;
  press: (person: FakePerson, message: { chat_id: number; message_id: number }, data: string) => number;
}

const SHOWN = 50;
const MOST_BYTES = 16_384;
// A reply usually comes at once: the page that is shown after a press has it.
const REPLY_MS = 3_000;
const LOOK_MS = 100;
const FRESH_SECONDS = 3;

const POLICY = [
  `default-src 'none'`,
  `style-src 'unsafe-inline'`,
  `frame-src 'self'`,
  `form-action 'self'`,
  `frame-ancestors 'self'`,
  `base-uri 'none'`,
].join('; ');

const STYLE = `body{font:15px/1.45 system-ui,sans-serif;max-width:640px;margin:0 auto;padding:16px;color:#1c2127;background:#fff}
.m{background:#eef1f4;border-radius:6px;padding:8px 10px;margin:8px 0;white-space:pre-wrap;overflow-wrap:anywhere}
.own{background:#dcefe3;margin-left:20%}iframe{width:100%;height:60vh;border:1px solid #c5cbd3;border-radius:6px}
time{color:#5f6b7c;font-size:12px}form{margin:6px 0}input{font:inherit;padding:6px;width:70%}button{font:inherit;padding:6px 10px}`;

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Leaves bold and code of a message's HTML; its other tags go, its entities stay. */
const harmless = (html: string): string => html.replaceAll(/<(?!\/?(?:b|code)>)[^>]*>?/g, '');

const page = (language: Language, title: string, body: string, head = ''): string =>
  `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
  `<title>${escape(title)}</title>${head}<style>${STYLE}</style><body>${body}</body></html>`;

const nameOf = ({ first_name, username }: FakePerson): string =>
  username === undefined ? first_name : `${first_name} (@${username})`;

const time = (at: string): string => `<time>${escape(at.slice(0, 16).replace('T', ' '))} UTC</time>`;

type Button = SentMessage['buttons'][number];

function buttonOf({ chat_id, message_id }: SentMessage, { text, callback_data, url }: Button): string {
  const label = escape(text);
  if (url !== undefined)
    return /^https?:/.test(url) ? ` <a href="${escape(url)}" target="_blank" rel="noreferrer">${label}</a>` : '';
  const fields = { person: String(chat_id), message: String(message_id), data: callback_data ?? '' };
  const hidden = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escape(value)}">`,
  );
  return `<form method="post" action="/press">${hidden.join('')}<button>${label}</button></form>`;
}

/** The messages of a chat with their buttons, the newest first. */
function chatPage({ state }: ChatWorld, person: FakePerson, language: Language): string {
  const isOf = ({ chat_id }: { chat_id: number }): boolean => chat_id === person.id;
  const sent = state.sent.filter(isOf).map((message) => {
    const buttons = message.buttons.map((one) => buttonOf(message, one)).join('');
    const html = `<div class="m">${harmless(message.text)}<br>${time(message.at)}${buttons}</div>`;
    return { id: message.message_id, html };
  });
  const written = state.written.filter(isOf).map(({ message_id, text, at }) => {
    return { id: message_id, html: `<div class="m own">${escape(text)}<br>${time(at)}</div>` };
  });
  const shown = [...sent, ...written].toSorted((one, other) => other.id - one.id).slice(0, SHOWN);
  const head = `<meta http-equiv="refresh" content="${FRESH_SECONDS}; url=/chat?person=${person.id}">`;
  const lines = shown.map(({ html }) => html).join('');
  return page(language, nameOf(person), lines || escape(translate(language, 'demo.telegram_none')), head);
}

/** The page with a person's chat, its field, and the links to the other people. */
function mainPage({ state, people }: ChatWorld, person: FakePerson, language: Language): string {
  const links = people.map((one) =>
    one.id === person.id ? `<b>${escape(nameOf(one))}</b>` : `<a href="/?person=${one.id}">${escape(nameOf(one))}</a>`,
  );
  const title = translate(language, 'demo.telegram_page', { bot: state.username });
  const field = translate(language, 'demo.telegram_field');
  return page(
    language,
    title,
    `<h1>${escape(title)}</h1><p>${links.join(' · ')}</p>` +
      `<iframe src="/chat?person=${person.id}" title="${escape(nameOf(person))}"></iframe>` +
      `<form method="post" action="/write"><input type="hidden" name="person" value="${person.id}">` +
      `<input name="text" maxlength="4096" placeholder="/help" aria-label="${escape(field)}" autofocus required> ` +
      `<button>${escape(translate(language, 'demo.telegram_send'))}</button></form>`,
  );
}

/** Reads a form; null: it is too large. */
async function formOf(request: IncomingMessage): Promise<URLSearchParams | null> {
  let text = '';
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > MOST_BYTES) return null;
  }
  return new URLSearchParams(text);
}

/** Waits a moment for what the bot says to a person. */
async function reply({ state }: ChatWorld, { id }: FakePerson, act: () => number): Promise<void> {
  const count = (): number =>
    state.sent.reduce((most, one) => (one.chat_id === id ? Math.max(most, one.message_id) : most), 0);
  const before = count();
  act();
  for (let waited = 0; waited < REPLY_MS && count() === before; waited += LOOK_MS) await sleep(LOOK_MS);
}

async function post(world: ChatWorld, path: string, form: URLSearchParams): Promise<string | null> {
  const person = world.people.find(({ id }) => String(id) === form.get('person'));
  const text = form.get('text')?.trim() ?? '';
  if (person && path === '/write' && text !== '') {
    await reply(world, person, () => world.write(person, text));
    return `/?person=${person.id}`;
  }
  const message = world.state.sent.find(
    ({ chat_id, message_id }) => chat_id === person?.id && String(message_id) === form.get('message'),
  );
  const pressed = message?.buttons.find(({ callback_data }) => callback_data === form.get('data'));
  if (!person || path !== '/press' || !message || pressed?.callback_data === undefined) return null;
  const { callback_data } = pressed;
  await reply(world, person, () => world.press(person, message, callback_data));
  return `/chat?person=${person.id}`;
}

/** Answers a request of a browser. Pages of other origins can neither write nor press, nor read by a name that leads here. */
export async function answerPage(world: ChatWorld, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const own = `127.0.0.1:${request.socket.localPort}`;
  const { host, origin } = request.headers;
  const end = (status: number, body: string, headers: Record<string, string> = {}): void => {
    response
      .writeHead(status, {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': POLICY,
        'cache-control': 'no-store',
        'referrer-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        ...headers,
      })
      .end(body);
  };
  const isOwn = host === own && (origin === undefined || origin === `http://${own}`);
  if (!isOwn || (request.method === 'POST' && request.headers['sec-fetch-site'] === 'cross-site')) return end(403, '');
  const language: Language = /^\s*en/i.test(request.headers['accept-language'] ?? '') ? 'en' : 'ru';
  const { pathname, searchParams } = new URL(request.url ?? '/', `http://${own}`);
  if (request.method === 'POST') {
    const form = await formOf(request);
    const next = form && (await post(world, pathname, form));
    return next === null ? end(400, '') : end(303, '', { location: next });
  }
  request.resume();
  if (!request.complete) await once(request, 'end');
  const person = world.people.find(({ id }) => String(id) === searchParams.get('person')) ?? world.people[0];
  if (!person || !['/', '/chat'].includes(pathname)) return end(404, '');
  end(200, (pathname === '/chat' ? chatPage : mainPage)(world, person, language));
}
