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
// What a line begins with that has the name of the one before it.
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
  const records = dns.filter(isObject).filter(({ type }) => typeof type !== 'string' || isEditableType(type));
  return {
    dns: records.map(({ id, type, name, content, proxied = false }) => ({ id, type, name, content, proxied })),
    ...(typeof version === 'string' && { version }),
  };
}

/** Splits a line into text and comment; a semicolon inside quotes is text. */
function parted(line: string): { record: string; comment: string } {
  const [record = ''] = /^(?:"(?:[^"\\]|\\.)*"|[^";])*/.exec(line) ?? [];
  return { record: record.trim(), comment: line.slice(record.length) };
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

function fromLines(text: string): RecordsFile | null {
  const dns: FileRecord[] = [];
  const place: Place = { origin: undefined, first: undefined, name: undefined };
  for (const line of text.split(/\r?\n/)) {
    const { record, comment } = parted(line);
    if (record === '') continue;
    if (record.startsWith('$')) {
      if (!direct(place, record)) return null;
      continue;
    }
    const [, type = '', content] = fieldsOf(place, record, /^\s/.test(line)) ?? [];
    if (content === undefined || place.name === undefined) return null;
    if (isEditableType(type.toUpperCase())) {
      dns.push({ type: type.toUpperCase(), name: place.name, content, proxied: PROXIED.test(comment) });
    }
  }
  return { dns, ...(place.first !== undefined && { origin: place.first }) };
}

/**
 * Reads the records of a zone: JSON as `dns list --json` prints it, a list of records, or lines as in a zone file
 * (`www 300 IN A 192.0.2.1 ; cf-proxied:true`). Types that cannot be edited are left out. Null if it is none of them, or
 * has a line that stands for others.
 */
export function readRecords(text: string): RecordsFile | null {
  const records = text.replace(/^\uFEFF/, '');
  return /^\s*[[{]/.test(records) ? fromJson(records) : fromLines(records);
}
