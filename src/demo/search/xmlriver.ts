import { createServer, type ServerResponse } from 'node:http';
import { onLoopback } from '../loopback.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { escapeXml } from '../../providers/xml.ts';
import type { Engine } from '../../shared/engines.ts';
import { dayOf } from '../../shared/positions/places.ts';
import { isInIndex, resultsAt, type Web } from './web.ts';

/** An account: `balance` is in thousandths of a rouble. */
export interface XmlriverLogin {
  login: string;
  key: string;
  balance: number;
}

/** State of the fake: its accounts, and the web that they search. */
export interface XmlriverState {
  accounts: XmlriverLogin[];
  web: Web;
}

/**
 * A fault of the next calls that search: `code` answers with an error, `html` and `captcha` with a page, `empty` with a document
 * of no results, `body` with a text as it is, `drop` closes the connection unanswered and uncharged, `lost` after the charge,
 * `half` sends half of what was charged. `times` is how often, `every`
 * lets others pass: only each n-th call is hit; `query` hits that query alone.
 */
export interface XmlriverFault {
  kind: 'code' | 'html' | 'captcha' | 'empty' | 'drop' | 'lost' | 'half' | 'cyrillic' | 'body';
  code?: number;
  text?: string;
  /** The HTTP status of a `body`, which is sent as it is, uncharged. */
  status?: number;
  times: number;
  every?: number;
  query?: string;
}

/** A call that was answered with results, and charged. */
export interface ChargedCall {
  engine: Engine;
  query: string;
  page: number;
}

/** Options. Defaults: no latency, a free port. */
export interface XmlriverOptions {
  latencyMs?: number;
  now?: () => number;
  onChange?: () => void;
}

/** A running fake of XMLRiver. `state` and `faults` may be changed at any time. */
export interface XmlriverFake {
  url: string;
  state: XmlriverState;
  faults: XmlriverFault[];
  charged: ChargedCall[];
  /** The number of all calls, and the most at once of an account and engine. */
  calls: { all: number; most: number };
  /** Awaited before each search is answered, and charged. */
  hold?: ((query: string) => Promise<void>) | undefined;
  close: () => Promise<void>;
}

const STREAMS = 10;
const PRICE = 25;
const PAGE = 10;
const JOURNAL_LIMIT = 100_000;
const CALLS: Readonly<Record<string, Engine>> = { '/search/xml': 'google', '/search_yandex/xml': 'yandex' };

const documentOf = (content: string, encoding = 'utf-8'): string =>
  `<?xml version="1.0" encoding="${encoding}"?>\n<yandexsearch version="1.0"><response date="20260105T101500">${content}</response></yandexsearch>`;

const errorOf = (code: number, text: string): string => documentOf(`<error code="${code}">${escapeXml(text)}</error>`);

const resultsOf = (urls: readonly string[], found: number): string =>
  documentOf(
    `<found priority="all">${found}</found><results><grouping>${urls
      .map(
        (url, index) =>
          `<group id="${index + 1}"><doccount>1</doccount><doc><url>${escapeXml(url)}</url><title>Страница <hlword>слово</hlword></title><contenttype>organic</contenttype><passages/></doc></group>`,
      )
      .join('')}</grouping></results>`,
  );

// The bytes of Russian letters in windows-1251.
const cyrillic = (text: string): Buffer =>
  Buffer.from(
    Array.from(text, (letter) => {
      const code = letter.codePointAt(0) ?? 0;
      return code >= 0x04_10 && code <= 0x04_4f ? code - 0x04_10 + 0xc0 : Math.min(code, 127);
    }),
  );

const send = (response: ServerResponse, type: string, body: string | Buffer): void =>
  void response.writeHead(200, { 'content-type': type }).end(body);

/** Takes the fault that hits the next call. */
function takeFault(faults: XmlriverFault[], call: number, asked: string | null): XmlriverFault | undefined {
  const fault = faults.find(({ every = 1, query = asked }) => call % every === 0 && query === asked);
  if (!fault) return undefined;
  fault.times -= 1;
  if (fault.times <= 0) faults.splice(faults.indexOf(fault), 1);
  return fault;
}

