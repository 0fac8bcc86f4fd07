// The same call twice at once, as by a double click or a client that tries again.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { hold } from '../../../src/demo/cloudflare/faults.ts';
import { pointingAt, startCdn, type Cdn } from '../../support/cdn.ts';

let cdn: Cdn;

beforeEach(async () => {
  cdn = await startCdn();
});
afterEach(() => cdn.close());

/** Makes a call twice. Both have read what they are about before either goes on. Returns the answers and the writes outside. */
async function twice(name: string, reads: string, body?: unknown) {
  const { fault, release } = hold();
  const before = cdn.fake.requests.length;
  cdn.fake.faults.push({ ...fault, call: reads, times: 2 });
  const calls = [cdn.call(name, body), cdn.call(name, body)];
  await vi.waitFor(() => expect(cdn.fake.faults).toEqual([]), { timeout: 20_000 });
  release();
  const answers = await Promise.all(calls);
  return { answers, written: cdn.fake.requests.slice(before).filter(({ method }) => method !== 'GET') };
}

test('a save of records that is sent twice at once is made once, and both callers are told so', async () => {
  const id = await cdn.addDomain('one.com');
  cdn.addZone('one.com', ['A @ 198.51.100.1']);
  const { dns } = (await cdn.call(`GET /api/domain_dns/${id}`)).body;
  const added = { type: 'A', name: 'shop', content: '198.51.100.7', proxied: false };
  const { answers, written } = await twice(`POST /api/domain_dns/${id}`, 'GET /zones/*/dns_records', {
    dns: [...dns, added],
    copyOnTransfer: 'on',
  });
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(answers[0]?.body.operation.id).toBe(answers[1]?.body.operation.id);
  expect(await cdn.ended(answers[0]?.body.operation.id)).toMatchObject({ state: 'succeeded', done: 1, failed: 0 });
  expect(written).toHaveLength(1);
  expect(cdn.zone('one.com').records.filter(({ name }) => name === 'shop.one.com')).toHaveLength(1);
});

test('a rule that is deleted twice at once is deleted once, and both callers are told so', async () => {
  const id = await cdn.addDomain('one.com');
  const attached = await cdn.call(
    'POST /api/manage_dns',
    pointingAt(cdn, 'main.com', { pageRules: ['one.com', 'one.com'] }),
  );
  expect(attached.body.message).toBe('Привязка доменов: 1');
  await cdn.ended(attached.body.operation.id);
  const [rule] = (await cdn.call(`GET /api/domain_page_rules/${id}`)).body.data.result;
  const { answers, written } = await twice(`DELETE /api/domain_page_rules/${id}/${rule.id}`, 'GET /zones/*/pagerules');
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(written).toHaveLength(1);
  expect(await cdn.ended(answers[1]?.body.operation.id)).toMatchObject({ state: 'succeeded', done: 1, failed: 0 });
});

test('two records with one id are refused, whatever they say, and the zone stays as it is', async () => {
  const id = await cdn.addDomain('one.com');
  cdn.addZone('one.com', ['A @ 198.51.100.1', 'TXT @ "x"']);
  const { dns } = (await cdn.call(`GET /api/domain_dns/${id}`)).body as { dns: { id: string; type: string }[] };
  const host = dns.find(({ type }) => type === 'A')!;
  const others = dns.filter((record) => record !== host);
  const before = structuredClone(cdn.zone('one.com').records);
  for (const content of ['198.51.100.7', '198.51.100.8', '198.51.100.1']) {
    const twins = [{ ...host, content: '198.51.100.7' }, ...others, { ...host, content }];
    for (const call of [`POST /api/domain_dns/${id}`, `POST /api/domain_dns/${id}/plan`]) {
      const refused = await cdn.call(call, { dns: twins });
      expect([refused.status, refused.body.fields]).toEqual([
        400,
        { 'dns.2.id': 'Этот id уже есть у другой записи набора' },
      ]);
    }
  }
  expect(cdn.zone('one.com').records).toEqual(before);
  // Without their ids they are two records.
  const added = [...dns, { ...host, id: '', content: '198.51.100.7' }, { ...host, id: '', content: '198.51.100.8' }];
  expect((await cdn.call(`POST /api/domain_dns/${id}`, { dns: added })).status).toBe(200);
  expect(cdn.zone('one.com').records.filter(({ type }) => type === 'A')).toHaveLength(3);
});
