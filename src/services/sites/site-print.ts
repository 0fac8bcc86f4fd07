import { createHash } from 'node:crypto';
import {
  factsOf,
  isShell,
  SAME_TEXT,
  SHARED,
  shinglesOf,
  SIZE_CLASS,
  wordsIn,
  type PageFacts,
} from './site-likeness.ts';

// A print has 60 bytes: kind, size, title, the host of the canonical address (of a page of few words also what it
// runs), and a sketch of the text.
const TITLE_AT = 2;
const CANONICAL_AT = 6;
const SKETCH_AT = 10;
const BUCKETS = 50;
const UNREAD = 0;
const TEXT = 1;
const SHELL = 2;
// Steps of the size for each doubling of the words.
const SIZE_STEPS = 16;
// A page of few words is recognized by its tags, one of which may hold a random value.
const SAME_SHELL = 0.75;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Returns the least hash of each bucket, in a byte; 0: the bucket is empty. Sets that share much agree in most buckets.
 */
function sketchOf(set: Iterable<string>): Uint8Array {
  const least = new Float64Array(BUCKETS).fill(Infinity);
  for (const member of set) {
    const hash = digest(member);
    const bucket = hash.readUInt32BE(0) % BUCKETS;
    least[bucket] = Math.min(least[bucket] ?? 0, hash.readUInt32BE(4));
  }
  return Uint8Array.from(least, (value) => (value === Infinity ? 0 : (value % 255) + 1));
}

/** Returns how much the sets of two sketches share (Dice's coefficient); NaN for two empty ones, which no page has. */
function sharedBy(one: Uint8Array, other: Uint8Array): number {
  const filled = [...one.keys()].filter((at) => one[at] !== 0 || other[at] !== 0);
  const common = filled.filter((at) => one[at] === other[at]).length;
  return (2 * common) / (common + filled.length);
}

const kindOf = (facts: PageFacts): number => (!facts.isRead ? UNREAD : isShell(facts) ? SHELL : TEXT);

/**
 * Returns a print (base64url) by which a page is recognized later: title, host of the canonical address, size, and a
 * sketch of the text; of a page of few words also what it runs and loads. `names` are those of its site, which may
 * differ.
 */
export function printOf(html: string, names: readonly string[]): string {
  const facts = factsOf(html, names);
  const { title, canonical, words, loads, runs } = facts;
  const kind = kindOf(facts);
  const size = Math.min(255, Math.round(Math.log2(words.length + 1) * SIZE_STEPS));
  const host = canonical === null || names.includes(canonical) ? '' : canonical;
  const place = kind === SHELL ? [host, ...new Set(runs)].toSorted().join('\n') : host;
  return Buffer.concat([
    Uint8Array.of(kind, size),
    digest(wordsIn(title).join(' ')).subarray(0, CANONICAL_AT - TITLE_AT),
    digest(place).subarray(0, SKETCH_AT - CANONICAL_AT),
    sketchOf(kind === SHELL ? [...loads, words.join(' ')] : shinglesOf(words).keys()),
  ]).toString('base64url');
}

/**
 * Whether two prints are of one page, by the thresholds of `likenessOf`. A page that could not be read equals no other.
 */
export function isSamePage(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one, 'base64url'), Buffer.from(other, 'base64url')];
  if (left.length !== SKETCH_AT + BUCKETS || left.length !== right.length) return false;
  const same = (from: number, to: number): boolean => left.subarray(from, to).equals(right.subarray(from, to));
  if (left[0] === UNREAD || !same(0, 1) || !same(CANONICAL_AT, SKETCH_AT)) return false;
  if (Math.abs(left.readUInt8(1) - right.readUInt8(1)) > Math.log2(SIZE_CLASS) * SIZE_STEPS) return false;
  const shared = sharedBy(left.subarray(SKETCH_AT), right.subarray(SKETCH_AT));
  const isTitled = same(TITLE_AT, CANONICAL_AT);
  if (left[0] === SHELL) return isTitled && shared >= SAME_SHELL;
  return shared >= SAME_TEXT || (isTitled && shared >= SHARED.yes);
}
