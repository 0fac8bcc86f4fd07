import { z } from 'zod';
import { take, type Routes, type ZoneCall } from './call.ts';
import { checkRecord, refuseConflict, txtOf, type RecordBody } from './record-rules.ts';
import { page, refuse, type Reply } from './reply.ts';
import type { DnsRecord, Store, Zone } from './state.ts';

const RECORD_PAGES = { least: 1, usual: 100, most: 5_000_000 };
const INVALID = 'DNS Validation Error';

const Body = z.object({
  type: z.string(),
  name: z.string(),
  content: z.string().optional(),
  data: z.record(z.string(), z.unknown()).optional(),
  priority: z.number().optional(),
  proxied: z.boolean().optional(),
  ttl: z.number().optional(),
  comment: z.string().nullish(),
  tags: z.array(z.string()).optional(),
  settings: z.record(z.string(), z.unknown()).optional(),
});
const Id = z.object({ id: z.string() });
const Patch = Body.partial();
const Batch = z.object({
  deletes: z.array(Id).default([]),
  patches: z.array(Patch.extend(Id.shape)).default([]),
  puts: z.array(Body.extend(Id.shape)).default([]),
  posts: z.array(Body).default([]),
});

/** A zone whose records are being changed. `records` may be a copy that is kept only if all changes succeed. */
interface Draft {
  store: Store;
  zone: Zone;
  records: DnsRecord[];
}

const find = ({ records }: Draft, id: string): DnsRecord =>
  records.find((record) => record.id === id) ?? refuse(404, 81044, 'Record does not exist.');

/** Finds a record that may be changed; refuses one that a service of Cloudflare manages. */
function findOwn(draft: Draft, id: string): DnsRecord {
  const record = find(draft, id);
  if (record.meta.read_only) refuse(400, 1043, 'This DNS record is managed by Cloudflare and is read only.');
  return record;
}

function create(draft: Draft, body: RecordBody): DnsRecord {
  const at = draft.store.now();
  const checked = checkRecord(body, draft.zone);
  const { settings = {} } = body;
  const record = { id: draft.store.newId(), ...checked, settings, meta: {}, created_on: at, modified_on: at };
  refuseConflict(record, draft.records);
  draft.records.push(record);
  return record;
}

function replace(draft: Draft, id: string, body: RecordBody): DnsRecord {
  const before = findOwn(draft, id);
  const { meta, created_on } = before;
  // A put clears fields that it does not name.
  const { settings = {} } = body;
  const checked = checkRecord(body, draft.zone);
  const record = { id, ...checked, settings, meta, created_on, modified_on: draft.store.now() };
  refuseConflict(record, draft.records);
  draft.records[draft.records.indexOf(before)] = record;
  return record;
}

const patch = (draft: Draft, id: string, body: Partial<RecordBody>): DnsRecord =>
  replace(draft, id, { ...find(draft, id), ...body });

function remove(draft: Draft, id: string): DnsRecord {
  const record = findOwn(draft, id);
  draft.records.splice(draft.records.indexOf(record), 1);
  return record;
}

const draftOf = ({ store, zone }: ZoneCall): Draft => ({ store, zone, records: zone.records });

/** Largest number of changes in a batch: 200 on the free plan, 3,500 on a paid one. */
const batchLimit = ({ plan }: Zone): number => (plan === 'free' ? 200 : 3_500);

/** Deletes, patches, puts and posts in this order, all or nothing. */
function batch({ store, zone, body }: ZoneCall): Reply {
  const { deletes, patches, puts, posts } = take(Batch, body, 1004, INVALID);
  const total = deletes.length + patches.length + puts.length + posts.length;
  if (total > batchLimit(zone)) refuse(400, 1004, `A batch may have ${batchLimit(zone)} changes at most`);
  const draft: Draft = { store, zone, records: [...zone.records] };
  const result = {
    deletes: deletes.map(({ id }) => remove(draft, id)),
    patches: patches.map(({ id, ...body }) => patch(draft, id, body)),
    puts: puts.map(({ id, ...body }) => replace(draft, id, body)),
    posts: posts.map((body) => create(draft, body)),
  };
  zone.records = draft.records;
  return { result };
}

const FILTERS: Record<string, (record: DnsRecord, value: string) => boolean> = {
  type: (record, value) => record.type === value.toUpperCase(),
  name: (record, value) => record.name === value.toLowerCase(),
  content: (record, value) =>
    record.type === 'TXT' ? txtOf(record.content) === txtOf(value) : record.content === value,
  proxied: (record, value) => String(record.proxied) === value,
  search: (record, value) => `${record.name} ${record.content}`.includes(value),
};

function listRecords({ zone, query }: ZoneCall): Reply {
  const filters = Object.entries(FILTERS).filter(([name]) => query.has(name));
  const fits =
    (record: DnsRecord) =>
    ([name, holds]: (typeof filters)[number]) =>
      holds(record, query.get(name) ?? '');
  const rows = zone.records.filter((record) =>
    query.get('match') === 'any' && filters.length > 0 ? filters.some(fits(record)) : filters.every(fits(record)),
  );
  const order = query.get('order');
  if (order === 'type' || order === 'name' || order === 'content') rows.sort((a, b) => (a[order] < b[order] ? -1 : 1));
  if (query.get('direction') === 'desc') rows.reverse();
  return page(rows, query, RECORD_PAGES);
}

const idOf = ({ params }: ZoneCall): string => params['record'] ?? '';

/** DNS records of a zone, one by one and in batches. */
export const records: Routes<ZoneCall> = {
  'GET /zones/:zone/dns_records': { needs: 'dns:read', run: listRecords },
  'POST /zones/:zone/dns_records': {
    needs: 'dns:edit',
    run: (call) => ({ result: create(draftOf(call), take(Body, call.body, 1004, INVALID)) }),
  },
  'POST /zones/:zone/dns_records/batch': { needs: 'dns:edit', run: batch },
  'GET /zones/:zone/dns_records/:record': {
    needs: 'dns:read',
    run: (call) => ({ result: find(draftOf(call), idOf(call)) }),
  },
  'PUT /zones/:zone/dns_records/:record': {
    needs: 'dns:edit',
    run: (call) => ({ result: replace(draftOf(call), idOf(call), take(Body, call.body, 1004, INVALID)) }),
  },
  'PATCH /zones/:zone/dns_records/:record': {
    needs: 'dns:edit',
    run: (call) => ({ result: patch(draftOf(call), idOf(call), take(Patch, call.body, 1004, INVALID)) }),
  },
  'DELETE /zones/:zone/dns_records/:record': {
    needs: 'dns:edit',
    run: (call) => ({ result: { id: remove(draftOf(call), idOf(call)).id } }),
  },
};
