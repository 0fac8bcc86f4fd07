import { isIPv4, isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';
import { refuse } from './reply.ts';
import type { DnsRecord, Zone } from './state.ts';

/** The body of a write: a whole record, or the fields that were sent. */
export interface RecordBody {
  type: string;
  name: string;
  content?: string | undefined;
  data?: Record<string, unknown> | undefined;
  priority?: number | undefined;
  proxied?: boolean | undefined;
  ttl?: number | undefined;
  comment?: string | null | undefined;
  tags?: string[] | undefined;
  settings?: Record<string, unknown> | undefined;
}

const PROXIABLE = ['A', 'AAAA', 'CNAME'];
const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;
const AUTOMATIC_TTL = 1;

// Types whose content is built from `data`, with the fields in the order of a zone file.
const DATA: Record<string, readonly string[]> = {
  URI: ['weight', 'target'],
  SRV: ['weight', 'port', 'target'],
  CAA: ['flags', 'tag', 'value'],
  HTTPS: ['priority', 'target', 'value'],
  SVCB: ['priority', 'target', 'value'],
  TLSA: ['usage', 'selector', 'matching_type', 'certificate'],
  SSHFP: ['algorithm', 'type', 'fingerprint'],
  DS: ['key_tag', 'algorithm', 'digest_type', 'digest'],
  NAPTR: ['order', 'preference', 'flags', 'service', 'regex', 'replacement'],
};
const QUOTED: Record<string, readonly string[]> = {
  URI: ['target'],
  CAA: ['value'],
  NAPTR: ['flags', 'service', 'regex'],
};
const TYPES = new Set([...PROXIABLE, 'TXT', 'MX', 'NS', 'PTR', ...Object.keys(DATA)]);

const invalid = (code: number, message: string): never => refuse(400, 1004, 'DNS Validation Error', [[code, message]]);

const isHost = (text: string): boolean =>
  text.length <= 253 && text.split('.').every((label) => LABEL.test(label)) && text.includes('.');

/** Returns the stored form of a name: full, in punycode. `@` and the bare zone are the apex; the zone is appended to other names. */
export function fullName(name: string, zone: string): string {
  const text = name.trim().toLowerCase().replace(/\.$/, '');
  const ascii = /[^ -~]/.test(text) ? domainToASCII(text) : text;
  if (ascii === '@' || ascii === zone) return zone;
  const full = ascii.endsWith(`.${zone}`) ? ascii : `${ascii}.${zone}`;
  if (ascii === '' || !isHost(full.replace(/^\*\./, ''))) invalid(9000, 'DNS name is invalid.');
  return full;
}

/** Decodes the bytes of a TXT, which is plain text or quoted strings with escapes. */
function txtBytes(text: string): Buffer {
  const strings = text.startsWith('"') ? text.match(/"(?:[^"\\]|\\.)*"/gs) : null;
  if (!strings) return Buffer.from(text);
  const parts = strings.flatMap((string) => string.slice(1, -1).match(/\\\d{3}|\\.|[^\\]/gsu) ?? []);
  return Buffer.concat(
    parts.map((part) =>
      /^\\\d/.test(part) ? Buffer.from([Number(part.slice(1))]) : Buffer.from(part.replace(/^\\/, '')),
    ),
  );
}

/** Formats a TXT as the API returns it: quoted strings of 255 bytes, with decimal escapes for other than printable ASCII. */
export function txtOf(text: string): string {
  const bytes = [...txtBytes(text)];
  const shown = (byte: number): string => {
    if (byte < 32 || byte > 126) return `\\${String(byte).padStart(3, '0')}`;
    const letter = String.fromCodePoint(byte);
    return letter === '"' || letter === '\\' ? `\\${letter}` : letter;
  };
  const count = Math.max(1, Math.ceil(bytes.length / 255));
  return Array.from({ length: count }, (_, index) => {
    return `"${bytes
      .slice(index * 255, (index + 1) * 255)
      .map(shown)
      .join('')}"`;
  }).join(' ');
}

