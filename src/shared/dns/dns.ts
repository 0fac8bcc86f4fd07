import { z } from 'zod';
import { asciiName, MAX_TYPED } from '../hostname.ts';
import { line, message } from '../text.ts';

/** The types of records that can be edited. All others are only shown. */
export const EDITABLE_TYPES = ['A', 'AAAA', 'CNAME', 'TXT', 'URI'] as const;
export type EditableType = (typeof EDITABLE_TYPES)[number];
const PROXIABLE_TYPES = new Set<string>(['A', 'AAAA', 'CNAME']);

/** Whether records of this type can be edited. */
export const isEditableType = (type: string): type is EditableType =>
  (EDITABLE_TYPES as readonly string[]).includes(type);

/** Whether the traffic of records of this type can go through the CDN. */
export const isProxiable = (type: string): boolean => PROXIABLE_TYPES.has(type);

/**
 * A record of a zone, of any type. `name` is the full name, in punycode; `ttl` is in seconds, 1 means automatic. `priority`
 * and `data` exist for the types that have them (`data` as the CDN stores it); the content of a URI is as formatUri writes it.
 */
export interface DnsRecord {
  id: string;
  type: string;
  name: string;
  content: string;
  proxied: boolean;
  ttl: number;
  priority?: number | undefined;
  data?: Record<string, unknown> | undefined;
  proxiable: boolean;
  comment: string | null;
  tags: string[];
  /** Further settings at the CDN, such as how a CNAME is flattened; absent if there are none. */
  settings?: Record<string, unknown> | undefined;
  /** The CDN manages the record for a service of its own: it can't be changed. */
  read_only?: true | undefined;
}

/** Whether a record can be edited. */
export const isEditable = ({ type, read_only }: Pick<DnsRecord, 'type' | 'read_only'>): boolean =>
  isEditableType(type) && !read_only;

/** The content of a URI record (RFC 7553). */
export interface UriContent {
  priority: number;
  weight: number;
  target: string;
}

const URI_CONTENT = /^(\d{1,5})\s+(\d{1,5})\s+(?:"([^"\s]+)"|([^"\s]+))$/;
const MAX_UINT16 = 65_535;
const MAX_TXT = 2_048;
// A byte of a text may be written as `\DDD`.
const MAX_CONTENT = 16_384;
const MAX_ID = 255;

/** Writes the content of a URI record in the order of zone files: `10 1 "https://example.com/"`. */
export const formatUri = ({ priority, weight, target }: UriContent): string => `${priority} ${weight} "${target}"`;

/** Reads what formatUri writes, quotes optional; a bare URL gets priority 10 and weight 1. Null for anything else. */
export function parseUri(content: string): UriContent | null {
  const [, priority, weight, quoted, bare] = URI_CONTENT.exec(content.trim()) ?? [];
  const target = quoted ?? bare;
  if (target !== undefined) {
    const uri = { priority: Number(priority), weight: Number(weight), target };
    return uri.priority <= MAX_UINT16 && uri.weight <= MAX_UINT16 ? uri : null;
  }
  const url = content.trim().replace(/^"(.*)"$/, '$1');
  return /["\s]/.test(url) || !URL.canParse(url) ? null : { priority: 10, weight: 1, target: url };
}

/** Returns the full name of a record: `@` is the zone itself; the zone is appended to a name that does not end in it. */
export function fullRecordName(name: string, zone: string): string {
  const ascii = asciiName(name);
  if (ascii === '@' || ascii === zone) return zone;
  return ascii.endsWith(`.${zone}`) ? ascii : `${ascii}.${zone}`;
}

/** Whether two contents of one type mean the same, however they are written. */
export const sameContent = (type: string, a: string, b: string): boolean =>
  a === b || canonicalContent(type, a) === canonicalContent(type, b);

/** Returns the form in which contents of a type are compared. */
export function canonicalContent(type: string, content: string): string {
  if (type === 'TXT') return bytesOf(content);
  if (type === 'CNAME') return targetName(content);
  if (type === 'AAAA') return compressed(content);
  const uri = type === 'URI' ? parseUri(content) : null;
  return uri === null ? content.trim() : formatUri(uri);
}

// The conversion of a long text takes quadratic time, and no name is so long.
const targetName = (content: string): string => (content.length > MAX_TYPED ? content.trim() : asciiName(content));

const QUOTED = /^"(?:[^"\\]|\\.)*"(?:\s*"(?:[^"\\]|\\.)*")*$/s;
const QUOTED_PART = /"((?:[^"\\]|\\.)*)"/gs;

const ESCAPE = /\\(\d{3})|\\(.)|([^\\]+)/gsu;
const STRING_BYTES = 255;

const utf8 = (text: string): string =>
  /^[ -~]*$/.test(text)
    ? text
    : Array.from(new TextEncoder().encode(text), (byte) => String.fromCodePoint(byte)).join('');

