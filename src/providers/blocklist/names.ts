import { isUtf8 } from 'node:buffer';
import { domainToASCII } from 'node:url';
import { TextDecoder } from 'node:util';
import { readCyrillic } from './cyrillic.ts';
import { finishHash, HASH_PRIME, hashName } from './index-layout.ts';

/** The longest possible name, in bytes. */
export const MAX_NAME = 253;

const DOT = 0x2e;
const DIGITS = /^\d+$/;
// IPv4 or IPv6, or a network of either.
const ADDRESS = /^(?:[\d.]+|[\da-f.]*:[\da-f:.]*:[\da-f:.]*)(?:\/\d+)?$/i;
const NAME = /^(?:[a-z0-9_-]{1,63}\.)+[a-z0-9-]{1,63}$/;

const ODD = 0x100;
const DOTTED = 0x200;
// Canonical form of each byte of a plain ASCII name; ODD for all other bytes; the dot has the flag DOTTED.
const CANONICAL = new Uint16Array(256).fill(ODD);
for (const byte of Buffer.from('abcdefghijklmnopqrstuvwxyz')) CANONICAL[byte] = CANONICAL[byte - 0x20] = byte;
for (const byte of Buffer.from('0123456789_-')) CANONICAL[byte] = byte;
CANONICAL[DOT] = DOT | DOTTED;

/**
 * Returns the canonical spelling in which names are stored and looked up: punycode, lower case, without a trailing dot. Null
 * for a text that is no name of at least two labels: an address, a URL, a word.
 */
function canonicalName(text: string): string | null {
  const name = text.trim().replace(/\.$/, '').toLowerCase();
  // ASCII names are not converted: lists contain some that IDNA refuses.
  // oxlint-disable-next-line no-control-regex
  const ascii = /^[\u0000-\u007F]*$/.test(name) ? name : domainToASCII(name);
  return ascii.length <= MAX_NAME && NAME.test(ascii) && !DIGITS.test(ascii.slice(ascii.lastIndexOf('.') + 1))
    ? ascii
    : null;
}

/** The hash of the name that `readName` wrote last; computed while reading it costs almost nothing. */
export let lastHash = 0;

/**
 * Reads the name in `bytes[start, end)` (UTF-8 or windows-1251) and writes its canonical spelling to `into` from `at` on,
 * which must have room for MAX_NAME bytes. Returns its length; 0 for an IP address or a network; -1 for anything else. Sets
 * `lastHash`.
 */
export function readName(bytes: Uint8Array, start: number, end: number, into: Uint8Array, at: number): number {
  const nameEnd = bytes[end - 1] === DOT ? end - 1 : end;
  const length = nameEnd - start;
  if (length > MAX_NAME) return readOddName(bytes, start, end, into, at);
  let hash = 0;
  let found = 0;
  let doubled = 0;
  let previous = DOTTED;
  // Without a branch, which the processor would mispredict once or twice a name.
  for (let i = 0; i < length; i++) {
    const code = CANONICAL[bytes[start + i]!]!;
    found |= code;
    doubled |= code & previous;
    previous = code;
    into[at + i] = code;
    hash = (Math.imul(hash, HASH_PRIME) + (code & 0xff)) | 0;
  }
  if ((found & ODD) !== 0) return readOddName(bytes, start, end, into, at);
  if ((found & DOTTED) === 0 || ((previous | doubled) & DOTTED) !== 0) return -1;
  lastHash = finishHash(hash);
  return endsInNumber(into, at + length) ? 0 : length;
}

/**
 * Writes a name that is already in canonical spelling to `into`, and returns whether it is. If not, `readName` decides.
 */
export function copyCanonical(text: string, into: Uint8Array): boolean {
  if (text.length > MAX_NAME) return false;
  let previous = DOT;
  let dots = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 127 || (CANONICAL[code]! & ~DOTTED) !== code) return false;
    if (code === DOT) {
      if (previous === DOT) return false;
      dots++;
    }
    into[i] = code;
    previous = code;
  }
  // A name that ends in a digit may be an address.
  const endsInLetter = previous >= 0x61 && previous <= 0x7a;
  return dots > 0 && endsInLetter;
}

// No top-level domain is a number, so a name that ends in one is an IPv4 address.
function endsInNumber(bytes: Uint8Array, end: number): boolean {
  let i = end - 1;
  while (bytes[i]! >= 0x30 && bytes[i]! <= 0x39) i--;
  return bytes[i] === DOT;
}

function readOddName(bytes: Uint8Array, start: number, end: number, into: Uint8Array, at: number): number {
  // UTF-8 has up to three bytes for each character of a name.
  if (end - start > MAX_NAME * 3) return -1;
  const length = readCyrillic(bytes, start, end, into, at);
  if (length > 0 && length <= MAX_NAME) {
    lastHash = hashName(into, at, at + length);
    return length;
  }
  const text = decode(bytes.subarray(start, end));
  if (ADDRESS.test(text)) return 0;
  const name = canonicalName(text);
  if (name === null) return -1;
  for (let i = 0; i < name.length; i++) into[at + i] = name.charCodeAt(i);
  lastHash = hashName(into, at, at + name.length);
  return name.length;
}

// Created when needed: creating one takes as long as the look-up of a name.
let utf8: TextDecoder | undefined;
let cp1251: TextDecoder | undefined;

/** Decodes text of a list in either of the two encodings: Cyrillic in windows-1251 is not valid UTF-8. */
export function decode(bytes: Uint8Array): string {
  const decoder = isUtf8(bytes) ? (utf8 ??= new TextDecoder()) : (cp1251 ??= new TextDecoder('windows-1251'));
  return decoder.decode(bytes);
}