function fromData(type: string, data: Record<string, unknown> | undefined): string {
  const fields = DATA[type] ?? [];
  const parts = fields.map((field) => {
    const value = data?.[field];
    if (value === undefined || value === '') return invalid(9101, `${field} is a required data field.`);
    if (typeof value !== 'string' && typeof value !== 'number') return invalid(9101, `${field} is not valid.`);
    return QUOTED[type]?.includes(field) ? `"${value}"` : value;
  });
  return parts.join(' ');
}

function contentOf({ type, content, data }: RecordBody): string {
  if (type in DATA) return fromData(type, data);
  const text = content?.trim() ?? '';
  if (text === '') invalid(9001, 'Content is required.');
  if (type === 'A' && !isIPv4(text)) invalid(9005, 'Content for A record must be a valid IPv4 address.');
  if (type === 'AAAA' && !isIPv6(text)) invalid(9006, 'Content for AAAA record must be a valid IPv6 address.');
  if (type === 'TXT')
    return txtBytes(text).length > 2048 ? invalid(9001, 'Content for TXT record is too long.') : txtOf(text);
  if (!['CNAME', 'MX', 'NS', 'PTR'].includes(type)) return text.toLowerCase();
  const host = text.toLowerCase().replace(/\.$/, '');
  return isHost(host) ? host : invalid(9007, `Content for ${type} record is invalid.`);
}

/** Validates a record and returns it in the form of the API. The free plan has no tags. */
export function checkRecord(
  body: RecordBody,
  zone: Pick<Zone, 'name' | 'plan'>,
): Omit<DnsRecord, 'id' | 'created_on' | 'modified_on' | 'settings' | 'meta'> {
  const { type, data, priority, proxied = false, ttl = AUTOMATIC_TTL, comment = null, tags = [] } = body;
  if (!TYPES.has(type)) invalid(9002, `Invalid type: ${type}`);
  const proxiable = PROXIABLE.includes(type);
  const needsPriority = type === 'MX' || type === 'URI';
  const name = fullName(body.name, zone.name);
  const content = contentOf(body);
  if (proxied && !proxiable) invalid(9004, 'This record type cannot be proxied.');
  if (ttl !== AUTOMATIC_TTL && (!Number.isInteger(ttl) || ttl < 60 || ttl > 86_400)) {
    invalid(9021, 'Invalid TTL. Must be between 60 and 86400 seconds, or 1 for Automatic.');
  }
  if (needsPriority && priority === undefined) invalid(9102, 'priority is a required data field.');
  if (priority !== undefined && !(Number.isInteger(priority) && priority >= 0 && priority <= 65_535)) {
    invalid(9102, 'priority must be a number between 0 and 65535.');
  }
  if ((comment?.length ?? 0) > 100) invalid(9210, 'DNS record comment is too long: 100 characters at most.');
  if (tags.length > 0 && zone.plan === 'free') invalid(9301, 'DNS record has more tags than the quota of 0.');
  if (type === 'CNAME' && content === name) invalid(9039, 'Content for CNAME record may not be the record itself.');
  return {
    type,
    name,
    content,
    ...(type in DATA && data ? { data } : {}),
    ...(needsPriority || type === 'SRV' ? { priority: priority ?? Number(data?.['priority'] ?? 0) } : {}),
    proxied,
    proxiable,
    ttl: proxied ? AUTOMATIC_TTL : ttl,
    comment,
    tags,
  };
}

/** Refuses a record that conflicts with existing ones: a duplicate, or a CNAME beside an address. */
export function refuseConflict(record: DnsRecord, others: readonly DnsRecord[]): void {
  const namesakes = others.filter((other) => other.name === record.name && other.id !== record.id);
  for (const other of namesakes) {
    if (other.type !== record.type || other.content !== record.content || other.priority !== record.priority) continue;
    const identical = other.proxied === record.proxied && other.ttl === record.ttl;
    if (identical) refuse(400, 81058, 'An identical record already exists.');
    refuse(400, 81057, 'The record already exists.');
  }
  if (!PROXIABLE.includes(record.type)) return;
  const hosts = namesakes.filter(({ type }) => PROXIABLE.includes(type));
  if (record.type === 'CNAME' && hosts.length > 0) {
    refuse(400, 81053, 'An A, AAAA, or CNAME record with that host already exists.');
  }
  if (hosts.some(({ type }) => type === 'CNAME')) refuse(400, 81054, 'A CNAME record with that host already exists.');
}
