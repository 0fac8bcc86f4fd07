import { isSecretField } from './redact.ts';

const MASK = '********';

// A shorter one is cut out only where it stands as a word: it would be found in every other word by chance.
const SHORTEST = 6;
// A shorter value under a secret's name is more often a word ("none", "yes") than a secret.
const SHORTEST_LEARNED = 8;
const MOST_LEARNED = 100;
const DEEPEST = 20;

/** What cuts the secrets of one account out of what is said in the exchange with its service. */
export interface Redactor {
  /** A text without the secrets, in all the spellings in which a service may repeat them. `own` are words of ours, which stay. */
  hide: (text: string, own?: readonly string[]) => string;
  /** Hides them in an error with its stack and its causes, and returns the error. `spared` is somebody else's, and left alone. */
  hideIn: (error: unknown, own?: readonly string[], spared?: unknown) => unknown;
  /** Takes the secrets that a service has given in an answer (JSON): the values of fields that have a secret's name. */
  learn: (answer: unknown) => void;
}

// Bytes before the secret in a group of three, and characters that they have a part in.
const BEFORE = [
  [0, 0],
  [1, 2],
  [2, 3],
] as const;

/** How base64 writes the bytes wherever they stand in a longer text: what its first and last characters share is left out. */
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

/** How a secret may be written by whoever passes it on, each way once. */
function spellingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  // Of half a character nothing else can be made.
  const url = encodeURIComponent(bytes.toString());
  const hex = bytes.toString('hex');
  // Of fewer bytes base64 keeps nothing, or a letter that stands everywhere, once what it shares is left out.
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

/** Whether nothing of a word goes on before `start` or after `end`. */
const standsAlone = (text: string, start: number, end: number): boolean =>
  !LETTER.test(text.charAt(start - 1)) && !LETTER.test(text.charAt(end));

/** Where the spellings stand in a text, in order. */
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

/** A text without the spellings. Where two overlap, all that they cover is cut out. */
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
 * The redactor of one exchange: the secrets of the account that it is held with, and those that come up in it. What is said
 * elsewhere is none of its business: a password that equals a public name blanks nobody else's texts.
 */
export function redactorOf(secrets: readonly string[]): Redactor {
  // The newest at the end; the account's own are never pushed out.
  const learned = new Set<string>();
  let known: string[] | undefined;

  const hide: Redactor['hide'] = (text, own = []) => {
    const spellings = (known ??= [...secrets, ...learned].filter((secret) => secret !== '').flatMap(spellingsOf));
    const words = own.filter((word) => word !== '').toSorted((a, b) => b.length - a.length);
    if (words.length === 0) return cut(text, spellings);
    const parts = text.split(new RegExp(`(${words.map(escaped).join('|')})`));
    // Every other part is one of our words.
    return parts.map((part, index) => (index % 2 === 1 ? part : cut(part, spellings))).join('');
  };

  const hideIn: Redactor['hideIn'] = (error, own, spared) => {
    const seen = new Set<unknown>();
    const visit = (one: unknown): void => {
      if (!(one instanceof Error) || one === spared || seen.has(one)) return;
      seen.add(one);
      for (const field of ['message', 'stack'] as const) {
        const value = hide(one[field] ?? '', own);
        // Of some of the platform's errors these are getters.
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

/** The methods of an adapter, each without the secrets of the redactor in what it throws. `ownIn` says which words of a call are ours. */
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
