import { isEditableType } from './dns.ts';

/** A record as read from a file, not validated. */
interface FileRecord {
  id?: unknown;
  type: unknown;
  name: unknown;
  content: unknown;
  proxied: unknown;
}

/**
 * The records of a file, and the version of the set they were read from, if the file has it. `origin`: what names without a final
 * dot lie below, with its final dot, if the file says so.
 */
export interface RecordsFile {
  dns: FileRecord[];
  version?: string;
  origin?: string;
}

const PROXIED = /\bcf[-_]proxied:true\b/;
// [TTL] [IN] TYPE CONTENT, TTL and class in either order (RFC 1035, 5.1), as Cloudflare and name servers write a zone.
const FIELDS = /^(?:(?:\d[\dsmhdw]*|IN)\s+){0,2}([A-Z][A-Z0-9]*)\s+(.+)$/i;
// The types of IANA's registry that zones have. Any other word is misspelt: a record left out because of it would stand for a deletion.
const TYPES = new Set(
  (
    'A AAAA AFSDB ALIAS ANAME APL CAA CDNSKEY CDS CERT CNAME CSYNC DHCID DNAME DNSKEY DS EUI48 EUI64 HINFO HIP HTTPS IPSECKEY KEY KX LOC MX ' +
    'NAPTR NS NSEC NSEC3 NSEC3PARAM OPENPGPKEY PTR RP RRSIG SIG SMIMEA SOA SPF SRV SSHFP SVCB TLSA TXT URI ZONEMD'
  ).split(' '),
);
const isType = (word: string): boolean => TYPES.has(word.toUpperCase()) || /^TYPE\d+$/i.test(word);
// First word of a line that takes its name from the line before: a TTL, class or type. Rarer types are more often names (`key`, `alias`).
const NO_NAME =
  /^(?:\d[\dsmhdw]*|IN|A|AAAA|CAA|CERT|CNAME|DNSKEY|DS|HTTPS|LOC|MX|NAPTR|NS|PTR|SMIMEA|SOA|SPF|SRV|SSHFP|SVCB|TLSA|TXT|URI)$/i;
const ROOT = '.';

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function fromJson(text: string): RecordsFile | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return null;
  }
  const { items, dns = items, version } = isObject(parsed) && !Array.isArray(parsed) ? parsed : { dns: parsed };
  if (!Array.isArray(dns)) return null;
  const isOther = ({ type }: Record<string, unknown>): boolean =>
    typeof type === 'string' && isType(type) && !isEditableType(type.toUpperCase());
  const records = dns.filter(isObject).filter((record) => !isOther(record));
  return {
    dns: records.map(({ id, type, name, content, proxied = id ? undefined : false }) => ({
      id,
      type,
      name,
      content,
      proxied,
    })),
    ...(typeof version === 'string' && { version }),
  };
}

/** Splits a line into text and comment; a semicolon inside quotes, or behind a backslash, is text. */
function parted(line: string): { record: string; comment: string } {
  const [record = ''] = /^(?:"(?:[^"\\]|\\.)*"|\\.|[^";])*/.exec(line) ?? [];
  return { record, comment: line.slice(record.length) };
}

/** A record or directive: several lines where parentheses join them. `line`: the number of the first one, from 1. */
interface Entry {
  line: number;
  isIndented: boolean;
  record: string;
  comment: string;
}

/** Returns the entries of a zone file (RFC 1035, 5.1), or the number of the line at which a parenthesis lacks its other half. */
function entriesOf(text: string): Entry[] | number {
  const entries: Entry[] = [];
  let depth = 0;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const { record, comment } = parted(line);
    if (depth === 0) entries.push({ line: index + 1, isIndented: /^\s/.test(line), record: '', comment: '' });
    const entry = entries.at(-1);
    if (!entry) continue;
    const flat = record.replace(/"(?:[^"\\]|\\.)*"|\\.|[()]/g, (part) => {
      if (part !== '(' && part !== ')') return part;
      depth += part === '(' ? 1 : -1;
      return ' ';
    });
    if (depth < 0) return entry.line;
    entry.record = `${entry.record} ${flat.trim()}`.trim();
    entry.comment += comment;
  }
  return depth === 0 ? entries : (entries.at(-1)?.line ?? 1);
}

