import { isEditableType } from './dns.ts';

/** A record as read from a file, not validated. */
interface FileRecord {
  id?: unknown;
  type: unknown;
  name: unknown;
  content: unknown;
  proxied: unknown;
}

/** The records of a file, and the version of the set they were read from, if the file has it. */
export interface RecordsFile {
  dns: FileRecord[];
  version?: string;
}

const PROXIED = /\bcf[-_]proxied:true\b/;
// NAME [TTL] [IN] TYPE CONTENT, as Cloudflare exports a zone.
const LINE = /^(\S+)\s+(?:\d+\s+)?(?:IN\s+)?([A-Z]+)\s+(.+?)$/i;

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

function fromLines(text: string): RecordsFile | null {
  const dns: FileRecord[] = [];
  for (const line of text.split(/\r?\n/)) {
    const { record, comment } = parted(line);
    if (record === '' || record.startsWith('$')) continue;
    const [, name, type = '', content] = LINE.exec(record) ?? [];
    if (name === undefined) return null;
    if (isEditableType(type.toUpperCase())) {
      dns.push({ type: type.toUpperCase(), name, content, proxied: PROXIED.test(comment) });
    }
  }
  return { dns };
}

/**
 * Reads the records of a zone: JSON as `dns list --json` prints it, a list of records, or lines as in a zone file
 * (`www 300 IN A 192.0.2.1 ; cf-proxied:true`). Types that cannot be edited are left out. Null if it is none of them.
 */
export function readRecords(text: string): RecordsFile | null {
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  return /^[[{]/.test(trimmed) ? fromJson(trimmed) : fromLines(trimmed);
}
