import {
  canonicalContent,
  fullRecordName,
  isEditable,
  isProxiable,
  sameContent,
  type DnsRecord,
  type DnsRecordInput,
  type EditableType,
} from './dns.ts';

/** A record as it is to be. `ttl`, `comment`, `tags` and `settings` are those of the record it replaces. */
export interface WantedRecord {
  type: EditableType;
  name: string;
  content: string;
  proxied: boolean;
  ttl: number;
  comment: string | null;
  tags: string[];
  settings?: Record<string, unknown> | undefined;
}

/** What leads from the records of a zone to the wanted ones. Records of types that nobody edits are never in it. */
export interface DnsDiff {
  deletes: DnsRecord[];
  updates: { id: string; from: DnsRecord; to: WantedRecord }[];
  creates: WantedRecord[];
}

const AUTOMATIC = 1;

// Fewer than ten are changed at will: a small zone is easily seen whole.
const GUARDED_FROM = 10;
const GUARDED_SHARE = 0.3;

/** Why a diff is not made without being confirmed: it would leave nothing, or takes more than 30 % of ten or more away. */
export type Unsafe = 'empty' | 'many';

const wantedOf = (record: DnsRecordInput, zone: string, replaced?: DnsRecord): WantedRecord => ({
  type: record.type,
  name: fullRecordName(record.name, zone),
  content: record.content,
  proxied: isProxiable(record.type) && record.proxied,
  ttl: replaced?.ttl ?? AUTOMATIC,
  comment: replaced?.comment ?? null,
  tags: replaced?.tags ?? [],
  ...(replaced?.settings && { settings: replaced.settings }),
});

/** Whether a record says what is wanted. What goes through the CDN has its TTL from there. */
export const isAsWanted = (record: DnsRecord, wanted: WantedRecord): boolean =>
  record.type === wanted.type &&
  record.name === wanted.name &&
  record.proxied === wanted.proxied &&
  sameContent(record.type, record.content, wanted.content);

/** The ids of the wanted records that no record of the zone has. */
export function unknownIds(current: readonly DnsRecord[], wanted: readonly DnsRecordInput[]): string[] {
  const known = new Set(current.filter(isEditable).map(({ id }) => id));
  return wanted.flatMap(({ id }) => (id !== undefined && !known.has(id) ? [id] : []));
}

/** What a record says, in one spelling: no two records of a zone say the same. */
const saying = (type: string, name: string, content: string): string =>
  `${type} ${name} ${canonicalContent(type, content)}`;

/**
 * Compares the records of a zone with the whole set that is wanted: what is absent there is deleted. A wanted record is
 * found by saying the same, else by its id. Who asks for two records that change places gets what is there already: to
 * write them over, one after the other, would make them the same in between, which Cloudflare refuses. A record that
 * changes its type or its name is made anew.
 */
export function diffRecords(zone: string, current: readonly DnsRecord[], wanted: readonly DnsRecordInput[]): DnsDiff {
  const left = new Map(current.filter(isEditable).map((record) => [record.id, record]));
  const bySaying = new Map(
    [...left.values()].map((record) => [saying(record.type, record.name, record.content), record]),
  );
  const diff: DnsDiff = { deletes: [], updates: [], creates: [] };
  const open: DnsRecordInput[] = [];
  for (const input of wanted) {
    const same = bySaying.get(saying(input.type, fullRecordName(input.name, zone), input.content));
    if (!same || !left.delete(same.id)) open.push(input);
    else if (same.proxied !== (input.proxied && isProxiable(input.type))) {
      diff.updates.push({ id: same.id, from: same, to: wantedOf(input, zone, same) });
    }
  }
  for (const input of open) {
    const from = input.id === undefined ? undefined : left.get(input.id);
    const to = wantedOf(input, zone, from?.type === input.type ? from : undefined);
    if (from?.type === to.type && from.name === to.name) {
      left.delete(from.id);
      diff.updates.push({ id: from.id, from, to });
    } else diff.creates.push(to);
  }
  diff.deletes.push(...left.values());
  return diff;
}

/** Whether there is nothing to do. */
export const isEmptyDiff = ({ deletes, updates, creates }: DnsDiff): boolean =>
  deletes.length + updates.length + creates.length === 0;

/** Whether a diff needs to be confirmed by name. `current` are all records of the zone. */
export function unsafeDiff(current: readonly DnsRecord[], wanted: readonly unknown[], diff: DnsDiff): Unsafe | null {
  const editable = current.filter(isEditable).length;
  if (wanted.length === 0 && editable > 0) return 'empty';
  return editable >= GUARDED_FROM && diff.deletes.length > editable * GUARDED_SHARE ? 'many' : null;
}

/**
 * What of a diff is still to be done. A record outside of it is never touched, whoever made it. `conflict` names a record
 * that somebody has changed since the diff was made.
 */
export function remainingDiff(
  diff: DnsDiff,
  current: readonly DnsRecord[],
): { left: DnsDiff; conflict: DnsRecord | null } {
  const byId = new Map(current.map((record) => [record.id, record]));
  const left: DnsDiff = { deletes: [], updates: [], creates: [] };
  let conflict: DnsRecord | null = null;
  for (const record of diff.deletes) if (byId.has(record.id)) left.deletes.push(record);
  for (const update of diff.updates) {
    const now = byId.get(update.id);
    if (now && isAsWanted(now, update.to)) continue;
    if (!now || !isAsWanted(now, wantedFrom(update.from))) conflict ??= now ?? update.from;
    else left.updates.push(update);
  }
  const claimed = new Set<string>();
  for (const create of diff.creates) {
    const made = current.find((record) => !claimed.has(record.id) && isAsWanted(record, create));
    if (made) claimed.add(made.id);
    else left.creates.push(create);
  }
  return { left, conflict };
}

/** A record as something to be wanted. */
export const wantedFrom = ({
  type,
  name,
  content,
  proxied,
  ttl,
  comment,
  tags,
  settings,
}: DnsRecord): WantedRecord => ({
  type: type as EditableType,
  name,
  content,
  proxied,
  ttl,
  comment,
  tags,
  ...(settings && { settings }),
});

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** What of a record has to be written to make it as wanted; nothing else of it is touched. */
export function changesOf(from: DnsRecord, to: WantedRecord): Pick<WantedRecord, 'type'> & Partial<WantedRecord> {
  const { type, content, proxied, ttl, comment, tags, settings } = to;
  return {
    type,
    ...(!sameContent(type, from.content, content) && { content }),
    ...(from.proxied !== proxied && { proxied }),
    // What goes through the CDN has its TTL from there.
    ...(from.ttl !== ttl && !proxied && { ttl }),
    ...(from.comment !== comment && { comment }),
    ...(!isSame(from.tags, tags) && { tags }),
    ...(settings && !isSame(from.settings, settings) && { settings }),
  };
}

/** What an act on records leaves for an undo and for who reads it: the touched records as they were, and what became of them. */
export interface RecordsBefore {
  records: DnsRecord[];
}
export interface RecordsAfter {
  updated: { id: string; record: WantedRecord }[];
  created: WantedRecord[];
  deleted: string[];
}
