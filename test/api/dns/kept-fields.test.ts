// A record in the zone stays as it is in the fields that a saved set leaves out.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { DnsRecord } from '../../../src/demo/cloudflare/state.ts';
import { startCdn, type Cdn } from '../../support/cdn.ts';

const ZONE = 'kept.com';
let cdn: Cdn;
let id: number;

beforeAll(async () => {
  cdn = await startCdn();
  cdn.addZone(ZONE, ['A @ 198.51.100.1', 'A www 198.51.100.2', 'CNAME shop target.example.net']).plan = 'pro';
  id = await cdn.addDomain(ZONE);
});
afterAll(() => cdn.close());

const records = (): DnsRecord[] => cdn.zone(ZONE).records;
const at = (host: string): DnsRecord =>
  records().find(({ name }) => name === (host === '@' ? ZONE : `${host}.${ZONE}`))!;
const proxied = () =>
  records()
    .map(({ name, type, proxied }) => [name, type, proxied] as const)
    .toSorted(([one], [other]) => one.localeCompare(other));

async function saved(change: (record: DnsRecord) => object, ...more: object[]): Promise<void> {
  const { dns } = (await cdn.call(`GET /api/domain_dns/${id}`)).body;
  const set = [...dns.map(change), ...more];
  const { status, body } = await cdn.call(`POST /api/domain_dns/${id}`, {
    dns: set,
    copyOnTransfer: 'on',
    override: true,
  });
  expect(status).toBe(200);
  const state = body.operation ? (await cdn.ended(body.operation.id)).state : 'nothing to do';
  expect(state).toMatch(/^succeeded$|^nothing/);
}

beforeEach(() => {
  for (const record of records()) record.proxied = record.name !== `www.${ZONE}`;
});

test('a record with its id that does not say whether it is proxied stays so, whatever else of it changes', async () => {
  const before = proxied();
  await saved(({ id: own, type, name, content }) => ({ id: own, type, name, content }));
  expect(proxied()).toEqual(before);
  await saved(({ id: own, type, name, content }) => ({
    id: own,
    type,
    name,
    content: type === 'A' ? '198.51.100.9' : content,
  }));
  expect(proxied()).toEqual(before);
  expect(at('@').content).toBe('198.51.100.9');
  await saved(({ id: own, type, name, content }) => ({ id: own, type, content, name: name.replace('shop', 'store') }));
  expect(at('store').proxied).toBe(true);
  await saved(({ id: own, type, name, content }) => ({ id: own, type, content, name: name.replace('store', 'shop') }));
});

test('a record without an id that does not say so is not proxied, and one that says so is as it says', async () => {
  await saved(({ name, ...record }) => ({ ...record, name, proxied: name !== ZONE }), {
    type: 'A',
    name: 'new',
    content: '198.51.100.3',
  });
  expect(proxied()).toEqual([
    [ZONE, 'A', false],
    [`new.${ZONE}`, 'A', false],
    [`shop.${ZONE}`, 'CNAME', true],
    [`www.${ZONE}`, 'A', true],
  ]);
  await saved(({ type, name, content }) => ({ type, name, content }));
  expect(proxied().map(([, , is]) => is)).toEqual([false, false, false, false]);
});

test('a record that changes its type keeps comment, tags and TTL, but not the settings of its former type', async () => {
  const settings = { flatten_cname: true };
  Object.assign(at('shop'), { ttl: 600, comment: 'flat', tags: ['team:seo'], settings, proxied: false });
  await saved((record) =>
    record.name === `shop.${ZONE}` ? { ...record, type: 'A', content: '198.51.100.4' } : record,
  );
  expect(at('shop')).toMatchObject({ type: 'A', ttl: 600, comment: 'flat', tags: ['team:seo'], settings: {} });
});

test('a proxied record that becomes one of a type without proxying is not proxied', async () => {
  await saved(({ id: own, type, name, content }) =>
    name === ZONE ? { id: own, type: 'TXT', name, content: 'text' } : { id: own, type, name, content },
  );
  expect(at('@')).toMatchObject({ type: 'TXT', proxied: false });
});
