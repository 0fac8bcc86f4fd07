import type { Engine } from '../../shared/engines.ts';
import { hostIn } from '../../shared/positions/places.ts';
import { ProviderError } from '../provider-error.ts';
import { defineSearchSource, type Call, type Login, type Money, type SearchPage } from '../provider.ts';
import type { TextAnswer } from '../http.ts';
import { exchangeOf, type Exchange, type Meaning, type Service } from '../registrars/exchange.ts';
import { parseSerp, type SerpAnswer } from './serp-xml.ts';

/**
 * XMLRiver: result pages of Yandex and Google as XML. The key is a part of every address by its protocol; no address comes into a
 * message. Errors come with the status 200. Facts: its pages /api/api-errors/, /apidoc/ and /apiydoc/, as clients quote them.
 */
const SERVICE: Service = {
  id: 'xmlriver',
  url: 'https://xmlriver.com',
  // Ten streams; the calls themselves are not limited, but it may refuse all for a while.
  pace: { calls: 1_000, seconds: 1, atOnce: 10, shared: true },
};
const FIELDS = { login: 'text', key: 'secret' } as const;
type Own = Login<typeof FIELDS>;

// The service's worst answer takes a minute.
const SEARCH_MS = 70_000;
const MOST_PAGE = 20_000;
const MOST_TEXT = 2_000;
const MOST_SECONDS = 3_600;
const EMPTY = '15';
const BLOCKED = '115';
const AGAIN: Meaning = ['unavailable', undefined, 5];
const BAD_QUERY: Meaning = ['refused'];
const MEANINGS: Readonly<Record<string, Meaning>> = {
  2: BAD_QUERY,
  16: BAD_QUERY,
  20: AGAIN,
  21: AGAIN,
  22: AGAIN,
  23: AGAIN,
  24: AGAIN,
  31: ['credentials'],
  42: ['credentials'],
  45: ['refused', 'address'],
  101: ['unavailable', undefined, 60],
  102: BAD_QUERY,
  103: BAD_QUERY,
  104: BAD_QUERY,
  105: BAD_QUERY,
  106: BAD_QUERY,
  107: BAD_QUERY,
  110: ['rate_limited', undefined, 3],
  111: ['rate_limited', undefined, 5],
  115: ['rate_limited', undefined, 60],
  120: BAD_QUERY,
  200: ['refused', 'no_money'],
  201: ['rate_limited', undefined, 1_200],
  202: ['unavailable', undefined, 10],
  203: ['unavailable', undefined, 10],
  500: AGAIN,
  501: AGAIN,
};
// The text of these tells the seconds.
const TIMED = new Set(['115', '203']);

const PATHS: Readonly<Record<Engine, string>> = { yandex: '/search_yandex/xml', google: '/search/xml' };
// Numbers of countries at Google: 2000 and their ISO number.
const isCountry = (region: string): boolean => /^2\d{3}$/.test(region);

/** Opens the exchange of a login: the streams of each engine are counted apart, and balances don't wait for them. */
const open = ({ login, key }: Own, call: Call, use: Engine | 'account'): Exchange =>
  exchangeOf(SERVICE, `${login} ${use}`, [key, login], call);

/** Returns the beginning of a page's text: long enough that a secret which it cuts in two is cut off in an error as well. */
const plainText = (text: string): string =>
  text
    .slice(0, MOST_PAGE)
    .replaceAll(/<[^<>]*>|\s+/g, ' ')
    .replaceAll(/ +/g, ' ')
    .slice(0, MOST_TEXT);

const secondsIn = (text: string): number | undefined => {
  const [, timed, minutes] = /(\d{1,9})\s*(?:sec|сек|s(?![a-z])|с(?![а-я])|(min|мин))/i.exec(text) ?? [];
  const number = timed ?? /(?:in|через)\s+(\d{1,9})/i.exec(text)?.[1];
  return number === undefined ? undefined : Math.min(Number(number) * (minutes ? 60 : 1), MOST_SECONDS) + 1;
};

// A service that repeats our address repeats the login and the query with it.
const OURS = /[?&](?:user|key|query)=\S*/gi;

/** Makes the error of a code. An undocumented code counts as temporary: nothing is known of it. */
function errorOf(exchange: Exchange, code: string, text: string, seconds?: number): ProviderError {
  const [kind, reason, usual] = (Object.hasOwn(MEANINGS, code) && MEANINGS[code]) || AGAIN;
  const retryAfter = seconds ?? (TIMED.has(code) ? secondsIn(text) : undefined) ?? usual;
  const told = text.slice(0, MOST_TEXT).replaceAll(OURS, '');
  const number = /^\d{1,5}$/.test(code) ? code : undefined;
  return exchange.error(kind, `${told} (${number ?? 'no code'})`, { code: number, reason, retryAfter });
}

/** Makes the error of an answer of the status 429, of which some are no XML. */
function blockedOf(exchange: Exchange, { text, headers }: TextAnswer): ProviderError {
  const after = /^\d{1,6}$/.exec(headers.get('retry-after') ?? '')?.[0];
  const seconds = after === undefined ? undefined : Math.min(Number(after), MOST_SECONDS) + 1;
  try {
    const answer = parseSerp(text);
    if ('error' in answer && answer.error.code !== EMPTY) {
      return errorOf(exchange, answer.error.code, answer.error.text, seconds);
    }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
  }
  return errorOf(exchange, BLOCKED, plainText(text), seconds);
}

