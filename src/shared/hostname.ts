import punycode from 'punycode/punycode.js';
import { AppError } from './errors.ts';

/** Longer text is refused before its conversion, which takes quadratic time. */
export const MAX_TYPED = 1000;
const MAX_HOST = 253;
const LABEL = /^[a-z0-9-]{1,63}$/;
const NUMERIC = /^\d+$/;
// Characters of a typed name. Without this check `new URL` would read `%61` as `a` and drop tabs and line breaks.
const TYPED = /^[a-z0-9.\-\u0080-\u{10FFFF}]+$/iu;

/**
 * The one spelling of a host under which the product stores and compares it: lower case, ASCII (IDN as punycode by
 * UTS46), without scheme, trailing slash and trailing dot. Subdomains are hosts; addresses, single labels and anything
 * with a path, a port, a query or credentials are not. Hyphens may stand anywhere: such hosts exist.
 * Throws AppError `invalid`: `hostname.incorrect`, or `hostname.error` where the conversion fails.
 */
export function cleanHostname(raw: string): string {
  if (isClean(raw)) return raw;
  if (raw.length > MAX_TYPED) throw incorrect();
  const typed = raw
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/\/$/, '');
  if (!TYPED.test(typed)) throw incorrect();
  const host = toAscii(typed).replace(/\.$/, '');
  const labels = host.split('.');
  // The URL parser writes every form of an IPv4 address (0x7f.1, 2130706433) as four numbers; no zone is a number.
  const isName = labels.length > 1 && labels.every((label) => LABEL.test(label)) && !NUMERIC.test(labels.at(-1) ?? '');
  if (!isName || host.length > MAX_HOST) throw incorrect();
  if (host.includes('xn--') && !isEncoded(host)) throw new AppError('invalid', 'hostname.error');
  return host;
}

/**
 * Whether the punycode of a host is whole: it decodes to text that encodes to the same host. The URL parser of Node 20 refuses broken
 * punycode, newer ones accept it.
 */
export function isEncoded(host: string): boolean {
  try {
    return new URL(`http://${punycode.toUnicode(host)}`).hostname.replace(/\.$/, '') === host;
  } catch {
    return false;
  }
}

// Most names are clean already, by the hundred thousand: they skip the URL parser, which would return them unchanged.
// Punycode does not skip it, because it may be broken.
const CLEAN = /^(?:[a-z0-9-]{1,63}\.)+[a-z][a-z0-9-]{0,62}$/;
const isClean = (raw: string): boolean => raw.length <= MAX_HOST && CLEAN.test(raw) && !raw.includes('xn--');

const incorrect = (): AppError => new AppError('invalid', 'hostname.incorrect');

// The URL parser is the UTS46 that browsers and Node share. `punycode.toASCII` neither lower-cases nor normalises.
function toAscii(typed: string): string {
  try {
    return new URL(`http://${typed}`).hostname;
  } catch (cause) {
    throw new AppError('invalid', 'hostname.error', {}, { cause });
  }
}

/** Whether `cleanHostname` accepts the text. */
export function isHostname(raw: string): boolean {
  try {
    return cleanHostname(raw) !== '';
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

/**
 * Whether a clean host can exist as a name: none of its labels begins or ends with a hyphen, decoded or not. Hosts that break this rule stand in lists and in
 * older rows all the same.
 */
export const canExist = (host: string): boolean =>
  !EDGE.test(host) && !(host.includes('xn--') && EDGE.test(punycode.toUnicode(host)));
const EDGE = /(?:^|\.)-|-(?:\.|$)/;

/** Reads the host of a new row: as `cleanHostname`, and throws `name.hyphen` for one that cannot exist. */
export function cleanNewHostname(raw: string): string {
  const host = cleanHostname(raw);
  if (!canExist(host)) throw new AppError('invalid', 'name.hyphen');
  return host;
}

/** A pasted list: its hosts, its words that are none, and the number of repeated hosts. */
export interface ParsedHostnames {
  /** Clean, each once, in the order of the text. */
  hosts: string[];
  /** As typed. */
  invalid: string[];
  duplicates: number;
}

/** Reads hosts separated by line breaks, blanks, commas or semicolons; `#` starts a comment up to the end of its line. */
export function parseHostnames(text: string): ParsedHostnames {
  const hosts = new Set<string>();
  const invalid: string[] = [];
  let duplicates = 0;
  for (const word of text.replace(/#.*/g, '').split(/[\s,;]+/)) {
    if (word === '') continue;
    try {
      const host = cleanHostname(word);
      if (hosts.has(host)) duplicates += 1;
      hosts.add(host);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      invalid.push(word);
    }
  }
  return { hosts: [...hosts], invalid, duplicates };
}

/** Returns the form in which names are compared: lower case, punycode, without a final dot. Does not validate. */
export const asciiName = (name: string): string =>
  punycode.toASCII(name.trim().toLowerCase().normalize('NFC')).replace(/\.$/, '');
