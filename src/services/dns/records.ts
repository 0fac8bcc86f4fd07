import { isDeepStrictEqual } from 'node:util';
import type { Act, Difference } from '../../operations/flow.ts';
import { BATCH_LIMIT, type RecordChanges } from '../../providers/cloudflare/records.ts';
import { isProxiable, sameContent, type DnsRecord } from '../../shared/dns/dns.ts';
import {
  AUTOMATIC,
  changesOf,
  isAsWanted,
  isEmptyDiff,
  wantedFrom,
  type DnsDiff,
  type RecordsAfter,
  type RecordsBefore,
  type WantedRecord,
} from '../../shared/dns/dns-diff.ts';
import type { OpenAccount } from './zones.ts';

type Named = Pick<DnsRecord, 'type' | 'name' | 'content'>;

type Change =
  | { kind: 'deletes'; name: string; value: string }
  | { kind: 'patches'; name: string; value: { id: string } & ReturnType<typeof changesOf> }
  | { kind: 'posts'; name: string; value: WantedRecord };

/**
 * Splits the diff into batches that Cloudflare takes. The changes of a name stay together, so that a name is never
 * without records.
 */
function batchesOf({ deletes, updates, creates }: DnsDiff): RecordChanges[] {
  const byName = new Map<string, Change[]>();
  const add = (change: Change): void => void byName.set(change.name, [...(byName.get(change.name) ?? []), change]);
  for (const { id, name } of deletes) add({ kind: 'deletes', name, value: id });
  for (const { id, from, to } of updates)
    add({ kind: 'patches', name: to.name, value: { id, ...changesOf(from, to) } });
  for (const to of creates) add({ kind: 'posts', name: to.name, value: to });
  const batches: Change[][] = [[]];
  for (const together of byName.values()) {
    const last = batches.at(-1)!;
    if (last.length > 0 && last.length + together.length > BATCH_LIMIT) batches.push([...together]);
    else last.push(...together);
  }
  return batches.map((batch) => {
    const changes = {
      deletes: [] as string[],
      patches: [] as ({ id: string } & ReturnType<typeof changesOf>)[],
      posts: [] as WantedRecord[],
    };
    for (const change of batch) {
      if (change.kind === 'deletes') changes.deletes.push(change.value);
      else if (change.kind === 'patches') changes.patches.push(change.value);
      else changes.posts.push(change.value);
    }
    return changes;
  });
}

const beforeOf = ({ deletes, updates }: DnsDiff): RecordsBefore => ({
  records: [...deletes, ...updates.map(({ from }) => from)],
});

const afterOf = ({ deletes, updates, creates }: DnsDiff): RecordsAfter => ({
  updated: updates.map(({ id, to }) => ({ id, record: to })),
  created: creates,
  deleted: deletes.map(({ id }) => id),
});

/**
 * Returns the act that makes the changes that `diff` returns for a zone's records, in as few calls as Cloudflare takes.
 */
export function recordsAct(lane: OpenAccount, zone: string, diff: (current: DnsRecord[]) => DnsDiff): Act {
  return {
    name: 'dns',
    class: 'set',
    look: async () => {
      const { id } = await lane.zone(zone);
      const found = diff(await lane.client.listRecords(id));
      if (isEmptyDiff(found)) return null;
      const perform = async (): Promise<void> => {
        for (const batch of batchesOf(found)) await lane.client.batchRecords(id, batch);
      };
      return { before: beforeOf(found), after: afterOf(found), ...(id !== '' && { on: id }), perform };
    },
    merge: (earlier, left) => ({
      before: joined(earlier.before, left.before),
      after: joined(earlier.after, left.after),
    }),
  };
}

const RECORD_KEYS: Record<string, (row: never) => string> = {
  records: ({ id }: { id: string }) => id,
  updated: ({ id }: { id: string }) => id,
  created: (record: WantedRecord) => JSON.stringify(record),
  deleted: (id: string) => id,
};

/** Merges two images, field by field. An entry of the earlier try wins: it was read before anything was changed. */
function joined(earlier: unknown, left: unknown): unknown {
  const fields = Object.entries(left as Record<string, unknown[]>).map(([field, rows]) => {
    const keyOf = RECORD_KEYS[field] as (row: unknown) => string;
    const all = new Map<string, unknown>();
    for (const row of [...((earlier as Record<string, unknown[]>)[field] ?? []), ...rows]) {
      if (!all.has(keyOf(row))) all.set(keyOf(row), row);
    }
    return [field, [...all.values()]];
  });
  return Object.fromEntries(fields);
}

const isSameText = (one: Named, other: Named): boolean =>
  one.type === other.type && one.name === other.name && sameContent(one.type, one.content, other.content);

/** Fields beside type, name and content, in the form in which two records are compared. */
function fieldsOf({ proxied, ttl, comment, tags, settings = {} }: DnsRecord | WantedRecord) {
  // A switch that is off may be absent as well.
  const switches = Object.entries(settings).filter(([, value]) => value !== false && value !== null);
  return {
    proxied,
    ttl: proxied ? AUTOMATIC : ttl,
    comment: comment === '' ? null : comment,
    tags: tags.toSorted(),
    settings: Object.fromEntries(switches),
  };
}

const isSame = (one: DnsRecord, other: WantedRecord): boolean =>
  isSameText(one, other) && isDeepStrictEqual(fieldsOf(one), fieldsOf(other));

/** Whether a record that an act has changed is as the act left it. An act changes the content of a record and its proxying; a proxied record has no TTL of its own. */
const isAsMade = (now: DnsRecord, before: DnsRecord, made: WantedRecord): boolean =>
  isAsWanted(now, made) && (made.proxied || !before.proxied || now.ttl === made.ttl);

