import { findRow } from '../../../db/rows.ts';
import { servers } from '../../shared/accounts/tables.ts';
import { addressIn } from '../../shared/dns/dns-changes.ts';
import {
  asInput,
  isEditable,
  isProxiable,
  sameContent,
  type DnsRecord,
  type DnsRecordInput,
} from '../../shared/dns/dns.ts';
import { diffRecords, type DnsDiff } from '../../shared/dns/dns-diff.ts';
import { AppError } from '../../shared/errors.ts';

const isAddress = ({ type }: DnsRecord): boolean => isProxiable(type);

/** Where a name is to lead. */
export interface Address {
  type: 'A' | 'AAAA';
  address: string;
}

/** Returns the address of a server; null: there is no such server, or its host is a name. */
export async function serverAddress(id: number | null): Promise<Address | null> {
  const server = id === null ? undefined : await findRow(servers, id);
  return server ? addressIn(server.ssh_host) : null;
}

/**
 * Returns the changes from the current records to `pointedRecords`. Throws AppError `conflict` where the CDN manages an
 * address of the name.
 */
export function pointingDiff(zone: string, name: string, address: Address, current: readonly DnsRecord[]): DnsDiff {
  const managed = current.find((record) => record.name === name && isAddress(record) && record.read_only);
  if (managed) throw new AppError('conflict', 'dns.managed', { name, content: managed.content });
  return diffRecords(zone, current, pointedRecords(zone, name, address, current));
}

/**
 * Returns the wanted records of a whole zone, in which a name points to one address through the CDN. Of the other names
 * only `www` of the zone's own name follows, where it is missing or has the same addresses as the name; the rest stays,
 * such as a mail server's address.
 */
export function pointedRecords(
  zone: string,
  name: string,
  address: Address,
  current: readonly DnsRecord[],
): DnsRecordInput[] {
  const at = (host: string): DnsRecord[] => current.filter((record) => record.name === host && isAddress(record));
  const here = at(name);
  const www = `www.${name}`;
  const follows = name === zone && followsAlong(at(www), here);
  const kept = current.filter((record) => {
    if (!isEditable(record)) return false;
    return !here.includes(record) && !(follows && at(www).includes(record));
  });
  const wanted: DnsRecordInput[] = kept.map(asInput);
  wanted.push(pointed(here, name, address));
  if (follows) wanted.push(pointed(at(www), www, address));
  return wanted;
}

/** The wanted address record. It takes the id of the record with this address, else of the first one of its type. */
function pointed(there: readonly DnsRecord[], name: string, { type, address }: Address): DnsRecordInput {
  const same = there.find((record) => record.type === type && sameContent(type, record.content, address));
  const replaced = same ?? there.find((record) => record.type === type);
  return { ...(replaced && { id: replaced.id }), type, name, content: address, proxied: true };
}

// A CNAME to the name follows by itself; a CNAME or address to elsewhere was set on purpose.
const followsAlong = (www: readonly DnsRecord[], here: readonly DnsRecord[]): boolean =>
  www.every(({ type, content }) =>
    here.some((record) => record.type === type && type !== 'CNAME' && sameContent(type, record.content, content)),
  );
