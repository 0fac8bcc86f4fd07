// A name that somebody else adds to the portfolio while it is being bought for a project.
import { expect, test } from 'vitest';
import { hold } from '../../../src/demo/cloudflare/faults.ts';
import { allow, cdn, charges, domainNamed, planned, run, shop, useAutoBuy } from './auto-buy-world.ts';

useAutoBuy();

/** Adds a name as a main domain of no project, as anybody may. */
const add = async (domain_name: string): Promise<void> =>
  expect(await cdn.addDomain(domain_name, { type: 'main' })).toBeDefined();
const purchases = async () => (await cdn.call('GET /api/purchases')).body.data;

test('stays as it was added: no zone is made for it, and no site', async () => {
  await allow();
  const plan = await planned();
  const answer = hold();
  shop.faults.push({ ...answer.fault, call: '* /domain/create' });
  const { id } = (await run(plan)).body.operation;
  await expect.poll(async () => (await purchases())[0]?.state).toBe('sending');
  await add(plan.domain_name);
  answer.release();
  await cdn.ended(id);
  expect(charges()).toHaveLength(1);
  expect(await domainNamed(plan.domain_name)).toMatchObject({ type: 'main', project_id: null });
  const kinds = (await cdn.call('GET /api/operations')).body.data.map(({ kind }: { kind: string }) => kind);
  expect(kinds).toEqual(['buy_reserve']);
  expect(cdn.fake.requests.filter(({ method, path }) => `${method} ${path}`.endsWith('POST /zones'))).toEqual([]);
});
