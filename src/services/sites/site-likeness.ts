import { readHtml } from '../../lib/html.ts';
import { baseOf, hostIn, isRefresh, refreshIn, webAddress } from './page-addresses.ts';
import { sendsBackTo } from './sends-back.ts';
import { stockPageOf, type StockPage, type Likeness } from '../../shared/sites/stock-pages.ts';

/** The facts of a page by which two sites are compared. */
export interface PageFacts {
  /** Whether it could be read to its end. */
  isRead: boolean;
  title: string;
  /** The visible words, in lower case; every number is 0, because counters and dates change. */
  words: string[];
  /** The host of a canonical address, or one to which a meta refresh sends visitors: of several one that is not its own. */
  canonical: string | null;
  hasScripts: boolean;
  /** Addresses of its scripts, frames and embedded objects, without queries; every number is 0. */
  runs: string[];
  /** Addresses and contents of its tags, and its inline scripts; every number is 0. */
  loads: string[];
  stock: StockPage | null;
}

const UNSEEN = new Set(['script', 'style', 'noscript', 'template', 'svg']);
// With fewer words a page can't be attributed to a site.
const LEAST_WORDS = 20;
/** Pages whose numbers of words differ by more than this factor are different. */
export const SIZE_CLASS = 4;

/** Returns the address to which a meta refresh sends visitors; empty: none. */
const sentTo = (name: string, attributes: Record<string, string>): string =>
  isRefresh(name, attributes) ? (refreshIn(attributes['content'] ?? '')?.address ?? '') : '';

/** Returns the address that a link calls canonical; empty: none. */
function canonicalBy(name: string, { rel = '', href = '' }: Record<string, string>): string {
  return name === 'link' && rel.toLowerCase().split(/\s+/).includes('canonical') ? href.trim() : '';
}

const RUN = new Set(['script', 'iframe', 'frame', 'embed', 'object', 'base']);
// Addresses that Cloudflare adds to a page.
const OF_CDN = /^(?:https?:)?\/\/static\.cloudflareinsights\.com\/|^\/cdn-cgi\//i;

