import { beforeEach, describe, expect, test } from 'vitest';
import type { Zone } from '../../src/demo/cloudflare/state.ts';
import { BATCH_LIMIT } from '../../src/providers/cloudflare/records.ts';
import { ACCOUNT, failure, record, success, useCloudflare } from './cloudflare-world.ts';

const world = useCloudflare();
let zone: Zone;
beforeEach(() => {
  zone = world.fake.addZone({ name: 'example.com', account_id: ACCOUNT, status: 'active' });
});
const a = (id: string, name: string) => record({ id, type: 'A', name, content: '198.51.100.4', proxied: true });
const batchPath = () => `POST /zones/${zone.id}/dns_records/batch`;

describe('the list of records', () => {
  test('has all types unchanged, by one call', async () => {
    zone.records.push(
      a('r1', 'example.com'),
      record({ id: 'r2', type: 'MX', name: 'example.com', content: 'mx.example.net', priority: 10 }),
      record({ id: 'r3', type: 'CAA', name: 'example.com', content: '0 issue "a"', data: { flags: 0, tag: 'issue' } }),
      record({
        id: 'r4',
        type: 'TXT',
        name: 'Пример.example.com',
        content: '"v=spf1 -all"',
        comment: 'mail',
        tags: ['x'],
      }),
    );
    const records = await world.api.listRecords(zone.id);
    expect(records.map(({ id, type, content }) => [id, type, content])).toEqual([
      ['r1', 'A', '198.51.100.4'],
      ['r2', 'MX', 'mx.example.net'],
      ['r3', 'CAA', '0 issue "a"'],
      ['r4', 'TXT', '"v=spf1 -all"'],
    ]);
    expect(records[1]).toMatchObject({ priority: 10, proxied: false, ttl: 1, comment: null });
    expect(records[2]).toMatchObject({ data: { flags: 0, tag: 'issue' } });
    expect(records[3]).toMatchObject({ name: 'xn--e1afmkfd.example.com', comment: 'mail', tags: ['x'] });
    expect(world.calls()).toHaveLength(1);
  });

  test('is read over all pages', async () => {
    for (let index = 0; index < 5_001; index += 1) zone.records.push(a(`r${index}`, `h${index}.example.com`));
    expect(await world.api.listRecords(zone.id)).toHaveLength(5_001);
    expect(world.calls()).toHaveLength(2);
  });

  test('of another zone is refused', async () => {
    const row = { ...a('r1', 'example.org'), zone_id: 'c'.repeat(32) };
    world.fake.faults.push({
      kind: 'status',
      status: 200,
      body: success([row], { page: 1, per_page: 5_000, total_count: 1 }),
    });
    expect(await failure(world.api.listRecords(zone.id))).toMatchObject({ kind: 'malformed' });
  });

  test('gives a URI in the order of zone files', async () => {
    const data = { weight: 1, target: 'https://www.example.com/' };
    const uri = record({ id: 'r1', type: 'URI', name: '_http._tcp.example.com', content: '1 "…"', priority: 10, data });
    zone.records.push(uri);
    const [found] = await world.api.listRecords(zone.id);
    expect(found).toMatchObject({ content: '10 1 "https://www.example.com/"', priority: 10, data });
  });
});

