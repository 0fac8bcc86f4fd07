// Reads the plain rows of a blocklist, sixteen bytes at a time. AssemblyScript: `npm run wasm` compiles it to ../rows-wasm.ts.
// `plain-rows.ts` calls it, and says what it reads.

const PRIME: i32 = 0x01000193;
const MAX_NAME: usize = 253;
const PAGE: usize = 65_536;

const LINE_FEED: i32 = 0x0a;
const MASK_START: u16 = 0x2e2a; // `*.`
const HYPHEN: i8 = 0x2d;
const DOT: i8 = 0x2e;
const SLASH: i8 = 0x2f;
const SEMICOLON: i32 = 0x3b;
const UNDERSCORE: i8 = 0x5f;
const LETTER_A: i8 = 0x61;
// From the hyphen to the nine, with the slash.
const HYPHEN_TO_NINE: i8 = 13;
const LETTERS: i8 = 26;

const EXACT: i32 = 1;
const MASK: i32 = 2;
const URL: i32 = 4;
const LISTED_SHIFT: i32 = 28;

/** The most bytes that are read at once. */
export const ROOM: usize = 2 << 20;
// Each part of the memory has a page behind it: vectors reach beyond the last byte. A row has at least four bytes, so its
// hash and its place take no more room than it does.
const POWERS: usize = 4096;
/** Four numbers, to which a call adds: the bytes of the names, the rows, and those of them that are masks or listed by URLs. */
export const COUNTS: usize = 8192;
export const BYTES: usize = PAGE;
export const NAMES: usize = BYTES + ROOM + PAGE;
export const HASHES: usize = NAMES + ROOM + PAGE;
export const PLACES: usize = HASHES + ROOM + PAGE;

// The powers of the prime, falling, down to that of 0; then zeros, for the bytes behind a name.
const LAST_POWER: usize = 255;
for (let at: i32 = <i32>LAST_POWER, power: i32 = 1; at >= 0; at--, power *= PRIME)
  store<i32>(POWERS + ((<usize>at) << 2), power);

/**
 * Reads rows in `[at, end)`, which ends with a line feed, and writes their names behind those that are counted; `base` is the
 * place of the first of all. Returns where the first one begins that is not plain, or `end`.
 */
export function read(at: usize, end: usize, hasAddresses: bool, base: i32): usize {
  let to = NAMES + load<u32>(COUNTS);
  let row = load<u32>(COUNTS, 4);
  let masks: i32 = 0;
  let urls: i32 = 0;
  while (at < end) {
    let start = at;
    if (hasAddresses) {
      const semicolon = findEither(at, SEMICOLON, LINE_FEED);
      if (load<u8>(semicolon) !== SEMICOLON) break;
      start = semicolon + 1;
    }
    const isMask = i32(load<u16>(start) === MASK_START);
    start += isMask << 1;
    const length = readName(start, to + 1);
    const last = start + length;
    const after = load<u8>(last);
    // From the start, not from the name's end: so the processor need not wait for that.
    const line = find(start, LINE_FEED);
    if (length === 0) {
      // A row without a name and without URLs.
      if (!hasAddresses || isMask !== 0 || after !== SEMICOLON || load<u8>(last + 1) !== SEMICOLON) break;
    } else {
      if (after !== LINE_FEED && !(hasAddresses && after === SEMICOLON)) break;
      const next = load<u8>(last + 1);
      // Without branches: the kinds of rows follow each other at random.
      const hasUrl = i32(after === SEMICOLON) & i32(next !== SEMICOLON) & i32(next > 0x20);
      const kind = select(URL, select(MASK, EXACT, isMask), hasUrl);
      urls += hasUrl;
      masks += isMask & (hasUrl ^ 1);
      store<u8>(to, <u8>length);
      store<i32>(HASHES + (row << 2), hashOf(start, length));
      store<i32>(PLACES + (row << 2), (<i32>(to - NAMES) + base) | (kind << LISTED_SHIFT));
      row++;
      to += length + 1;
    }
    at = line + 1;
  }
  store<u32>(COUNTS, to - NAMES);
  store<u32>(COUNTS, row, 4);
  store<i32>(COUNTS, load<i32>(COUNTS, 8) + masks, 8);
  store<i32>(COUNTS, load<i32>(COUNTS, 12) + urls, 12);
  return at;
}