/** The address of what a tag runs or shows; empty: it does neither. */
function runBy(name: string, { src = '', data = '', href = '' }: Record<string, string>): string {
  const address = RUN.has(name) ? src || data || href : '';
  return OF_CDN.test(address) ? '' : address.replace(/[?#].*/s, '');
}

/** A text without the names of the two sites: they differ where all else is the same. */
function withoutNames(text: string, names: readonly string[]): string {
  return names.reduce((left, name) => left.replaceAll(name, ' '), text.toLowerCase());
}

/** Returns the words of a text; every number is 0. */
export const wordsIn = (text: string): string[] =>
  (text.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.replaceAll(/\p{N}+/gu, '0'));

/** Reads a page; `names` are those of the compared sites, which are left out of it. */
export function factsOf(html: string, names: readonly string[]): PageFacts {
  let [title, text, last, base, hasScripts, unseen, inTitle] = ['', '', '', '', false, 0, false];
  const [loads, runs, points]: [string[], string[], string[]] = [[], [], []];
  const isRead = readHtml(html, () => ({
    onopentag(name, attributes) {
      if (name === 'title' && title === '') inTitle = true;
      if (name === 'script') hasScripts = true;
      const { src = '', href = '', content = '' } = attributes;
      if (src + href + content !== '') loads.push(`${name} ${src} ${href} ${content}`);
      last = name;
      if (unseen <= 0) {
        if (name === 'base') base ||= href;
        points.push(sentTo(name, attributes));
        runs.push(runBy(name, attributes));
      }
      points.push(canonicalBy(name, attributes));
      if (UNSEEN.has(name)) unseen += 1;
      text += ' ';
    },
    onclosetag(name) {
      if (name === 'title') inTitle = false;
      if (UNSEEN.has(name)) unseen -= 1;
      text += ' ';
    },
    ontext(part) {
      if (inTitle) title += part;
      else if (unseen <= 0) text += part;
      else if (last === 'script') loads.push(part);
    },
  }));
  const plain = (value: string): string => value.replaceAll(/\s+/g, ' ').trim().toLowerCase();
  // A page that could not be read to its end can't be attributed to a site.
  const words = isRead ? wordsIn(withoutNames(text, names)) : [];
  const stock = stockPageOf({ title: plain(title), text: plain(text), words: words.length });
  const plainly = (addresses: string[]): string[] =>
    addresses.filter(Boolean).map((address) => wordsIn(withoutNames(address, names)).join(' '));
  const hosts = points
    .filter(Boolean)
    .flatMap((address) => webAddress(address, baseOf(base)) ?? [])
    .map(hostIn);
  return {
    isRead,
    title: withoutNames(title, names),
    words,
    canonical: hosts.find((host) => !names.includes(host)) ?? hosts[0] ?? null,
    hasScripts,
    runs: plainly(runs),
    loads: plainly(loads),
    stock,
  };
}

/** Returns the title of a page, unchanged. */
export function titleOf(html: string): string {
  let [title, isIn, isOver] = ['', false, false];
  readHtml(html, () => ({
    onopentag: (name) => (isIn = name === 'title' && !isOver),
    onclosetag: () => (isOver ||= isIn),
    ontext: (part) => {
      if (isIn && !isOver) title += part;
    },
  }));
  return title;
}

/** Counts the runs of three words in a text. A shorter text is one run. */
export function shinglesOf(words: readonly string[]): Map<string, number> {
  const size = Math.min(3, words.length);
  const counts = new Map<string, number>();
  for (let at = 0; at + size <= words.length; at += 1) {
    const shingle = words.slice(at, at + size).join(' ');
    counts.set(shingle, (counts.get(shingle) ?? 0) + 1);
  }
  return counts;
}

/** Returns how much two texts share, from 0 to 1 (Dice's coefficient over runs of three words). */
export function textLikeness(one: readonly string[], other: readonly string[]): number {
  const [left, right] = [shinglesOf(one), shinglesOf(other)];
  let [common, all] = [0, 0];
  for (const [shingle, count] of left) common += Math.min(count, right.get(shingle) ?? 0);
  for (const counts of [left, right]) for (const count of counts.values()) all += count;
  return (2 * common) / all;
}

/** Whether a page has too few words to be attributed to a site. */
export const isShell = ({ words, hasScripts }: PageFacts): boolean => words.length < (hasScripts ? LEAST_WORDS : 5);

/** Likeness below `no`: two texts are of two sites; from `yes` on: of one. */
export const SHARED = { no: 0.25, yes: 0.5 };
/** From this likeness on the titles may differ. */
export const SAME_TEXT = 0.85;

function sameTitle(one: PageFacts, other: PageFacts): boolean {
  const left = new Set(wordsIn(one.title));
  const right = new Set(wordsIn(other.title));
  const common = [...left].filter((word) => right.has(word)).length;
  return left.size + right.size === 0 || (2 * common) / (left.size + right.size) >= 0.5;
}

/** The page of a site, and its name; without `html` it could not be read. */
interface Site {
  html: string | null;
  domain: string;
}

/**
 * Judges whether the page of a reserve shows the site of the source, by title, text, size and the host of its canonical
 * address. `stock` is never a site, or sends its visitors back to the source; a person decides about `unclear` and
 * `different`.
 */
export function likenessOf(source: Site, reserve: Site & { html: string }): Likeness {
  const back = sendsBackTo(source.domain, reserve.html);
  if (back === 'surely') return { verdict: 'stock', why: 'sends_back', score: null };
  const likeness = comparedWith(source, reserve);
  return back !== null && likeness.verdict === 'like'
    ? { ...likeness, verdict: 'unclear', why: 'sends_back' }
    : likeness;
}

function comparedWith(source: Site, reserve: Site & { html: string }): Likeness {
  const names = [source.domain, reserve.domain];
  // The longer one first: it may end in the other.
  names.sort((one, other) => other.length - one.length);
  const to = factsOf(reserve.html, names);
  const judged = (verdict: Likeness['verdict'], why: Likeness['why'], score: number | null = null): Likeness => ({
    verdict,
    why,
    score: score === null ? null : Math.round(score * 100) / 100,
  });
  if (to.stock === 'challenge' || to.stock === 'failing') return judged('unclear', to.stock);
  if (to.stock) return judged('stock', to.stock);
  if (source.html === null) return judged('unclear', 'no_source');
  const from = factsOf(source.html, names);
  // A stock page of the source says nothing about its site.
  if (from.stock) return judged('unclear', 'no_source');
  if (to.canonical !== null && !names.includes(to.canonical)) return judged('different', 'canonical');
  if (isShell(from) || isShell(to)) return judged('unclear', 'empty');
  const lengths = [from.words.length, to.words.length];
  if (Math.max(...lengths) > SIZE_CLASS * Math.min(...lengths)) return judged('different', 'size');
  const score = textLikeness(from.words, to.words);
  if (score < SHARED.no) return judged('different', 'text', score);
  if (score < SHARED.yes) return judged('unclear', 'text', score);
  return score >= SAME_TEXT || sameTitle(from, to) ? judged('like', 'text', score) : judged('unclear', 'title', score);
}
