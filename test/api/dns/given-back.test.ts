// Deletions that were given back and are tried again: what they delete has another id at the CDN since.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pointingAt, startCdn, type Cdn } from '../../support/cdn.ts';

let cdn: Cdn;

beforeEach(async () => {
  cdn = await startCdn();
});
afterEach(() => cdn.close());

/** Gives an operation back, and tries it again. Returns what is seen in between, and how it has ended. */
async function backAndAgain<T>(operation: number, look: () => T | Promise<T>) {
  const back = await cdn.call(`POST /api/operations/${operation}/restore`, {});
  await cdn.ended(back.body.operation.id);
  const between = await look();
  await cdn.call(`POST /api/operations/${operation}/retry`, {});
  return { between, ended: await cdn.ended(operation) };
}

test('records that were deleted are deleted again', async () => {
  const id = await cdn.addDomain('one.com');
  cdn.addZone('one.com', ['A @ 198.51.100.1', 'A shop 198.51.100.7']);
  const { dns, version } = (await cdn.call(`GET /api/domain_dns/${id}`)).body;
  const left = dns.filter(({ name }: { name: string }) => !name.startsWith('shop'));
  const saved = await cdn.call(`POST /api/domain_dns/${id}`, { dns: left, version });
  const shops = () => cdn.zone('one.com').records.filter(({ name }) => name === 'shop.one.com').length;
  expect([dns.length, left.length, shops()]).toEqual([2, 1, 0]);
  const { between, ended } = await backAndAgain(saved.body.operation.id, shops);
  expect([between, shops()]).toEqual([1, 0]);
  expect(ended).toMatchObject({ state: 'succeeded', counts: { done: 1 } });
});

test('a rule that was deleted is deleted again', async () => {
  const id = await cdn.addDomain('one.com');
  const attached = await cdn.call('POST /api/manage_dns', pointingAt(cdn, 'main.com', { pageRules: ['one.com'] }));
  await cdn.ended(attached.body.operation.id);
  const [rule] = (await cdn.call(`GET /api/domain_page_rules/${id}`)).body.data.result;
  const deleted = await cdn.call(`DELETE /api/domain_page_rules/${id}/${rule.id}`);
  const rules = () => cdn.zone('one.com').page_rules.length;
  expect(rules()).toBe(0);
  const { between, ended } = await backAndAgain(deleted.body.operation.id, rules);
  expect([between, rules()]).toEqual([1, 0]);
  expect(ended).toMatchObject({ state: 'succeeded', counts: { done: 1 } });
});
