import { isSecretField } from './redact.ts';

const MASK = '********';

// A shorter secret is masked only as a whole word: by chance it may be part of many other words.
const SHORTEST = 6;
// A shorter value under a secret's name is more often a word ("none", "yes") than a secret.
const SHORTEST_LEARNED = 8;
const MOST_LEARNED = 100;
const DEEPEST = 20;

/** Masks the secrets of one account in texts of the exchange with its service. */
export interface Redactor {
  /** Masks the secrets in a text, in all encodings in which a service may repeat them. `own` are words of ours, which stay. */
  hide: (text: string, own?: readonly string[]) => string;
  /** Masks them in an error, its stack and its causes, in place; returns the error. The error `spared` is left alone. */
  hideIn: (error: unknown, own?: readonly string[], spared?: unknown) => unknown;
  /** Adds the secrets in a service's answer (JSON): the values of fields with a secret's name. */
  learn: (answer: unknown) => void;
}

// Number of bytes before the secret in a base64 group of three, and of the characters that depend on them.
const BEFORE = [
  [0, 0],
  [1, 2],
  [2, 3],
] as const;

/** Returns the base64 forms of bytes inside longer data, at each offset: without characters that depend on neighbouring bytes. */
const base64Spellings = (bytes: Buffer): string[] =>
  BEFORE.map(([offset, shared]) => {
    const whole = Math.floor(((offset + bytes.length) * 8) / 6);
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    return text.slice(shared, whole);
  });

const lowerEscapes = (url: string): string => url.replaceAll(/%[\dA-F]{2}/g, (escape) => escape.toLowerCase());
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
const asciiJson = (text: string): string =>
  inJson(text).replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
const inHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Returns the distinct encodings in which a secret may be repeated. */
function spellingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  // Via bytes, because encodeURIComponent throws on a lone surrogate.
  const url = encodeURIComponent(bytes.toString());
  const hex = bytes.toString('hex');
  // For fewer bytes nothing, or a single common letter, would remain.
  const base64 = bytes.length < 3 ? [] : base64Spellings(bytes);
  const all = [
    secret,
    inJson(secret),
    inJson(inJson(secret)),
    asciiJson(secret),
    inHtml(secret),
    inHtml(secret).replaceAll("'", '&#39;'),
    url,
    lowerEscapes(url),
    url.replaceAll('%20', '+'),
    new URLSearchParams({ '': secret }).toString().slice(1),
    hex,
    hex.toUpperCase(),
    ...base64,
    ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
  ];
  return [...new Set(all)];
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);

const LETTER = /[\p{L}\p{N}]/u;

/** Whether no letter or digit precedes `start` or follows `end`. */
const standsAlone = (text: string, start: number, end: number): boolean =>
  !LETTER.test(text.charAt(start - 1)) && !LETTER.test(text.charAt(end));

/** Finds all places of the spellings in a text, in order. */
function placesOf(text: string, spellings: readonly string[]): [start: number, end: number][] {
  const places: [number, number][] = [];
  for (const spelling of spellings) {
    for (let start = text.indexOf(spelling); start !== -1; start = text.indexOf(spelling, start + 1)) {
      const end = start + spelling.length;
      if (spelling.length >= SHORTEST || standsAlone(text, start, end)) places.push([start, end]);
    }
  }
  return places.toSorted(([a], [b]) => a - b);
}

/** Masks the spellings in a text; overlapping ones as a whole. */
function cut(text: string, spellings: readonly string[]): string {
  let clean = '';
  let at = 0;
  for (const [start, end] of placesOf(text, spellings)) {
    if (start >= at) clean += text.slice(at, start) + MASK;
    at = Math.max(at, end);
  }
  return clean + text.slice(at);
}

function secretsIn(value: unknown, found: string[], depth = 0): void {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return;
  for (const [field, part] of Object.entries(value)) {
    if (typeof part !== 'string') secretsIn(part, found, depth + 1);
    else if (part.length >= SHORTEST_LEARNED && isSecretField(field)) found.push(part);
  }
}

/**
 * Makes the redactor of one exchange: for the secrets of its account, and those learned in it. Other texts are not affected: a
 * password that equals a public name is not masked elsewhere.
 */
export function redactorOf(secrets: readonly string[]): Redactor {
  // The newest come last; the account's own secrets are never evicted.
  const learned = new Set<string>();
  let known: string[] | undefined;

  const hide: Redactor['hide'] = (text, own = []) => {
    const spellings = (known ??= [...secrets, ...learned].filter((secret) => secret !== '').flatMap(spellingsOf));
    const words = own.filter((word) => word !== '').toSorted((a, b) => b.length - a.length);
    if (words.length === 0) return cut(text, spellings);
    const parts = text.split(new RegExp(`(${words.map(escaped).join('|')})`));
    // Parts at odd indexes are our own words.
    return parts.map((part, index) => (index % 2 === 1 ? part : cut(part, spellings))).join('');
  };

  const hideIn: Redactor['hideIn'] = (error, own, spared) => {
    const seen = new Set<unknown>();
    const visit = (one: unknown): void => {
      if (!(one instanceof Error) || one === spared || seen.has(one)) return;
      seen.add(one);
      for (const field of ['message', 'stack'] as const) {
        const value = hide(one[field] ?? '', own);
        // Some of the platform's errors have getters here.
        if (value !== (one[field] ?? ''))
          Object.defineProperty(one, field, { value, configurable: true, writable: true });
      }
      visit(one.cause);
      if (one instanceof AggregateError) one.errors.forEach(visit);
    };
    visit(error);
    return error;
  };

  return {
    hide,
    hideIn,
    learn: (answer) => {
      const found: string[] = [];
      secretsIn(answer, found);
      if (found.length === 0) return;
      for (const secret of found) {
        learned.delete(secret);
        learned.add(secret);
      }
      for (const oldest of learned) {
        if (learned.size <= MOST_LEARNED) break;
        learned.delete(oldest);
      }
      known = undefined;
    },
  };
}

type Method = (...args: never[]) => Promise<unknown>;

/** Wraps the methods of an adapter so that errors they throw have no secrets. `ownIn` returns the words of a call that are ours. */
export function redacting<Adapter extends object>(
  adapter: Adapter,
  { hideIn }: Redactor,
  {
    ownIn = () => [],
    spared = () => undefined,
  }: {
    ownIn?: (args: readonly unknown[]) => string[];
    spared?: () => unknown;
  } = {},
): Adapter {
  const methods = Object.entries(adapter).map(([name, method]: [string, Method]) => [
    name,
    async (...args: never[]) => {
      try {
        return await method(...args);
      } catch (error) {
        throw hideIn(error, ownIn(args), spared());
      }
    },
  ]);
  return Object.fromEntries(methods) as Adapter;
}
