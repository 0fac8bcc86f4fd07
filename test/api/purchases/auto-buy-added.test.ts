// Changes while a name is being bought for a project: somebody else adds it to the portfolio, or buying is switched off.
import { expect, test } from 'vitest';
import { setBudget } from '../../../src/services/purchases/budget.ts';
import { approvePurchase } from '../../../src/services/purchases/decisions.ts';
import { hold } from '../../../src/demo/cloudflare/faults.ts';
import { addUser } from '../../support/database.ts';
import {
  allow,
  buyMissing,
  cdn,
  charges,
  domainNamed,
  planned,
  run,
  settings,
  shop,
  useAutoBuy,
} from './auto-buy-world.ts';

useAutoBuy();

/** Adds a name as a main domain of no project, as anybody may. */
const add = async (domain_name: string): Promise<void> =>
  expect(await cdn.addDomain(domain_name, { type: 'main' })).toBeDefined();
const purchases = async () => (await cdn.call('GET /api/purchases')).body.data;

test('a name that somebody adds while it is being paid stays as it was added: no zone is made for it, and no site', async () => {
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

test('an order that waits for its approval is not sent once the settings are off', async () => {
  await allow();
  await setBudget({ caps: [{ scope: 'approval', scope_id: 0, currency: 'RUB', amount: '1.00' }] });
  await buyMissing();
  await expect.poll(async () => (await purchases())[0]?.state).toBe('awaiting_approval');
  await cdn.call('POST /api/auto_buy', { ...settings, state: 'off' });
  const [{ id, operation_id }] = await purchases();
  await approvePurchase(await addUser('chief', 'admin'), id);
  expect(await cdn.ended(operation_id)).toMatchObject({ state: 'failed' });
  expect(charges()).toEqual([]);
  expect((await purchases())[0]).toMatchObject({ state: 'released' });
});