/** Returns the document that answers a search, which was charged. */
function documentFor(web: Web, engine: Engine, query: URLSearchParams, page: number, day: number): string {
  const text = query.get('query') ?? '';
  const host = query.get('inindex') === '1' ? new URL(text).hostname : /^site:(\S+)$/.exec(text)?.[1];
  if (host !== undefined) {
    const isThere = isInIndex(web, engine, host, day);
    return isThere ? resultsOf([`https://${host}/`], 1) : errorOf(15, 'Искомая комбинация слов нигде не встречается');
  }
  const region = query.get('lr') ?? query.get('country') ?? query.get('loc') ?? '';
  const device = query.get('device') === 'mobile' ? 'mobile' : 'desktop';
  const urls = resultsAt(web, { engine, keyword: text, region, device }, day);
  return resultsOf(urls.slice(page * PAGE, (page + 1) * PAGE), urls.length);
}

/** Responds to a search, with its fault where it has one. `answer` charges: it is not called for a fault before the charge. */
function respond(response: ServerResponse, fault: XmlriverFault | undefined, answer: () => string): void {
  if (fault?.kind === 'drop') return void response.destroy();
  if (fault?.kind === 'code')
    return send(response, 'text/xml', errorOf(fault.code ?? 500, fault.text ?? 'Ошибка сети'));
  if (fault?.kind === 'body') {
    return void response.writeHead(fault.status ?? 200, { 'content-type': 'text/xml' }).end(fault.text ?? '');
  }
  if (fault?.kind === 'html')
    return send(response, 'text/html', '<!doctype html><title>502</title><h1>Bad Gateway</h1>');
  if (fault?.kind === 'captcha')
    return send(response, 'text/html', '<html><body>Captcha: you are not a robot?</body></html>');
  const body = answer();
  if (fault?.kind === 'lost') return void response.destroy();
  if (fault?.kind === 'half') return send(response, 'text/xml', body.slice(0, body.length / 2));
  if (fault?.kind === 'empty') return send(response, 'text/xml', errorOf(15, 'Ничего не найдено'));
  if (fault?.kind === 'cyrillic') {
    return send(response, 'text/xml', cyrillic(body.replace('utf-8', 'windows-1251')));
  }
  send(response, 'text/xml; charset=utf-8', body);
}

/** Starts the fake. */
export async function startXmlriver(
  state: XmlriverState,
  { latencyMs = 0, now = Date.now, onChange }: XmlriverOptions = {},
): Promise<XmlriverFake> {
  const fake: Omit<XmlriverFake, 'url' | 'close'> = { state, faults: [], charged: [], calls: { all: 0, most: 0 } };
  // Streams under way, by account and engine.
  const streams = new Map<string, number>();

  const answer = (account: XmlriverLogin, engine: Engine, query: URLSearchParams): string => {
    const text = query.get('query') ?? '';
    if (text === '') return errorOf(2, 'Задан пустой поисковый запрос');
    if (account.balance < PRICE) return errorOf(200, 'На вашем счету закончились деньги');
    account.balance -= PRICE;
    onChange?.();
    const page = Number(query.get('page') ?? (engine === 'google' ? 1 : 0)) - (engine === 'google' ? 1 : 0);
    if (fake.charged.length < JOURNAL_LIMIT) fake.charged.push({ engine, query: text, page });
    return documentFor(state.web, engine, query, page, dayOf(now()));
  };

  const server = createServer((request, response) => {
    const handle = async (): Promise<void> => {
      const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://localhost');
      fake.calls.all += 1;
      const account = state.accounts.find(({ login }) => login === query.get('user'));
      if (!account) return send(response, 'text/xml', errorOf(31, 'Пользователь не зарегистрирован'));
      if (account.key !== query.get('key')) return send(response, 'text/xml', errorOf(42, 'Ключ неверен'));
      if (pathname === '/api/get_balance/') return send(response, 'text/plain', (account.balance / 1000).toFixed(2));
      if (pathname.startsWith('/api/get_cost/')) return send(response, 'text/plain', String(PRICE));
      const engine = CALLS[pathname];
      if (!engine) return void response.writeHead(404).end();
      const stream = `${account.login} ${engine}`;
      const inFlight = streams.get(stream) ?? 0;
      if (inFlight >= STREAMS) return send(response, 'text/xml', errorOf(110, 'Нет свободных потоков'));
      streams.set(stream, inFlight + 1);
      fake.calls.most = Math.max(fake.calls.most, inFlight + 1);
      try {
        if (latencyMs > 0) await sleep(latencyMs);
        await fake.hold?.(query.get('query') ?? '');
        const fault = takeFault(fake.faults, fake.calls.all, query.get('query'));
        respond(response, fault, () => answer(account, engine, query));
      } finally {
        streams.set(stream, (streams.get(stream) ?? 1) - 1);
      }
    };
    void handle().catch(() => response.destroy());
  });
  return Object.assign(fake, await onLoopback(server));
}