/** Returns a record with the content and proxying that it had before; its other fields stay as they are now. */
const givenBack = (now: DnsRecord, { content, proxied, ttl }: DnsRecord): WantedRecord => ({
  ...wantedFrom(now),
  content,
  proxied,
  ...(now.proxied && !proxied && { ttl }),
});

// A CNAME and another record that leads somewhere can't have one name.
const bars = (one: Named, other: Named): boolean =>
  one.name === other.name &&
  isProxiable(one.type) &&
  isProxiable(other.type) &&
  (one.type === 'CNAME' || other.type === 'CNAME');

/**
 * Returns the diff without what finds no place: a record of its words, or one that bars it, stays beside it. A record that is not changed back
 * stays as it is now, and may be in the way of others.
 */
function placedOf(diff: DnsDiff, current: readonly DnsRecord[]): DnsDiff {
  const back = new Map(diff.updates.map(({ id, to }) => [id, to]));
  const stay = current.filter((record) => !diff.deletes.includes(record));
  const after = stay.map((record) => ({ id: record.id, record: back.get(record.id) ?? record }));
  const isFree = (wanted: Named, own?: string): boolean =>
    !after.some(({ id, record }) => id !== own && (isSameText(record, wanted) || bars(record, wanted)));
  const updates = diff.updates.filter(({ id, to }) => isFree(to, id));
  if (updates.length < diff.updates.length) return placedOf({ ...diff, updates }, current);
  return { ...diff, creates: diff.creates.filter((record) => isFree(record)) };
}

/**
 * Returns the changes that undo an act on records. Later changes of others stay: a record that was changed, if only in its
 * comment where the act has made it, one that was made anew, one whose former words another record has by now, and all that the act has not
 * written.
 */
function diffBack(current: readonly DnsRecord[], before: RecordsBefore, after: RecordsAfter): DnsDiff {
  const byId = new Map(current.map((record) => [record.id, record]));
  const madeInto = new Map(after.updated.map(({ id, record }) => [id, record]));
  const diff: DnsDiff = { deletes: [], updates: [], creates: [] };
  for (const made of after.created) {
    const now = current.find((record) => isSame(record, made));
    if (now && !before.records.some(({ id }) => id === now.id)) diff.deletes.push(now);
  }
  for (const record of before.records) {
    const now = byId.get(record.id);
    const made = madeInto.get(record.id);
    if (now && made && isAsMade(now, record, made))
      diff.updates.push({ id: now.id, from: now, to: givenBack(now, record) });
    if (!now && !made) diff.creates.push(wantedFrom(record));
  }
  return placedOf(diff, current);
}

/** Lists where the records that an act has changed differ from what they were before it. */
function differencesOf(current: readonly DnsRecord[], before: RecordsBefore, after: RecordsAfter): Difference[] {
  const say = ({ type, name, content }: Named): string => `${type} ${name} ${content}`;
  const changed = before.records.flatMap((record): Difference[] => {
    const now = current.find((other) => isSameText(other, record));
    if (!now) return [{ name: 'dns', was: say(record), is: null }];
    const [was, is] = [fieldsOf(record), fieldsOf(now)];
    const fields = (Object.keys(was) as (keyof typeof was)[]).filter((key) => !isDeepStrictEqual(was[key], is[key]));
    return fields.map((key) => ({ name: `${say(record)} ${key}`, was: was[key], is: is[key] }));
  });
  const extra = [...after.created, ...after.updated.map(({ record }) => record)].filter(
    (made) =>
      current.some((record) => isAsWanted(record, made)) && !before.records.some((record) => isSameText(record, made)),
  );
  return [...changed, ...extra.map((record) => ({ name: 'dns', was: null, is: say(record) }))];
}

const partOf = ({ type, name, content, proxied }: DnsRecord | WantedRecord): string =>
  JSON.stringify([type, name, content, proxied]);

const isGone = ({ deleted }: RecordsAfter, { id }: DnsRecord): boolean => deleted.includes(id);

/** Names the records that an act has made or deleted. */
function partsOf(before: RecordsBefore, after: RecordsAfter): string[] {
  const made = [...after.created, ...after.updated.map(({ record }) => record)].map(partOf);
  return [...made, ...before.records.filter((record) => isGone(after, record)).map((record) => `-${partOf(record)}`)];
}

/** Returns the images of an act without some of the records that it has made or deleted. */
function imagesWithout(parts: ReadonlySet<string>, before: RecordsBefore, after: RecordsAfter) {
  const isLeft = (record: WantedRecord): boolean => !parts.has(partOf(record));
  const stays = new Set(after.updated.filter(({ record }) => !isLeft(record)).map(({ id }) => id));
  return {
    before: {
      records: before.records.filter(
        (record) => !stays.has(record.id) && !(isGone(after, record) && parts.has(`-${partOf(record)}`)),
      ),
    },
    after: {
      ...after,
      updated: after.updated.filter(({ id }) => !stays.has(id)),
      created: after.created.filter(isLeft),
    },
  };
}

/** Returns the act that undoes a `recordsAct`, by the images that it has stored. */
export function recordsBack(lane: OpenAccount, zone: string, images: { before?: unknown; after?: unknown }): Act {
  const [before, after] = [images.before as RecordsBefore, images.after as RecordsAfter];
  return {
    ...recordsAct(lane, zone, (current) => diffBack(current, before, after)),
    parts: {
      of: (act) => partsOf(act.before as RecordsBefore, act.after as RecordsAfter),
      without: (parts) => recordsBack(lane, zone, imagesWithout(parts, before, after)),
    },
    differs: async () => differencesOf(await lane.client.listRecords((await lane.zone(zone)).id), before, after),
  };
}
