import { LISTED } from './index-layout.ts';
import { decode } from './names.ts';

/** Receives the findings of a reader. */
export interface Findings {
  /** Takes the name in `bytes[start, end)`; it may have blanks around it and a leading `*.`. */
  take: (bytes: Uint8Array, start: number, end: number, listed: number) => void;
  /** Takes a block of rows, for `takePlain`; false if it cannot, and each row has to be read. */
  load: (block: Uint8Array) => boolean;
  /** Takes the PlainRows of the block from `at` up to its end; returns where the first one begins that is not plain, or the end. */
  takePlain: (at: number, end: number, hasAddresses: boolean) => number;
  /** Counts a row that has no place for a name. */
  skip: () => void;
}

/** Reads one format piece by piece. */
export interface Reader {
  /**
   * Reads complete rows in `bytes` and returns the number of bytes read; the rest is passed again with more behind it. -1 if
   * the bytes are not of this format.
   */
  read(bytes: Buffer): number;
  /** Whether the file was complete, as far as the format shows it. */
  isComplete(): boolean;
}

const LINE_FEED = 0x0a;
const SPACE = 0x20;
const QUOTE = 0x22;
const HASH = 0x23;
const COMMA = 0x2c;
const SEMICOLON = 0x3b;
const BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const BRACKET_END = 0x5d;

/** Reads rows that each end in a line feed; those that are not plain by `readRow`, which returns where the next one begins. */
function rowsReader(
  { load, takePlain }: Findings,
  hasAddresses: boolean,
  readRow: (bytes: Buffer, at: number) => number,
): Reader {
  return {
    read(bytes) {
      const end = bytes.lastIndexOf(LINE_FEED) + 1;
      const isLoaded = load(bytes.subarray(0, end));
      for (let at = 0; at < end;) {
        if (isLoaded) at = takePlain(at, end, hasAddresses);
        if (at < end) at = readRow(bytes, at);
      }
      return end;
    },
    isComplete: () => true,
  };
}

/** One name a line; `#` starts a comment. The last line, too, must end in a line feed. */
export function listReader(findings: Findings): Reader {
  const readRow = (bytes: Buffer, at: number): number => {
    let i = at;
    while (bytes[i] !== LINE_FEED && bytes[i] !== HASH) i++;
    findings.take(bytes, at, i, LISTED.exact);
    while (bytes[i] !== LINE_FEED) i++;
    return i + 1;
  };
  return rowsReader(findings, false, readRow);
}

/**
 * The z-i dump: `addresses;domain;URLs;organisation;number;date`, nothing quoted. A URL may contain a semicolon, so the columns
 * after the domain can't be counted from the left; but the first byte of the URLs tells whether there are any. A row with a
 * URL lists only that URL. Shortened dumps have the first columns only. The last line must end in a line feed.
 */
export function rowReader(findings: Findings): Reader {
  const { take, skip } = findings;
  const readRow = (bytes: Buffer, at: number): number => {
    const lineEnd = bytes.indexOf(LINE_FEED, at);
    const start = cellEnd(bytes, at, lineEnd) + 1;
    if (start > lineEnd) {
      if (!/^\s*(?:Updated:|$)/.test(bytes.toString('latin1', at, lineEnd))) skip();
      return lineEnd + 1;
    }
    const nameEnd = cellEnd(bytes, start, lineEnd);
    const hasUrl = nameEnd < lineEnd && bytes[nameEnd + 1] !== SEMICOLON && bytes[nameEnd + 1]! > SPACE;
    if (nameEnd > start) take(bytes, start, nameEnd, hasUrl ? LISTED.url : LISTED.exact);
    else if (hasUrl) takeHosts(decode(bytes.subarray(nameEnd + 1, lineEnd)).split(' | '), take);
    return lineEnd + 1;
  };
  return rowsReader(findings, true, readRow);
}

function cellEnd(bytes: Uint8Array, start: number, lineEnd: number): number {
  let i = start;
  while (i < lineEnd && bytes[i] !== SEMICOLON) i++;
  return i;
}

