import { registryAhead } from '../../shared/registry-day.ts';
import { ProviderError } from '../provider-error.ts';
import { timeOf } from './dates.ts';
import type { RegistryRecord } from './record.ts';

/** Reads answers of WHOIS servers: `key: value` lines, whose keys each registry names in its own way. */

// An answer may say that it is one only in these texts; each is compared in lower case at the start of a line.
const NOT_REGISTERED = [
  'no entries found',
  'no match for',
  'no data found',
  'no object found',
  'no such domain',
  'status: free',
  'status: available',
  'domain status: available',
  'the queried object does not exist',
  'this domain name has not been registered',
  'the domain has not been registered',
  '% nothing found',
  '%error:101: no entries found',
  '%error: no entries found',
  'no information available',
];
// These may begin a sentence about something else: only blanks, marks and the name itself follow them.
const NOT_REGISTERED_ALONE = ['no match', 'not found', 'domain not found', 'nothing found', 'available'];
const TOO_MANY = [
  'exceeded allowed connection rate',
  'not allowed to connect',
  'connection limit exceeded',
  'number of allowed queries exceeded',
  'rate limit exceeded',
  'query rate limit',
  'too many requests',
  'too many queries',
  'quota exceeded',
  'limit exceeded',
  'try again later',
];

const EXPIRES = [
  'registry expiry date',
  'registrar registration expiration date',
  'paid-till',
  'expiration date',
  'expiration time',
  'expiry date',
  'expires on',
  'expires at',
  'expires',
  'expire date',
  'expire',
  'expire-date',
  'exp date',
  'renewal date',
  'record expires on',
  'valid until',
  'validity',
  'registered until',
  'domain expiration date',
  '[有効期限]',
];
const REGISTRAR = ['registrar', 'sponsoring registrar', 'registrar name', 'registrar organization'];
const STATUS = ['domain status', 'status', 'state', 'eppstatus', '[状態]'];
const NAME_SERVER = [
  'nserver',
  'name server',
  'nameserver',
  'nameservers',
  'name servers',
  'dns',
  'ns',
  '[name server]',
];

interface Line {
  key: string;
  value: string;
}

// `Key: value`, `key............: value`, `[key] value`, `Record expires on value`; a value may stand on the next lines.
function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let open: string | undefined;
  for (const raw of text.split(/\r?\n/)) {
    const line = raw.trim();
    if (line === '' || /^[%#>]/.test(line)) {
      open = undefined;
      continue;
    }
    const [, bracketed, after = ''] = /^([a-z]\. )?(\[[^\]]+\])\s+(.*)$/i.exec(line)?.slice(1) ?? [];
    const [, named = '', value = ''] = /^([\p{L}\d][\p{L}\d ()/_-]{0,48}?)[\s.]*:\s*(.*)$/u.exec(line) ?? [];
    const [, expires] = /^record expires on\s+(.+)$/i.exec(line) ?? [];
    if (bracketed !== undefined) lines.push({ key: bracketed.toLowerCase(), value: after });
    else if (expires !== undefined) lines.push({ key: 'record expires on', value: expires });
    else if (named !== '') {
      open = value === '' ? named.toLowerCase() : undefined;
      lines.push({ key: named.toLowerCase(), value });
    } else if (open !== undefined) lines.push({ key: open, value: line });
  }
  return lines;
}

const valuesOf = (lines: readonly Line[], keys: readonly string[]): string[] =>
  lines.flatMap(({ key, value }) => (value !== '' && keys.includes(key) ? [value] : []));

// The first of the keys, in their order: a registry's own date stands above a registrar's.
function firstOf(lines: readonly Line[], keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const [value] = valuesOf(lines, [key]);
    if (value !== undefined) return value;
  }
  return undefined;
}

const HOST = /^(?:[a-z0-9_-]{1,63}\.)+[a-z0-9-]{2,63}$/;
const hostIn = (value: string): string[] => {
  const [host = ''] = value.toLowerCase().split(/[\s,;]+/);
  const clean = host.replace(/\.$/, '');
  return HOST.test(clean) ? [clean] : [];
};

const statusesIn = (values: readonly string[]): string[] => [
  ...new Set(
    values.flatMap((value) =>
      value
        .replaceAll(/\(?https?:\S+/g, '')
        .split(',')
        .map((word) => word.trim().replaceAll(/\s+/g, ' '))
        .filter((word) => word !== ''),
    ),
  ),
];

/** Whether a line, in lower case, says that a name is not registered. */
function saysFree(line: string, name: string): boolean {
  if (NOT_REGISTERED.some((words) => line.startsWith(words))) return true;
  return NOT_REGISTERED_ALONE.some(
    (words) => line.startsWith(words) && !/[\p{L}\d]/u.test(line.slice(words.length).replace(name, '')),
  );
}

/** Throws `malformed` where an answer says that it is about another name. */
function expectName(lines: readonly Line[], name: string, server: string): void {
  const told = firstOf(lines, ['domain', 'domain name', 'domainname']);
  const [host] = told === undefined ? [] : hostIn(told);
  if (host === undefined || host === name) return;
  throw new ProviderError('malformed', `${server}: an answer about another name`);
}

/**
 * Reads an answer about a name. Throws `rate_limited` where the server has refused to answer, and `malformed` for one that says
 * neither that the name is registered nor that it is free, or is about another name.
 */
export function readWhois(text: string, name: string, server: string): RegistryRecord {
  const plain = text.toLowerCase();
  const lines = linesOf(text);
  const name_servers = [...new Set(valuesOf(lines, NAME_SERVER).flatMap(hostIn))];
  const expires = firstOf(lines, EXPIRES);
  const isAnswer = expires !== undefined || name_servers.length > 0 || valuesOf(lines, REGISTRAR).length > 0;
  if (!isAnswer) {
    if (TOO_MANY.some((words) => plain.includes(words))) {
      throw new ProviderError('rate_limited', `${server}: too many queries`, { retryAfter: 60 });
    }
    const lineStarts = plain.split(/\r?\n/).map((line) => line.trim().replace(/^[%#>*"\s]+/, ''));
    if (lineStarts.some((line) => saysFree(line, name))) {
      return {
        state: 'free',
        expires_at: null,
        free_at: null,
        registrar: null,
        statuses: [],
        name_servers: [],
        server,
      };
    }
    throw new ProviderError('malformed', `${server}: an answer that is not documented`);
  }
  expectName(lines, name, server);
  const offset = registryAhead(name) / 60_000;
  const free = firstOf(lines, ['free-date']);
  return {
    state: 'registered',
    expires_at: expires === undefined ? null : timeOf(expires, offset),
    free_at: free === undefined ? null : timeOf(free, offset),
    registrar: firstOf(lines, REGISTRAR) ?? null,
    statuses: statusesIn(valuesOf(lines, STATUS)),
    name_servers,
    server,
  };
}

/** Returns the server that an answer of IANA or of a registry refers to; null: none. */
export function referralIn(text: string): string | null {
  const value = firstOf(linesOf(text), ['refer', 'whois', 'registrar whois server', 'whois server']);
  return value === undefined ? null : (hostIn(value)[0] ?? null);
}