// A text may be quoted; a long one comes in several strings, which form one text (RFC 7208, 3.3), with bytes beyond ASCII as
// `\DDD` (RFC 1035, 5.1).
function bytesOf(text: string): string {
  const trimmed = text.trim();
  if (!QUOTED.test(trimmed)) return utf8(trimmed);
  const decoded = (part: string): string =>
    Array.from(part.matchAll(ESCAPE), ([, code, escaped, plain]) =>
      code === undefined ? utf8(escaped ?? plain ?? '') : String.fromCodePoint(Number(code) % 256),
    ).join('');
  return Array.from(trimmed.matchAll(QUOTED_PART), ([, part = '']) => decoded(part)).join('');
}

/** Writes a text as the strings of a TXT record (RFC 1035): quoted, 255 bytes each, bytes beyond ASCII as `\DDD`. */
export function quotedTxt(content: string): string {
  const bytes = bytesOf(content);
  const strings = [];
  for (let at = 0; at === 0 || at < bytes.length; at += STRING_BYTES) strings.push(bytes.slice(at, at + STRING_BYTES));
  const escaped = (text: string): string =>
    text
      .replace(/["\\]/g, String.raw`\$&`)
      .replace(/[^ -~]/g, (byte) => `\\${String(byte.codePointAt(0)).padStart(3, '0')}`);
  return strings.map((text) => `"${escaped(text)}"`).join(' ');
}

// The URL parser writes an IPv6 address in its shortest form.
function compressed(address: string): string {
  const url = `http://[${address.trim()}]/`;
  return URL.canParse(url) ? new URL(url).hostname.slice(1, -1) : address.trim();
}

const LABEL = /^[a-z0-9_-]{1,63}$/;
const isName = (name: string): boolean => name.length <= 253 && name.split('.').every((label) => LABEL.test(label));
const isRecordName = (name: string): boolean => name === '@' || name === '*' || isName(name.replace(/^\*\./, ''));
const isTarget = (name: string): boolean => isName(name) && /\.(?!\d+$)[^.]+$/.test(name);

/** The check of a content by type, and the message if it fails. */
const CONTENT_RULES: Record<EditableType, { fits: (content: string) => boolean; otherwise: string }> = {
  A: { fits: (content) => z.ipv4().safeParse(content).success, otherwise: message('dns.a_invalid') },
  AAAA: { fits: (content) => z.ipv6().safeParse(content).success, otherwise: message('dns.aaaa_invalid') },
  CNAME: { fits: (content) => isTarget(targetName(content)), otherwise: message('dns.cname_invalid') },
  TXT: { fits: (content) => bytesOf(content).length <= MAX_TXT, otherwise: message('error.too_long') },
  URI: { fits: (content) => parseUri(content) !== null, otherwise: message('dns.uri_invalid') },
};

const NO_NAME = message('dns.name_empty');
const NO_CONTENT = message('dns.content_empty');

const NewContent = line(MAX_CONTENT, NO_CONTENT).min(1, NO_CONTENT);

/** Returns the message about a content that a new record may not have; undefined for any other. */
function contentFault(type: EditableType, content: string): string | undefined {
  const { error } = NewContent.safeParse(content);
  if (error) return error.issues[0]?.message;
  const { fits, otherwise } = CONTENT_RULES[type];
  return fits(content) ? undefined : otherwise;
}

const Fields = z.object({
  id: line(MAX_ID).nullish(),
  type: z.enum(EDITABLE_TYPES),
  name: line(255, NO_NAME).min(1, NO_NAME),
  content: z.string({ error: NO_CONTENT }).trim(),
  proxied: z.boolean().optional(),
});

/** Returns a record in its stored form, with its faults. */
function checked({ id, type, content, proxied, ...record }: z.output<typeof Fields>) {
  const name = asciiName(record.name);
  const wrong = contentFault(type, content);
  const faults: Record<string, string> = {
    ...(!isRecordName(name) && { name: message('dns.name_invalid') }),
    ...(wrong !== undefined && { content: wrong }),
    ...(proxied && !isProxiable(type) && { proxied: message('dns.not_proxiable') }),
  };
  const isOdd = Object.keys(faults).length > 0;
  return {
    ...(id && { id }),
    type,
    proxied: proxied ?? (id ? undefined : false),
    name,
    content: type === 'TXT' || isOdd ? content : canonicalContent(type, content),
    ...(isOdd && { faults }),
  };
}

/**
 * A record of a set; new if it has no `id`, or an empty one. Without `proxied` a new one is not proxied, and another one stays as
 * it is. The output has names in punycode and a URI in its full form. `faults`: why the record would not be accepted as a new one;
 * they don't count for one that is in the zone as it is.
 */
export const DnsRecordInput = Fields.transform(checked);
export type GivenRecord = z.infer<typeof DnsRecordInput>;
export type DnsRecordInput = GivenRecord & { proxied: boolean };

/** A record that is new or was edited: one without faults. */
export const EditedRecord = Fields.extend({ content: NewContent })
  .transform(checked)
  .superRefine(({ faults = {} }, context) => {
    for (const [path, text] of Object.entries(faults)) {
      context.addIssue({ code: 'custom', message: text, path: [path] });
    }
  });

/** Returns a record as an input that leaves it as it is. */
export const asInput = ({ id, type, name, content, proxied }: DnsRecord): DnsRecordInput => ({
  id,
  type: type as EditableType,
  name,
  content,
  proxied,
});