function takeHosts(urls: string[], take: Findings['take']): void {
  for (const url of urls) {
    const host = /^\s*[a-z]+:\/\/(?:[^/@;]*@)?([^/:?#;\s]+)/i.exec(url)?.[1];
    if (host === undefined) continue;
    const bytes = Buffer.from(host);
    take(bytes, 0, bytes.length, LISTED.url);
  }
}

/** A JSON array of strings, as from rublacklist. Any other content is refused. */
export function jsonReader({ take }: Findings): Reader {
  let expected: 'array' | 'first' | 'value' | 'comma' | 'end' = 'array';
  return {
    read(bytes) {
      let at = 0;
      for (;;) {
        while (at < bytes.length && bytes[at]! <= SPACE) at++;
        if (at === bytes.length) return at;
        const byte = bytes[at];
        if (expected === 'array' && byte === BRACKET) expected = 'first';
        else if ((expected === 'first' || expected === 'comma') && byte === BRACKET_END) expected = 'end';
        else if (expected === 'comma' && byte === COMMA) expected = 'value';
        else if ((expected === 'first' || expected === 'value') && byte === QUOTE) {
          const stringEnd = endOfString(bytes, at);
          if (stringEnd < 0) return at;
          if (!takeString(bytes, at, stringEnd, take)) return -1;
          expected = 'comma';
          at = stringEnd;
        } else return -1;
        at++;
      }
    },
    isComplete: () => expected === 'end',
  };
}

function endOfString(bytes: Buffer, start: number): number {
  let i = start + 1;
  while (i < bytes.length && bytes[i] !== QUOTE) i += bytes[i] === BACKSLASH ? 2 : 1;
  return i < bytes.length ? i : -1;
}

function takeString(bytes: Buffer, start: number, end: number, take: Findings['take']): boolean {
  if (bytes.subarray(start, end).indexOf(BACKSLASH) < 0) {
    take(bytes, start + 1, end, LISTED.exact);
    return true;
  }
  try {
    const name = Buffer.from(JSON.parse(bytes.toString('utf8', start, end + 1)) as string);
    take(name, 0, name.length, LISTED.exact);
    return true;
  } catch {
    return false;
  }
}

const CONTENT = Buffer.from('<content ');
const CONTENT_END = Buffer.from('</content>');
const ROOT_ENDS = ['</reg:register>', '</register>'];

/**
 * The register's own dump (format 2.4, operators' memo 4.9): `content` elements with `blockType` and the elements `domain`,
 * `url`, `ip`. Without a `blockType` the URLs are blocked, and the domain only if there is no URL.
 */
export function xmlReader(findings: Findings): Reader {
  let closed = false;
  return {
    read(bytes) {
      let at = 0;
      for (;;) {
        const start = bytes.indexOf(CONTENT, at);
        if (start < 0) {
          closed ||= ROOT_ENDS.some((tag) => bytes.indexOf(tag, at) >= 0);
          // Keeps 16 bytes for the next call: no tag searched for is longer.
          return Math.max(at, bytes.length - 16);
        }
        const end = bytes.indexOf(CONTENT_END, start);
        if (end < 0) return start;
        takeContent(bytes.toString('latin1', start, end), findings);
        at = end + CONTENT_END.length;
      }
    },
    isComplete: () => closed,
  };
}

function takeContent(content: string, { take, skip }: Findings): void {
  const blockType = /\sblockType="([^"]*)"/.exec(content)?.[1];
  if (blockType === 'ip') return;
  const domains = elements(content, 'domain');
  const urls = blockType === undefined || blockType === 'default' ? elements(content, 'url') : [];
  if (domains.length === 0) takeHosts(urls, take);
  if (domains.length === 0 && blockType?.startsWith('domain')) skip();
  const listed = blockType === 'domain-mask' ? LISTED.mask : urls.length > 0 ? LISTED.url : LISTED.exact;
  for (const domain of domains) {
    const bytes = Buffer.from(domain, 'latin1');
    take(bytes, 0, bytes.length, listed);
  }
}

const ELEMENTS = {
  domain: /<domain(?:\s[^>]*)?>\s*(?:<!\[CDATA\[)?([^\]<]*)/g,
  url: /<url(?:\s[^>]*)?>\s*(?:<!\[CDATA\[)?([^\]<]*)/g,
};

const elements = (content: string, name: keyof typeof ELEMENTS): string[] =>
  Array.from(content.matchAll(ELEMENTS[name]), (match) => match[1] ?? '');
