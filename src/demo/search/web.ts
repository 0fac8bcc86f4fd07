import type { Device, Engine } from '../../shared/engines.ts';
import { normalizeKeyword } from '../../shared/positions/keywords.ts';

/** A site that competes for the keywords of a topic. Days count from 1970-01-01. */
export interface WebHost {
  topic: string;
  /** The day on which it appeared; null: long ago. */
  from: number | null;
  /** The day from which visitors no longer reach it; null: they do. */
  until: number | null;
}

/** The web of a demo: the topic of keywords, by their normalized form, and its sites by host. */
export interface Web {
  topics: Record<string, string>;
  hosts: Record<string, WebHost>;
}

/** A search at an engine, from a region and a device. */
export interface WebQuery {
  engine: Engine;
  keyword: string;
  region: string;
  device: Device;
}

const DEPTH = 100;
// A site that is gone sinks by so many places a day; a new one begins so deep, and rises.
const SINKS = 6;
const BEGINS = 70;
const RISES = 2;

/** Returns a number from 0 to below 1 that belongs to texts (FNV-1a, mixed at its end). */
function chance(...of: readonly (string | number)[]): number {
  let hash = 0x81_1c_9d_c5;
  for (const letter of of.join('\n')) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01_00_01_93);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c_1b_3c_6d);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}

/** Returns a function that returns the place of a site on a day, which may be behind all that are shown. */
function placesOf(host: string, site: WebHost, { engine, keyword, region, device }: WebQuery): (day: number) => number {
  const own = [host, keyword, engine, region, device];
  const base = 1 + Math.floor(chance('base', ...own) ** 2 * 130);
  const [pace, turn] = [6 + chance('pace', ...own) * 14, chance('turn', ...own) * 6];
  return (day) => {
    const swing = Math.sin(day / pace + turn) * Math.min(8, 1 + base / 5);
    const noise = (chance('day', day, ...own) - 0.5) * Math.min(4, base / 4);
    const sunk = site.until === null ? 0 : Math.max(0, day - site.until) * SINKS;
    const young = site.from === null ? 0 : Math.max(0, BEGINS - (day - site.from) * RISES);
    return Math.max(1, Math.round(base + swing + noise + sunk + young));
  };
}

/** Whether an engine has a site in its index: a few never get there, and one that is gone falls out after three weeks. */
export function isInIndex(web: Web, engine: Engine, host: string, day: number): boolean {
  const site = web.hosts[host];
  if (!site || chance('index', engine, host) < 0.06) return false;
  if (site.from !== null && day - site.from < 3) return false;
  return site.until === null || day - site.until < 21;
}

const ROOTS = ['forum', 'wiki', 'otzyvy', 'market', 'blog', 'spravka', 'video', 'news', 'club', 'expert'];

/** Returns a function that returns the addresses of the results for a keyword on a day, from place 1, a hundred at most. The same for the same day. */
export function resultsOf(web: Web, query: WebQuery): (day: number) => string[] {
  const topic = web.topics[normalizeKeyword(query.keyword)];
  const own = Object.entries(web.hosts)
    .filter(([, site]) => site.topic === topic)
    .map(([host, site]) => ({ host, from: site.from ?? -Infinity, placeOn: placesOf(host, site, query) }));
  const slug = Math.floor(chance('page', query.keyword) * 1e6).toString(36);
  const others = Array.from({ length: DEPTH }, (_, index) => {
    const root = ROOTS[index % ROOTS.length] ?? 'site';
    return `https://${root}-${Math.floor(index / ROOTS.length) + 1}.example/${slug}`;
  });
  return (day) => {
    const slots: (string | undefined)[] = Array.from({ length: DEPTH });
    const placed = own
      .filter(({ from }) => from <= day)
      .map(({ host, placeOn }) => ({ host, place: placeOn(day) }))
      .toSorted((one, other) => one.place - other.place || (one.host < other.host ? -1 : 1));
    for (const { host, place } of placed) {
      let at = place - 1;
      while (at < DEPTH && slots[at] !== undefined) at += 1;
      const page = Math.floor(chance('page', host, query.keyword, Math.floor(day / 40)) * 4);
      if (at < DEPTH) slots[at] = page === 0 ? `https://${host}/` : `https://${host}/page-${page}/`;
    }
    return slots.map((url, index) => url ?? others[index] ?? '');
  };
}

/** Returns the addresses of the results for a keyword on one day. */
export const resultsAt = (web: Web, query: WebQuery, day: number): string[] => resultsOf(web, query)(day);
