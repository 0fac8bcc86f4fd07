import {
  canonicalContent,
  fullRecordName,
  isEditable,
  isProxiable,
  sameContent,
  type DnsRecord,
  type DnsRecordInput,
  type EditableType,
  type GivenRecord,
} from './dns.ts';

/** A wanted record. `ttl`, `comment`, `tags` and, for one of its type, `settings` are those of the record it replaces. */
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

/** Changes from the records of a zone to the wanted ones. Records that cannot be edited are never in it. */
export interface DnsDiff {
  deletes: DnsRecord[];
  updates: { id: string; from: DnsRecord; to: WantedRecord }[];
  creates: WantedRecord[];
}

/** The TTL that the CDN chooses. */
export const AUTOMATIC = 1;

// Zones with fewer records are not guarded: they are easily seen whole.
const GUARDED_FROM = 10;
const GUARDED_SHARE = 0.3;

/** Why a diff needs confirmation: it would leave no record, or delete more than 30 % of ten or more. */
export type Unsafe = 'empty' | 'many';

const wantedOf = (record: DnsRecordInput, zone: string, replaced?: DnsRecord): WantedRecord => ({
  type: record.type,
  name: fullRecordName(record.name, zone),
  content: record.content,
  proxied: isProxiable(record.type) && record.proxied,
  ttl: replaced?.ttl ?? AUTOMATIC,
  comment: replaced?.comment ?? null,
  tags: replaced?.tags ?? [],
  ...(replaced?.settings && replaced.type === record.type && { settings: replaced.settings }),
});

/** Whether a record has the wanted type, name, content and proxying; nothing else is compared. */
export const isAsWanted = (record: DnsRecord, wanted: WantedRecord): boolean =>
  record.type === wanted.type &&
  record.name === wanted.name &&
  record.proxied === wanted.proxied &&
  sameContent(record.type, record.content, wanted.content);

/** Returns the ids of wanted records that no editable record of the zone has. */
export function unknownIds(current: readonly DnsRecord[], wanted: readonly DnsRecordInput[]): string[] {
  const known = new Set(current.filter(isEditable).map(({ id }) => id));
  return wanted.flatMap(({ id }) => (id !== undefined && !known.has(id) ? [id] : []));
}

/** Returns a wanted set of which each record says whether it is proxied. */
export function settled(current: readonly DnsRecord[], given: readonly GivenRecord[]): DnsRecordInput[] {
  const byId = new Map(current.map((record) => [record.id, record]));
  return given.map((record) => {
    const was = record.id === undefined ? undefined : byId.get(record.id);
    return { ...record, proxied: record.proxied ?? (isProxiable(record.type) && was?.proxied === true) };
  });
}

/** Key of a record: no two valid records of a zone have the same type, name and content. */
export const saying = (type: string, name: string, content: string): string =>
  `${type} ${name} ${canonicalContent(type, content)}`;

/**
 * Compares the records of a zone with the whole wanted set: absent records are deleted. A wanted record is matched by type,
 * name and content, else by its id. So two records with swapped contents need no change: overwriting one after the other
 * would make them equal in between, which Cloudflare refuses. A record that changes its type or name is created anew.
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
    else if (isProxiable(input.type) && same.proxied !== input.proxied) {
      diff.updates.push({ id: same.id, from: same, to: wantedOf(input, zone, same) });
    }
  }
  for (const input of open) {
    const from = input.id === undefined ? undefined : left.get(input.id);
    const to = wantedOf(input, zone, from);
    if (from?.type === to.type && from.name === to.name) {
      left.delete(from.id);
      if (!isAsWanted(from, to)) diff.updates.push({ id: from.id, from, to });
    } else diff.creates.push(to);
  }
  diff.deletes.push(...left.values());
  return diff;
}

/** Whether a diff has no changes. */
export const isEmptyDiff = ({ deletes, updates, creates }: DnsDiff): boolean =>
  deletes.length + updates.length + creates.length === 0;

/** Returns why a diff needs confirmation; null if it needs none. `current` are all records of the zone. */
export function unsafeDiff(current: readonly DnsRecord[], wanted: readonly unknown[], diff: DnsDiff): Unsafe | null {
  const editable = current.filter(isEditable).length;
  if (wanted.length === 0 && editable > 0) return 'empty';
  return editable >= GUARDED_FROM && diff.deletes.length > editable * GUARDED_SHARE ? 'many' : null;
}

/**
 * Returns the part of a diff that is still to be done. Records outside the diff are never touched. `conflict` is a record
 * that somebody has changed since the diff was made, or deleted where it was to be changed.
 */
export function remainingDiff(
  diff: DnsDiff,
  current: readonly DnsRecord[],
): { left: DnsDiff; conflict: DnsRecord | null } {
  const byId = new Map(current.map((record) => [record.id, record]));
  const left: DnsDiff = { deletes: [], updates: [], creates: [] };
  let conflict: DnsRecord | null = null;
  for (const record of diff.deletes) {
    const now = byId.get(record.id);
    if (now && isAsWanted(now, wantedFrom(record))) left.deletes.push(record);
    else if (now) conflict ??= now;
  }
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

/** Turns a record into a wanted one. */
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

/** Returns the fields to write to make a record as wanted: only those that differ, and `type`. */
export function changesOf(from: DnsRecord, to: WantedRecord): Pick<WantedRecord, 'type'> & Partial<WantedRecord> {
  const { type, content, proxied, ttl, comment, tags, settings } = to;
  return {
    type,
    ...(!sameContent(type, from.content, content) && { content }),
    ...(from.proxied !== proxied && { proxied }),
    // The CDN sets the TTL of a proxied record.
    ...(from.ttl !== ttl && !proxied && { ttl }),
    ...(from.comment !== comment && { comment }),
    ...(!isSame(from.tags, tags) && { tags }),
    ...(settings && !isSame(from.settings, settings) && { settings }),
  };
}

/** Images that an act on records stores for its undo and for display: the touched records before it, and their changes. */
export interface RecordsBefore {
  records: DnsRecord[];
}
export interface RecordsAfter {
  updated: { id: string; record: WantedRecord }[];
  created: WantedRecord[];
  deleted: string[];
}
