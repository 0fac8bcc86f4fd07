// Records are given back field by field: what somebody else has changed of them since stays as it is, and is told.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { DnsRecord } from '../../../src/demo/cloudflare/state.ts';
import { pointingAt, SERVER_IP, startCdn, type Cdn } from '../../support/cdn.ts';

let cdn: Cdn;
let count = 0;
let name: string;
let id: number;

beforeAll(async () => {
  cdn = await startCdn();
});
afterAll(() => cdn.close());
beforeEach(() => {
  name = `zone${(count += 1)}.com`;
});

async function zoneOf(...lines: string[]): Promise<void> {
  cdn.addZone(name, lines).plan = 'pro';
  id = await cdn.addDomain(name);
}

const records = (): DnsRecord[] => cdn.zone(name).records;
const at = (host: string, type = 'A'): DnsRecord =>
  records().find((record) => record.type === type && record.name === (host === '@' ? name : `${host}.${name}`))!;
const fields = ({ content, proxied, ttl, comment, tags, settings }: DnsRecord) => [
  content,
  proxied,
  ttl,
  comment,
  tags.join(),
  JSON.stringify(settings),
];

/** Saves the records as `change` returns them, and returns the operation. */
async function saved(change: (dns: DnsRecord[]) => object[]): Promise<number> {
  const { dns, version } = (await cdn.call(`GET /api/domain_dns/${id}`)).body;
  const { body } = await cdn.call(`POST /api/domain_dns/${id}`, { dns: change(dns), version, override: true });
  return body.operation.id;
}

async function pointed(): Promise<number> {
  const { body } = await cdn.call('POST /api/manage_dns', pointingAt(cdn, name, { tls: 'on' }));
  expect((await cdn.ended(body.operation.id)).state).toBe('succeeded');
  return body.operation.id;
}

/** Gives an operation back, and returns the differences that it tells of; '' where all is as before. */
async function givenBack(operation: number): Promise<string> {
  const back = (await cdn.call(`POST /api/operations/${operation}/restore`, {})).body.operation.id;
  const { state } = await cdn.ended(back);
  const [item] = (await cdn.call(`GET /api/operations/${back}/items?limit=5`)).body.data;
  expect(state).toBe(item.error === null ? 'succeeded' : 'failed');
  return item.error ?? '';
}

test('content and proxying are given back beside a comment, tags and settings of somebody else', async () => {
  await zoneOf('A @ 198.51.100.1', 'A www 198.51.100.1');
  Object.assign(at('www'), { comment: 'first', ttl: 300 });
  const operation = await pointed();
  expect(fields(at('www'))).toEqual([SERVER_IP, true, 1, 'first', '', '{}']);
  Object.assign(at('www'), { comment: 'second', tags: ['team:x'], settings: { ipv4_only: true } });
  Object.assign(at('@'), { comment: 'note', tags: ['owner:y'] });
  const told = await givenBack(operation);
  expect(fields(at('www'))).toEqual(['198.51.100.1', false, 300, 'second', 'team:x', '{"ipv4_only":true}']);
  expect(fields(at('@'))).toEqual(['198.51.100.1', false, 1, 'note', 'owner:y', '{}']);
  for (const difference of [
    `A www.${name} 198.51.100.1 comment: first → second`,
    `A www.${name} 198.51.100.1 tags: [] → ["team:x"]`,
    `A www.${name} 198.51.100.1 settings: {} → {"ipv4_only":true}`,
    `A ${name} 198.51.100.1 comment: – → note`,
    `A ${name} 198.51.100.1 tags: [] → ["owner:y"]`,
  ]) {
    expect(told).toContain(difference);
  }
  expect(told).not.toContain('ttl');
});

test('a TTL that somebody has set since stays', async () => {
  await zoneOf('TXT t "k"');
  const operation = await saved((dns) => dns.map((record) => ({ ...record, content: 'new' })));
  Object.assign(at('t', 'TXT'), { ttl: 3_600 });
  expect(await givenBack(operation)).toContain(`TXT t.${name} "k" ttl: 1 → 3600`);
  expect(fields(at('t', 'TXT')).slice(0, 3)).toEqual(['"k"', false, 3_600]);
});

test('a record is not proxied again where that would drop a TTL of somebody else', async () => {
  await zoneOf('A @ 198.51.100.1');
  Object.assign(at('@'), { proxied: true });
  const operation = await saved((dns) => dns.map((record) => ({ ...record, proxied: false })));
  Object.assign(at('@'), { ttl: 600 });
  expect(await givenBack(operation)).toContain(`A ${name} 198.51.100.1 proxied: true → false`);
  expect(fields(at('@')).slice(0, 3)).toEqual(['198.51.100.1', false, 600]);
});

test('a deleted record comes back with all that it had', async () => {
  await zoneOf('A @ 198.51.100.1', 'CNAME www target.example.net');
  const all = { ttl: 600, comment: 'keep', tags: ['a:b'], settings: { flatten_cname: true } };
  Object.assign(at('www', 'CNAME'), all);
  const operation = await saved((dns) => dns.filter(({ type }) => type !== 'CNAME'));
  expect(records()).toHaveLength(1);
  expect(await givenBack(operation)).toBe('');
  expect(at('www', 'CNAME')).toMatchObject(all);
});

test('a deleted record that somebody has made anew stays as it was made, and its differences are told', async () => {
  await zoneOf('A @ 198.51.100.1', 'CNAME www target.example.net', 'A shop 198.51.100.2');
  const bare = structuredClone(at('www', 'CNAME'));
  Object.assign(at('www', 'CNAME'), { ttl: 600, comment: 'keep', tags: ['a:b'], settings: { flatten_cname: true } });
  const operation = await saved((dns) => dns.filter(({ name: host }) => host === name));
  records().push({ ...bare, id: 'f'.repeat(32) });
  const told = await givenBack(operation);
  expect(fields(at('www', 'CNAME'))).toEqual(['target.example.net', false, 1, null, '', '{}']);
  expect(at('shop').content).toBe('198.51.100.2');
  for (const difference of ['ttl: 600 → 1', 'comment: keep → –', 'tags: ["a:b"] → []', '{"flatten_cname":true} → {}']) {
    expect(told).toContain(difference);
  }
});

test('a name that somebody has led elsewhere since keeps no other record from coming back', async () => {
  await zoneOf('A @ 198.51.100.1', 'A www 198.51.100.2', 'TXT t "k"');
  const cname = { ...structuredClone(at('www')), id: 'f'.repeat(32), type: 'CNAME', content: 'else.example.net' };
  const operation = await saved((dns) => dns.filter(({ name: host }) => host === name));
  records().push(cname);
  expect(await givenBack(operation)).toContain(`A www.${name} 198.51.100.2 → –`);
  expect(records().map(({ type }) => type)).toEqual(['A', 'CNAME', 'TXT']);
});

test('a record that was made is taken away, unless somebody has put something into it since', async () => {
  await zoneOf('A @ 198.51.100.1');
  const more = ['one', 'two'].map((host) => ({ type: 'A', name: host, content: '198.51.100.3', proxied: false }));
  const operation = await saved((dns) => [...dns, ...more]);
  Object.assign(at('two'), { comment: 'in use' });
  expect(await givenBack(operation)).toContain(`– → A two.${name} 198.51.100.3`);
  expect(records().map(({ name: host, comment }) => [host, comment])).toEqual([
    [name, null],
    [`two.${name}`, 'in use'],
  ]);
});
