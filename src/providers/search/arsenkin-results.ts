import { ENGINES, type Engine } from '../../shared/engines.ts';
import { hostIn } from '../../shared/positions/places.ts';
import type { Indexed } from '../provider.ts';
import { resultUrl } from './serp-url.ts';

/**
 * Results of Arsenkin's tasks. Their form is not documented: the forms that several clients have seen are read, and any other value
 * is null, never "no".
 */

const YES = new Set(['true', '1', 'да', 'yes', '+']);
const NO = new Set(['false', '0', 'нет', 'no', '-']);
const VERDICTS = ['index', 'indexed', 'status', 'result', 'value'];
const LETTERS: Readonly<Record<Engine, string>> = { yandex: 'y', google: 'g' };

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});

function verdictOf(value: unknown): Indexed {
  const isWord = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  const word = isWord ? String(value).trim().toLowerCase() : '';
  if (YES.has(word)) return true;
  return NO.has(word) ? false : null;
}

const hostOf = (address: string): string => hostIn(address.includes('://') ? address : `https://${address}`);

/** Reads the verdicts of an engine by host, whatever form they have: a list, objects by number, or a map of addresses. */
function verdictsIn(part: unknown): Map<string, Indexed> {
  const found = new Map<string, Indexed>();
  for (const [name, value] of Object.entries(fieldsOf(part))) {
    const fields = fieldsOf(value);
    const named = typeof fields['url'] === 'string' ? fields['url'] : name;
    const field = VERDICTS.find((one) => Object.hasOwn(fields, one));
    const verdict =
      typeof value === 'object' ? (field === undefined ? null : verdictOf(fields[field])) : verdictOf(value);
    const host = hostOf(named);
    // Of two addresses of a host one that is in the index decides, and an unknown one nothing.
    const known = found.get(host);
    found.set(host, known === true || verdict === null ? (known ?? verdict) : verdict);
  }
  return found;
}

/** Returns what the engines asked say of each host, in the order of the hosts. */
export function indexedIn(
  result: unknown,
  engines: readonly Engine[],
  hosts: readonly string[],
): Record<Engine, Indexed>[] {
  const parts = fieldsOf(result);
  const verdicts = ENGINES.map((engine) => verdictsIn(engines.includes(engine) ? parts[LETTERS[engine]] : undefined));
  return hosts.map((host) => {
    const [yandex = null, google = null] = verdicts.map((by) => by.get(hostOf(host)) ?? null);
    return { yandex, google };
  });
}

/**
 * Returns the values of a list, also of one that is written as an object of numbers from 0 or 1 without a gap; null: it is neither.
 * Behind a gap each value would take the place of another.
 */
function listOf(value: unknown): unknown[] | null {
  if (Array.isArray(value)) return value;
  const names = Object.keys(fieldsOf(value));
  const first = names[0] === '1' ? 1 : 0;
  if (names.length === 0 || names.some((name, index) => name !== String(index + first))) return null;
  return Object.values(fieldsOf(value));
}

function addressIn(item: unknown): string | null {
  const text = typeof item === 'object' ? fieldsOf(item)['url'] : item;
  return typeof text === 'string' ? text : null;
}

/** Returns the addresses of a list; null for anything else, and for an empty one: whether there were no results is not known. */
function urlsOf(value: unknown): string[] | null {
  const addresses = listOf(value)?.map(addressIn) ?? [];
  if (addresses.length === 0 || addresses.includes(null)) return null;
  return addresses.map((address) => resultUrl(address ?? ''));
}

/**
 * Returns the addresses of each keyword from the lists of one engine: by engine and keyword, by keyword and engine, by keyword, or
 * by the text of a keyword. Null for a keyword whose list is not there.
 */
export function resultsIn(result: unknown, keywords: readonly string[]): (string[] | null)[] {
  const inner = fieldsOf(fieldsOf(result)['result']);
  const collect = inner['collect'] ?? fieldsOf(result)['collect'];
  const nothing = keywords.map(() => null);
  const named = Array.isArray(collect) ? {} : fieldsOf(collect);
  const outer = listOf(collect);
  // Keywords that are numbers may be names as well as places: then nothing is known.
  if (outer && keywords.some((keyword) => Object.hasOwn(named, keyword))) return nothing;
  if (!outer) return keywords.map((keyword) => (Object.hasOwn(named, keyword) ? urlsOf(named[keyword]) : null));
  const [first] = outer;
  const byEngine = outer.length === 1 ? listOf(first) : null;
  if (byEngine?.length === keywords.length && byEngine.every((one) => addressIn(one) === null))
    return byEngine.map(urlsOf);
  if (outer.length !== keywords.length) return nothing;
  return outer.map((one) => {
    const list = listOf(one) ?? [];
    return list.length === 1 && addressIn(list[0]) === null ? urlsOf(list[0]) : urlsOf(list);
  });
}
