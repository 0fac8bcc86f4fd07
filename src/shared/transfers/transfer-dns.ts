import {
  asInput,
  canonicalContent,
  isEditableType,
  isProxiable,
  sameContent,
  type DnsRecord,
  type DnsRecordInput,
  type EditableType,
} from '../dns/dns.ts';

/** Two names, of one zone or two: records of the first are copied to the second. */
export interface Renaming {
  from: string;
  to: string;
}

// Proofs of ownership of a name to an outside service.
const PROOF = /^"?[\w.-]*verif(?:y|ication)[\w.-]*[=:]/i;
const CHALLENGE = /^_(?:acme-challenge|cf-custom-hostname|dnsauth)(?:\.|$)/;

const isProof = ({ type, content }: Pick<DnsRecord, 'type' | 'content'>): boolean =>
  type === 'TXT' && PROOF.test(content);

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\-]/g, String.raw`\$&`);

/**
 * Replaces one name by another in a text, wherever it stands alone or as the end of a longer name: in `x.old.com`, not in
 * `bold.com` or `old.com.br`.
 */
export function renamed(text: string, { from, to }: Renaming): string {
  const whole = new RegExp(`(?<![a-z0-9_-])${escaped(from)}(?![a-z0-9_-]|\\.[a-z0-9_])`, 'gi');
  return text.replaceAll(whole, to);
}

const standsUnder = (name: string, of: string): boolean => name === of || name.endsWith(`.${of}`);

// An address record excludes a CNAME at the same name, and an old one left beside a new one would lead some visitors elsewhere.
const groupOf = (type: string): string => (isProxiable(type) ? 'address' : type);
const placeOf = ({ type, name }: Pick<DnsRecord, 'type' | 'name'>): string => `${groupOf(type)} ${name}`;

const says = ({ type, name, content }: DnsRecordInput): string => `${type} ${name} ${canonicalContent(type, content)}`;

/** Returns the records of a zone that are copied, as they are to be at the other name. */
function copiesOf(source: readonly DnsRecord[], renaming: Renaming): DnsRecordInput[] {
  const copies = source
    .filter((record) => isEditableType(record.type) && standsUnder(record.name, renaming.from))
    .filter((record) => !isProof(record) && !CHALLENGE.test(record.name))
    .map(({ type, name, content, proxied }) => ({
      type: type as EditableType,
      name: name.slice(0, -renaming.from.length) + renaming.to,
      content: isProxiable(type) && type !== 'CNAME' ? content : renamed(content, renaming),
      proxied,
    }));
  // Records that differed in the two names only are now equal: keep one.
  return [...new Map(copies.map((copy) => [says(copy), copy])).values()];
}

/**
 * Returns the editable records that a zone is to have after the copy from another name: for names and types of the source
 * those of the source, all others stay. Proofs of ownership are neither copied nor replaced.
 */
export function copiedRecords(
  source: readonly DnsRecord[],
  current: readonly DnsRecord[],
  renaming: Renaming,
): DnsRecordInput[] {
  const copies = copiesOf(source, renaming);
  const taken = new Set(copies.map(placeOf));
  const editable = current.filter(({ type }) => isEditableType(type));
  const kept = editable.filter((record) => !taken.has(placeOf(record)) || isProof(record));
  const replaced = editable.filter((record) => !kept.includes(record));
  const open: DnsRecordInput[] = [];
  const wanted = kept.map(asInput);
  for (const copy of copies) {
    const same = replaced.findIndex(
      ({ type, name, content }) => type === copy.type && name === copy.name && sameContent(type, content, copy.content),
    );
    if (same === -1) open.push(copy);
    else wanted.push({ ...copy, id: replaced.splice(same, 1)[0]!.id });
  }
  // A copy overwrites a record of the same type and name, with its id; only surplus records are deleted.
  for (const copy of open) {
    const old = replaced.findIndex(({ type, name }) => type === copy.type && name === copy.name);
    wanted.push(old === -1 ? copy : { ...copy, id: replaced.splice(old, 1)[0]!.id });
  }
  return wanted;
}
