// Records that would not be accepted as new ones, but are in the zone: they bar no save of others.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DnsRecord } from '../../../src/demo/cloudflare/state.ts';
import { startCdn, type Cdn } from '../../support/cdn.ts';

let cdn: Cdn;
let count = 0;
beforeAll(async () => {
  cdn = await startCdn();
});
afterAll(() => cdn.close());

const ODD: [string, Partial<DnsRecord>][] = [
  ['a tab', { content: '"v=spf1\tinclude:x"' }],
  ['a line break', { content: '"a\nb"' }],
  ['a direction override', { content: '"a\u202Eb"' }],
  ['a long text', { content: `"${String.raw`\200`.repeat(255)}" `.repeat(20).trim() }],
  ['no content', { content: '' }],
  ['blanks alone', { content: '   ' }],
  ['a URI without data', { type: 'URI', content: '' }],
  ['a CNAME to one label', { type: 'CNAME', content: 'localhost' }],
];

/** Makes a zone with two records like this one, and returns its domain, name and records as the editor has them. */
async function zoneWith(fields: Partial<DnsRecord>) {
  const name = `odd${(count += 1)}.com`;
  const zone = cdn.addZone(name, ['A @ 198.51.100.1', 'TXT txt "x"', 'TXT more "x"']);
  Object.assign(zone.records[1]!, fields);
  Object.assign(zone.records[2]!, fields);
  const id = await cdn.addDomain(name);
  const { dns } = (await cdn.call(`GET /api/domain_dns/${id}`)).body as { dns: DnsRecord[] };
  const moved = dns.map((record) =>
    record.type === 'A' ? Object.assign({}, record, { content: '198.51.100.7' }) : record,
  );
  return { id, name, moved, odd: structuredClone(cdn.zone(name).records.slice(1)) };
}

for (const hasIds of [true, false]) {
  test.for(ODD)(`a record with %s bars no save of another one (ids are sent: ${hasIds})`, async ([, fields]) => {
    const { id, name, moved, odd } = await zoneWith(fields);
    const dns = hasIds ? moved : moved.map(({ id: _id, ...record }) => record);
    const saved = await cdn.call(`POST /api/domain_dns/${id}`, { dns, override: true });
    expect([saved.status, saved.body.error]).toEqual([200, undefined]);
    const { records } = cdn.zone(name);
    expect(records.find(({ type }) => type === 'A')!.content).toBe('198.51.100.7');
    expect(records.filter(({ type }) => type !== 'A')).toEqual(odd);
  });
}

test('two odd records that say the same are both left as they are', async () => {
  const { id, name, moved, odd } = await zoneWith({ type: 'URI', content: '' });
  for (const [index, record] of cdn.zone(name).records.slice(1).entries()) {
    Object.assign(record, { name: `same.${name}` });
    Object.assign(odd[index]!, { name: `same.${name}` });
  }
  const dns = moved.map((record) =>
    record.type === 'A' ? record : Object.assign({}, record, { name: `same.${name}` }),
  );
  const saved = await cdn.call(`POST /api/domain_dns/${id}`, { dns });
  expect([saved.status, saved.body.error]).toEqual([200, undefined]);
  expect(cdn.zone(name).records.filter(({ type }) => type !== 'A')).toEqual(odd);
});

test.for([
  ['"a\tc"', 'Недопустимые символы'],
  ['', 'Введите контент'],
  ['x'.repeat(20_000), 'Слишком длинное значение'],
] as const)('an odd content that is typed now is refused (%#)', async ([content, text]) => {
  const { id, moved } = await zoneWith({ content: '"a\tb"' });
  const at = moved.findIndex(({ type }) => type === 'TXT');
  const dns = moved.map((record, index) => (index === at ? Object.assign({}, record, { content }) : record));
  const refused = await cdn.call(`POST /api/domain_dns/${id}`, { dns });
  expect([refused.status, refused.body.fields]).toEqual([400, { [`dns.${at}.content`]: text }]);
});
