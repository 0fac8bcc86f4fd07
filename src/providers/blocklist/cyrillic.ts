const DOT = 0x2e;
const HYPHEN = 0x2d;
const MAX_LABEL = 63;
const FIRST_BEYOND_ASCII = 0x80;
// Code of А in windows-1251, before Я and а–я, and code of а in Unicode.
const LETTERS = 0xc0;
const FIRST_LETTER = 0x430;
const PREFIX = Buffer.from('xn--');
const DIGITS = Buffer.from('abcdefghijklmnopqrstuvwxyz0123456789');

// The character of each byte in lower case: a Cyrillic letter, or ASCII that a host name may have; 0 for all other bytes.
const CODES = new Int32Array(256);
for (let byte = LETTERS; byte < 256; byte++) CODES[byte] = FIRST_LETTER + ((byte - LETTERS) & 31);
for (const byte of Buffer.from('abcdefghijklmnopqrstuvwxyz')) CODES[byte] = CODES[byte - 0x20] = byte;
for (const byte of Buffer.from('0123456789.-')) CODES[byte] = byte;

// A larger value decodes to none of the Cyrillic letters.
const MAX_PLACE = (FIRST_LETTER + 32) * MAX_LABEL;

const label = new Int32Array(MAX_LABEL);
const encoded = new Uint8Array(MAX_LABEL * 5);

/**
 * Writes the punycode of the Cyrillic name in `bytes[start, end)` (windows-1251) to `into` from `at` on and returns its
 * length: the result of `domainToASCII`, in a fraction of the time. Returns -1 for all other bytes, which may still be a name;
 * also for ё, because with its byte the name could be UTF-8. Bytes beyond the end of `into` are not written.
 */
export function readCyrillic(bytes: Uint8Array, start: number, end: number, into: Uint8Array, at: number): number {
  let to = at;
  for (let i = start; i <= end; i++) {
    let length = 0;
    let last = 0;
    for (; i < end && bytes[i] !== DOT; i++) {
      const code = CODES[bytes[i]!]!;
      if (code === 0 || length === MAX_LABEL) return -1;
      if (code > last) last = code;
      label[length++] = code;
    }
    const isAscii = last < FIRST_BEYOND_ASCII;
    // Not handled here: an empty label; punycode, which may be broken; an ASCII label at the end, maybe a number; a single label.
    const isPlain = length > 0 && !(length > 3 && label[2] === HYPHEN && label[3] === HYPHEN);
    if (!isPlain || (i === end && (isAscii || to === at))) return -1;
    const labelEnd = isAscii ? copyLabel(length, into, to) : encodeLabel(length, into, to);
    if (labelEnd - to > MAX_LABEL) return -1;
    into[labelEnd] = DOT;
    to = labelEnd + 1;
  }
  return to - 1 - at;
}

// copyLabel and encodeLabel write the label and return its end.
function copyLabel(length: number, into: Uint8Array, at: number): number {
  for (let i = 0; i < length; i++) into[at + i] = label[i]!;
  return at + length;
}

/**
 * Whether the lower-case label `bytes[start, end)` is punycode of the letters that `readCyrillic` takes, exactly as that writes
 * it: then it is the result of `domainToASCII`, too. False proves nothing.
 */
export function isCyrillicLabel(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = 0; i < PREFIX.length; i++) if (bytes[start + i] !== PREFIX[i]) return false;
  const length = decodeLabel(bytes, start + PREFIX.length, end);
  if (length < 0 || (length > 3 && label[2] === HYPHEN && label[3] === HYPHEN)) return false;
  if (encodeLabel(length, encoded, 0) !== end - start) return false;
  for (let i = start; i < end; i++) if (bytes[i] !== encoded[i - start]) return false;
  return true;
}

/** The decoder of RFC 3492, into `label`; returns its length, or -1 if it has other characters than our letters, or none of them. */
function decodeLabel(bytes: Uint8Array, start: number, end: number): number {
  const ascii = Math.max(bytes.lastIndexOf(HYPHEN, end - 1), start - 1);
  let length = 0;
  for (let i = start; i < ascii; i++) label[length++] = bytes[i]!;
  let [code, place, bias] = [FIRST_BEYOND_ASCII, 0, 72];
  let i = Math.max(ascii + 1, start);
  if (i >= end) return -1;
  for (; i < end; place++) {
    const before = place;
    for (let [weight, k] = [1, 36]; ; k += 36) {
      if (i === end || place > MAX_PLACE) return -1;
      const digit = DIGITS.indexOf(bytes[i++]!);
      const threshold = Math.min(Math.max(k - bias, 1), 26);
      place += digit * weight;
      if (digit < threshold) break;
      weight *= 36 - threshold;
    }
    length++;
    bias = adapt(place - before, length, before === 0);
    code += (place / length) | 0;
    place %= length;
    if (code < FIRST_LETTER || code >= FIRST_LETTER + 32 || length > MAX_LABEL) return -1;
    for (let to = length - 1; to > place; to--) label[to] = label[to - 1]!;
    label[place] = code;
  }
  return length;
}

/** The encoder of RFC 3492. */
function encodeLabel(length: number, into: Uint8Array, at: number): number {
  let to = at;
  for (const byte of PREFIX) into[to++] = byte;
  const first = to;
  for (let i = 0; i < length; i++) if (label[i]! < FIRST_BEYOND_ASCII) into[to++] = label[i]!;
  const ascii = to - first;
  if (ascii > 0) into[to++] = HYPHEN;
  let [code, delta, bias] = [FIRST_BEYOND_ASCII, 0, 72];
  for (let done = ascii; done < length; code++, delta++) {
    let next = 0x7fffffff;
    for (let i = 0; i < length; i++) if (label[i]! >= code && label[i]! < next) next = label[i]!;
    delta += (next - code) * (done + 1);
    code = next;
    for (let i = 0; i < length; i++) {
      if (label[i]! < code) delta++;
      if (label[i] !== code) continue;
      to = encodeNumber(delta, bias, into, to);
      bias = adapt(delta, done + 1, done === ascii);
      delta = 0;
      done++;
    }
  }
  return to;
}

function encodeNumber(number: number, bias: number, into: Uint8Array, at: number): number {
  let rest = number;
  let to = at;
  for (let k = 36; ; k += 36) {
    const threshold = Math.min(Math.max(k - bias, 1), 26);
    if (rest < threshold) break;
    into[to++] = DIGITS[threshold + ((rest - threshold) % (36 - threshold))]!;
    rest = ((rest - threshold) / (36 - threshold)) | 0;
  }
  into[to] = DIGITS[rest]!;
  return to + 1;
}

function adapt(delta: number, points: number, isFirst: boolean): number {
  let rest = (delta / (isFirst ? 700 : 2)) | 0;
  rest += (rest / points) | 0;
  let bias = 0;
  for (; rest > 455; bias += 36) rest = (rest / 35) | 0;
  return bias + (((36 * rest) / (rest + 38)) | 0);
}