/** Parses an answer. Throws the error that it holds, but for that of an empty page, and `malformed`, neither with the key. */
function readSerp(exchange: Exchange, text: string): Extract<SerpAnswer, { urls: string[] }> {
  let answer: SerpAnswer;
  try {
    answer = parseSerp(text);
  } catch (error) {
    if (error instanceof ProviderError) {
      throw exchange.error(error.kind, error.message, { unanswered: error.unanswered });
    }
    throw error;
  }
  if (!('error' in answer)) return answer;
  if (answer.error.code === EMPTY) return { urls: [], docs: 0, found: 0 };
  throw errorOf(exchange, answer.error.code, answer.error.text);
}

const addressOf = (path: string, login: Own, values: Readonly<Record<string, string>>): string =>
  `${path}?${new URLSearchParams({ user: login.login, key: login.key, ...values }).toString()}`;

/** Reads the results of a call, which is charged; an answer without results is an empty list. */
async function search(
  login: Own,
  call: Call,
  engine: Engine,
  values: Readonly<Record<string, string>>,
): Promise<Extract<SerpAnswer, { urls: string[] }>> {
  const exchange = open(login, call, engine);
  const path = addressOf(PATHS[engine], login, values);
  const answer = await exchange.send({ method: 'GET', path, pays: true, timeoutMs: SEARCH_MS, tellsWait: true });
  const { status, text } = answer;
  if (status === 429) throw blockedOf(exchange, answer);
  if (status !== 200) throw exchange.error('unavailable', `HTTP ${status}`, { status });
  return readSerp(exchange, text);
}

const REFUSED_PAGE = /authori[sz]ation (?:failed|required|error)|unauthori[sz]ed/i;

/** Reads a plain number. Any other answer is an error in XML, or a text about the login. */
async function readNumber(login: Own, call: Call, path: string): Promise<string> {
  const exchange = open(login, call, 'account');
  const answer = await exchange.send({ method: 'GET', path: addressOf(path, login, {}) });
  if (answer.status === 401 || answer.status === 403) throw exchange.error('credentials', `HTTP ${answer.status}`);
  if (answer.status !== 200) throw exchange.error('unavailable', `HTTP ${answer.status}`, { status: answer.status });
  const text = answer.text.trim().replace(/^(-?\d+),(\d+)$/, '$1.$2');
  if (/^-?\d{1,12}(?:\.\d{1,6})?$/.test(text)) return text;
  const isPage = text.startsWith('<');
  const isLogin = isPage ? REFUSED_PAGE.test(text) : /authori[sz]|key|user|ключ|пользовател/i.test(text);
  if (isPage && !isLogin) readSerp(exchange, text);
  throw exchange.error(isLogin ? 'credentials' : 'malformed', plainText(text).replaceAll(OURS, '') || 'no number');
}

const rubles = (amount: string): Money => ({ amount, currency: 'RUB' });
const PAGE = 10;

/** Returns an address as it is compared: without scheme, `www.` and the slash at its end. */
const bare = (url: string): string =>
  url
    .toLowerCase()
    .replace(/^https?:\/\/(?:www\.)?/, '')
    .replace(/\.?\/$/, '');

export const xmlriver = defineSearchSource({
  id: 'xmlriver',
  fields: FIELDS,

  async testLogin(login, call) {
    await readNumber(login, call, '/api/get_balance/');
  },
  readBalance: async (login, call) => rubles(await readNumber(login, call, '/api/get_balance/')),
  readPrice: async (login, engine, call) => rubles(await readNumber(login, call, `/api/get_cost/${engine}/`)),

  async readPage(login, { engine, keyword, region, device }, page, call): Promise<SearchPage> {
    const place = engine === 'yandex' ? 'lr' : isCountry(region) ? 'country' : 'loc';
    const number = engine === 'yandex' ? page : page + 1;
    const values = { query: keyword, page: String(number), [place]: region, device };
    const { urls, docs, found } = await search(login, call, engine, values);
    const isNothing = docs === 0 && (found ?? 0) === 0;
    if (page === 0 && urls.length === 0 && !isNothing) {
      throw open(login, call, engine).error('malformed', 'results are counted, and none is there');
    }
    // Neither alone tells: other blocks take places of a page, and the count of all results is an estimate.
    const isLast = docs < PAGE && (found === null ? docs === 0 : found <= (page + 1) * PAGE);
    return { urls, isLast };
  },

  async isIndexed(login, engine, name, call, each = (request) => request()) {
    const host = name.replace(/^www\./, '');
    const start = await each(() => search(login, call, engine, { query: `https://${name}/`, inindex: '1' }));
    if (start.urls.some((url) => bare(url) === host)) return true;
    const whole = await each(() => search(login, call, engine, { query: `site:${host}` }));
    return whole.urls.map(hostIn).some((one) => one === host || one.endsWith(`.${host}`));
  },
});
