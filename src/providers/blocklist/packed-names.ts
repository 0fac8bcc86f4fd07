import { AppError } from '../../shared/errors.ts';
import { cleanHostname } from '../../shared/hostname.ts';
import { isCyrillicLabel } from './cyrillic.ts';
import { hashName } from './index-layout.ts';
import { MAX_NAME } from './names.ts';

/** Clean host names, not stored as strings: name `i` is `bytes[starts[i], ends[i])`. */
export interface PackedNames {
  bytes: Buffer;
  starts: Int32Array;
  ends: Int32Array;
  count: number;
}

const LINE_FEED = 0x0a;
const HYPHEN = 0x2d;
const DOT = 0x2e;
const MAX_LABEL = 63;
// An ASCII word without separators of names.
const WORD = /^[!-"$-+\--:<-~]{1,1000}$/;
const IS_LETTER = tableOf(/[a-z]/);
const IS_PLAIN = tableOf(/[a-z0-9-]/);

function tableOf(pattern: RegExp): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => (pattern.test(String.fromCharCode(byte)) ? 1 : 0));
}

/**
 * Returns the names of a text with one ASCII name a line, clean, each once, in order: the result of `cleanHostname` and a Set
 * of strings, in a fraction of the time. Null if the text is of another form or a line is no name: use those then. Modifies
 * `text`: names stay in place, and cleaned ones overwrite the typed ones.
 */
export function packNames(text: Buffer): PackedNames | null {
  const most = countLines(text);
  const starts = new Int32Array(most);
  const ends = new Int32Array(most);
  const names = { bytes: text, starts, ends, count: 0 };
  const slots = new Int32Array(2 ** Math.ceil(Math.log2(most * 2)));
  for (let start = 0, lineEnd = 0; start < text.length; start = lineEnd + 1) {
    const plainEnd = endOfPlain(text, start);
    lineEnd = plainEnd < 0 ? endOfLine(text, start) : plainEnd;
    if (start === lineEnd) continue;
    const end = plainEnd < 0 ? cleanInPlace(text, start, lineEnd) : plainEnd;
    if (end < 0) return null;
    starts[names.count] = start;
    ends[names.count] = end;
    if (isNew(names, slots)) names.count++;
  }
  return names;
}

function countLines(text: Buffer): number {
  let lines = 1;
  // indexOf, because a loop over the bytes would end before V8 compiled it.
  for (let at = text.indexOf(LINE_FEED); at >= 0; at = text.indexOf(LINE_FEED, at + 1)) lines++;
  return lines;
}

function endOfLine(text: Buffer, start: number): number {
  const end = text.indexOf(LINE_FEED, start);
  return end < 0 ? text.length : end;
}

/** Returns the end of the line if it is empty or a name that needs no cleaning; else -1. */
function endOfPlain(text: Uint8Array, start: number): number {
  let label = start;
  let i = start;
  let hyphens = false;
  for (; i < text.length && text[i] !== LINE_FEED; i++) {
    const byte = text[i]!;
    if (byte === DOT) {
      if (!isPlainLabel(text, label, i, hyphens)) return -1;
      label = i + 1;
      hyphens = false;
    } else if (IS_PLAIN[byte] === 0) return -1;
    else if (byte === HYPHEN && text[i + 1] === HYPHEN) hyphens = true;
  }
  if (i === start) return i;
  const isName = label > start && i - start <= MAX_NAME && isPlainLabel(text, label, i, hyphens);
  return isName && IS_LETTER[text[label]!] === 1 ? i : -1;
}

// Two hyphens may belong to punycode, which may be broken.
const isPlainLabel = (text: Uint8Array, start: number, end: number, hyphens: boolean): boolean =>
  end > start && end - start <= MAX_LABEL && (!hyphens || isCyrillicLabel(text, start, end));

// Safe in place: cleaning never makes an ASCII name longer.
function cleanInPlace(text: Buffer, start: number, end: number): number {
  const typed = text.toString('latin1', start, end);
  if (!WORD.test(typed)) return -1;
  try {
    return start + text.write(cleanHostname(typed), start, 'latin1');
  } catch (error) {
    if (error instanceof AppError) return -1;
    throw error;
  }
}

/** Whether the name after the last one differs from all before, and adds it to `slots`, a hash table of indexes counted from 1. */
function isNew({ bytes, starts, ends, count }: PackedNames, slots: Int32Array): boolean {
  const start = starts[count]!;
  const end = ends[count]!;
  let slot = hashName(bytes, start, end) & (slots.length - 1);
  for (let found = slots[slot]!; found !== 0; found = slots[slot]!) {
    const place = starts[found - 1]!;
    if (place + end - start === ends[found - 1] && isAt(bytes, place, start, end)) return false;
    slot = (slot + 1) & (slots.length - 1);
  }
  slots[slot] = count + 1;
  return true;
}

function isAt(bytes: Uint8Array, place: number, start: number, end: number): boolean {
  for (let i = start, at = place; i < end; i++, at++) if (bytes[at] !== bytes[i]) return false;
  return true;
}