/** Returns where the next such byte is. */
function find(at: usize, byte: i32): usize {
  let bits = 0;
  while (bits === 0) {
    bits = i8x16.bitmask(i8x16.eq(v128.load(at), i8x16.splat(<i8>byte)));
    at += 16;
  }
  return at - 16 + ctz(bits);
}

/** Returns where the next one of two bytes is. */
function findEither(at: usize, one: i32, other: i32): usize {
  let bits = 0;
  while (bits === 0) {
    const bytes = v128.load(at);
    bits = i8x16.bitmask(v128.or(i8x16.eq(bytes, i8x16.splat(<i8>one)), i8x16.eq(bytes, i8x16.splat(<i8>other))));
    at += 16;
  }
  return at - 16 + ctz(bits);
}

/**
 * Copies the name at `start`, in lower-case ASCII, to `to`, and returns its length; 0 if it is none of at least two labels, is
 * too long, or its last label does not end with a letter (it may be an address, or end with a dot).
 */
function readName(start: usize, to: usize): usize {
  let length: usize = 0;
  let dots: i32 = 0;
  let empty: i32 = 0;
  // Whether a dot would end an empty label: 1 at the start, and after a dot.
  let carry: i32 = 1;
  let bits: i32 = 0;
  while (bits === 0 && length <= MAX_NAME) {
    const bytes = v128.load(start + length);
    v128.store(to + length, bytes);
    const isLetter = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(LETTER_A)), i8x16.splat(LETTERS));
    const isOther = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(HYPHEN)), i8x16.splat(HYPHEN_TO_NINE));
    const isPlain = v128.or(isLetter, v128.andnot(isOther, i8x16.eq(bytes, i8x16.splat(SLASH))));
    bits = ~i8x16.bitmask(v128.or(isPlain, i8x16.eq(bytes, i8x16.splat(UNDERSCORE)))) & 0xffff;
    const ofName = bits === 0 ? 0xffff : (1 << ctz(bits)) - 1;
    const found = i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(DOT))) & ofName;
    empty |= found & ((found << 1) | carry);
    dots |= found;
    carry = found >>> 15;
    length += bits === 0 ? 16 : ctz(bits);
  }
  const last = load<u8>(start + length - 1);
  const isName = dots !== 0 && empty === 0 && length <= MAX_NAME && last >= <u8>LETTER_A;
  return isName ? length : 0;
}

/** The same as `hashName` in index-layout.ts. */
function hashOf(start: usize, length: usize): i32 {
  let sums = i32x4.splat(0);
  let powers = POWERS + ((LAST_POWER + 1 - length) << 2);
  for (let at: usize = 0; at < length; at += 16, powers += 64) {
    const bytes = v128.load(start + at);
    const low = i16x8.extend_low_i8x16_u(bytes);
    const high = i16x8.extend_high_i8x16_u(bytes);
    sums = i32x4.add(sums, i32x4.mul(i32x4.extend_low_i16x8_u(low), v128.load(powers)));
    sums = i32x4.add(sums, i32x4.mul(i32x4.extend_high_i16x8_u(low), v128.load(powers, 16)));
    sums = i32x4.add(sums, i32x4.mul(i32x4.extend_low_i16x8_u(high), v128.load(powers, 32)));
    sums = i32x4.add(sums, i32x4.mul(i32x4.extend_high_i16x8_u(high), v128.load(powers, 48)));
  }
  let hash = i32x4.extract_lane(sums, 0) + i32x4.extract_lane(sums, 1);
  hash += i32x4.extract_lane(sums, 2) + i32x4.extract_lane(sums, 3);
  hash = (hash ^ (hash >>> 16)) * 0x85ebca6b;
  hash = (hash ^ (hash >>> 13)) * 0xc2b2ae35;
  return hash ^ (hash >>> 16);
}