describe('a batch', () => {
  test('deletes, patches, puts and posts in one call', async () => {
    zone.records.push(a('r1', 'one.example.com'), a('r2', 'two.example.com'), a('r3', 'three.example.com'));
    const results = await world.api.batchRecords(zone.id, {
      deletes: ['r1'],
      patches: [{ id: 'r2', type: 'A', proxied: false }],
      puts: [{ id: 'r3', type: 'A', name: 'three.example.com', content: '198.51.100.9', ttl: 300, comment: 'kept' }],
      posts: [
        { type: 'TXT', name: 'example.com', content: 'v=spf1 -all', proxied: false },
        { type: 'URI', name: '_http._tcp.example.com', content: 'https://www.example.com/', comment: null },
      ],
    });
    expect(world.calls()).toEqual([batchPath()]);
    expect(results.deletes).toEqual(['r1']);
    expect(results.patches).toMatchObject([{ id: 'r2', content: '198.51.100.4', proxied: false }]);
    expect(results.puts).toMatchObject([{ id: 'r3', content: '198.51.100.9', ttl: 300, comment: 'kept' }]);
    expect(results.posts).toMatchObject([
      { type: 'TXT', content: '"v=spf1 -all"', ttl: 1 },
      { type: 'URI', content: '10 1 "https://www.example.com/"', priority: 10 },
    ]);
    expect(await world.api.listRecords(zone.id)).toHaveLength(4);
  });

  test('sends a URI as its parts', async () => {
    const name = '_http._tcp.example.com';
    const { posts } = await world.api.batchRecords(zone.id, {
      posts: [{ type: 'URI', name, content: '5 7 "https://www.example.com/a"' }],
    });
    const id = posts[0]?.id ?? '';
    await world.api.batchRecords(zone.id, {
      patches: [{ id, type: 'URI', content: '6 8 "https://www.example.com/b"' }],
    });
    expect(world.fake.requests.map(({ body }) => body)).toEqual([
      {
        deletes: [],
        patches: [],
        puts: [],
        posts: [{ type: 'URI', name, ttl: 1, priority: 5, data: { weight: 7, target: 'https://www.example.com/a' } }],
      },
      {
        deletes: [],
        patches: [{ id, type: 'URI', priority: 6, data: { weight: 8, target: 'https://www.example.com/b' } }],
        puts: [],
        posts: [],
      },
    ]);
  });

  test('does nothing where one change is refused', async () => {
    zone.records.push(a('r1', 'one.example.com'), a('r2', 'two.example.com'));
    const changes = {
      deletes: ['r1'],
      posts: [{ type: 'A' as const, name: 'two.example.com', content: '198.51.100.4' }],
    };
    const error = await failure(world.api.batchRecords(zone.id, changes));
    expect(error.kind).toBe('refused');
    expect(zone.records.map(({ id }) => id)).toEqual(['r1', 'r2']);
  });

  test('is sent once even if the connection drops, before the act or after it', async () => {
    const posts = [{ type: 'A' as const, name: 'new.example.com', content: '198.51.100.4' }];
    world.fake.faults.push({ kind: 'drop-before' }, { kind: 'act-then-drop' });
    expect(await failure(world.api.batchRecords(zone.id, { posts }))).toMatchObject({ kind: 'unavailable' });
    expect(zone.records).toHaveLength(0);
    expect(await failure(world.api.batchRecords(zone.id, { posts }))).toMatchObject({ kind: 'unavailable' });
    expect(zone.records).toHaveLength(1);
    expect(world.calls()).toEqual([batchPath(), batchPath()]);
  });

  test('without changes makes no call, and one too large is refused without a call', async () => {
    expect(await world.api.batchRecords(zone.id, {})).toEqual({ deletes: [], patches: [], puts: [], posts: [] });
    const deletes = Array.from({ length: BATCH_LIMIT + 1 }, (_, index) => `r${index}`);
    expect(await failure(world.api.batchRecords(zone.id, { deletes }))).toMatchObject({ kind: 'refused' });
    expect(world.calls()).toEqual([]);
  });

  test('of the maximum size is one call', async () => {
    const names = Array.from({ length: BATCH_LIMIT }, (_, index) => `h${index}.example.com`);
    const posts = names.map((name) => ({ type: 'A' as const, name, content: '198.51.100.4', proxied: true }));
    expect((await world.api.batchRecords(zone.id, { posts })).posts).toHaveLength(BATCH_LIMIT);
    expect(world.calls()).toHaveLength(1);
  });

  test.for([
    ['other records', { deletes: [{ id: 'r2' }] }],
    ['nothing', {}],
    ['more than was asked', { deletes: [{ id: 'r1' }], posts: [a('r9', 'example.com')] }],
  ] as const)('that answers for %s is not taken', async ([, result]) => {
    world.fake.faults.push({ kind: 'status', status: 200, body: success(result) });
    const error = await failure(world.api.batchRecords(zone.id, { deletes: ['r1'] }));
    expect(error.kind).toBe('malformed');
  });
});

describe('where there is no batch', () => {
  const noBatch = () =>
    world.fake.faults.push({
      kind: 'status',
      status: 404,
      body: { success: false, errors: [{ code: 7000, message: 'No route for that URI' }], messages: [], result: null },
      call: 'POST /zones/*/dns_records/batch',
      times: 9,
    });

  test('the changes are made one by one, the new ones first', async () => {
    noBatch();
    zone.records.push(a('r1', 'example.com'), a('r2', 'old.example.com'));
    const results = await world.api.batchRecords(zone.id, {
      deletes: ['r2'],
      puts: [{ id: 'r1', type: 'A', name: 'example.com', content: '198.51.100.9', proxied: false }],
      posts: [{ type: 'TXT', name: 'example.com', content: 'v=spf1 -all' }],
    });
    expect(results).toMatchObject({
      deletes: ['r2'],
      puts: [{ id: 'r1', content: '198.51.100.9' }],
      posts: [{ type: 'TXT' }],
    });
    expect(world.calls().map((call) => call.split(' ')[0])).toEqual(['POST', 'POST', 'PUT', 'DELETE']);
    expect(zone.records.map(({ type, content }) => `${type} ${content}`)).toEqual([
      'A 198.51.100.9',
      'TXT "v=spf1 -all"',
    ]);
  });

  test('a conflicting record is deleted first', async () => {
    noBatch();
    zone.records.push(
      record({ id: 'r1', type: 'CNAME', name: 'www.example.com', content: 'example.net', proxied: true }),
    );
    await world.api.batchRecords(zone.id, {
      deletes: ['r1'],
      posts: [{ type: 'A', name: 'www.example.com', content: '198.51.100.9' }],
    });
    expect(zone.records.map(({ type, content }) => `${type} ${content}`)).toEqual(['A 198.51.100.9']);
  });

  test('a refusal after a first change is no refusal of the whole, which has been made in part', async () => {
    noBatch();
    const gone = { id: 'gone', type: 'A', name: 'old.example.com', content: '198.51.100.8' } as const;
    const posts = [{ type: 'A', name: 'new.example.com', content: '198.51.100.9' }] as const;
    const error = await failure(world.api.batchRecords(zone.id, { posts: [...posts], puts: [gone] }));
    expect(error).toMatchObject({ kind: 'malformed', code: 81_044 });
    expect(zone.records.map(({ name }) => name)).toEqual(['new.example.com']);
    expect(await failure(world.api.batchRecords(zone.id, { puts: [gone] }))).toMatchObject({ kind: 'refused' });
  });
});

test('a batch that is refused for a missing record is not made one by one', async () => {
  world.fake.faults.push({
    kind: 'status',
    status: 404,
    body: { success: false, errors: [{ code: 81_044, message: 'Record not found' }], messages: [], result: null },
    call: 'POST /zones/*/dns_records/batch',
  });
  const posts = [{ type: 'A', name: 'new.example.com', content: '198.51.100.9' }] as const;
  const error = await failure(world.api.batchRecords(zone.id, { posts: [...posts], deletes: ['gone'] }));
  expect(error).toMatchObject({ kind: 'refused', code: 81_044 });
  expect(world.calls()).toEqual([batchPath()]);
});