/** Returns the full name of what stands in a zone file, with its final dot. */
export function placedAt(name: string, origin: string): string {
  if (name.endsWith(ROOT)) return name;
  if (name === '@') return origin;
  return origin === ROOT ? `${name}.` : `${name}.${origin}`;
}

/** The name that the records of the next lines have, and what it lies below. */
interface Place {
  /** The origin now, and the first one that is a zone's: names below that one are left as they are written. */
  origin: string | undefined;
  first: string | undefined;
  name: string | undefined;
}

/** Takes a line that begins with `$`. Returns false for one that is not understood: it may stand for more records. */
function direct(place: Place, line: string): boolean {
  const [directive = '', value] = line.split(/\s+/);
  if (directive.toUpperCase() === '$TTL') return true;
  if (directive.toUpperCase() !== '$ORIGIN' || value === undefined) return false;
  place.origin = placedAt(value, place.origin ?? ROOT);
  if (place.origin !== ROOT) place.first ??= place.origin;
  return true;
}

/** Returns the fields of a line behind its name, which `place` has from then on; null: it has none. */
function fieldsOf(place: Place, record: string, isIndented: boolean): RegExpExecArray | null {
  const [, name = '', fields = ''] = /^(\S+)\s+(.*)$/.exec(record) ?? [];
  const isUnnamed = isIndented && NO_NAME.test(name);
  if (!isUnnamed) {
    const { origin, first } = place;
    place.name = origin === undefined || origin === first ? name : placedAt(name, origin);
  }
  return FIELDS.exec(isUnnamed ? record : fields);
}

/** Reads lines as in a zone file. Returns the number of the first line of what it does not understand. */
function fromLines(text: string): RecordsFile | number {
  const dns: FileRecord[] = [];
  const place: Place = { origin: undefined, first: undefined, name: undefined };
  const entries = entriesOf(text);
  if (typeof entries === 'number') return entries;
  for (const { line, isIndented, record, comment } of entries) {
    if (record === '') continue;
    if (record.startsWith('$')) {
      if (!direct(place, record)) return line;
      continue;
    }
    const [, type = '', content] = fieldsOf(place, record, isIndented) ?? [];
    if (content === undefined || place.name === undefined || !isType(type)) return line;
    // An indented `ns A 192.0.2.1`, whose name looks like a type.
    if (isIndented && !isEditableType(type.toUpperCase()) && /^(?:A|AAAA|CNAME|TXT|URI)\s/i.test(content)) return line;
    if (isEditableType(type.toUpperCase())) {
      dns.push({ type: type.toUpperCase(), name: place.name, content, proxied: PROXIED.test(comment) });
    }
  }
  return { dns, ...(place.first !== undefined && { origin: place.first }) };
}

const read = (text: string): RecordsFile | number | null => {
  const records = text.replace(/^\uFEFF/, '');
  return /^\s*[[{]/.test(records) ? fromJson(records) : fromLines(records);
};

/**
 * Reads the records of a zone: JSON as `dns list --json` prints it, a list of records, or lines as in a zone file
 * (`www 300 IN A 192.0.2.1 ; cf-proxied:true`). Types that cannot be edited are left out, those that do not exist are not. Null if it is
 * none of them, or has a line that stands for others or is not understood.
 */
export function readRecords(text: string): RecordsFile | null {
  const found = read(text);
  return typeof found === 'number' ? null : found;
}

/** Returns the number of the line at which the record begins that `readRecords` does not understand; null: the text has no lines of its own. */
export function unreadLine(text: string): number | null {
  const found = read(text);
  return typeof found === 'number' ? found : null;
}
