// A name that was bought a moment ago: the CDN does not know yet that it is registered.
import { afterEach, expect, test } from 'vitest';
import { setZoneWait } from '../../../src/services/dns/zone-act.ts';
import { allow, cdn, charges, domainNamed, planned, run, useAutoBuy } from './auto-buy-world.ts';

useAutoBuy();
afterEach(() => setZoneWait({ everyMs: 2 * 60_000, limitMs: 12 * 3_600_000, grows: true }));

const unregistered = (): string[] => cdn.fake.state.unregistered;
const creations = () => cdn.fake.requests.filter(({ method, path }) => `${method} ${path}`.endsWith('POST /zones'));
/** The change of DNS that a run has begun. */
const changeOf = async () =>
  (await cdn.call('GET /api/operations')).body.data.find(({ kind }: { kind: string }) => kind === 'dns_change');

test('its zone is made in the account that was chosen once the CDN knows it, and the wait is told meanwhile', async () => {
  setZoneWait({ everyMs: 50, limitMs: 60_000 });
  await allow();
  const plan = await planned();
  unregistered().push(plan.domain_name);
  const { id } = (await run(plan)).body.operation;
  await expect.poll(async () => (await changeOf())?.message, { timeout: 20_000 }).toMatch(/ещё не видит/);
  unregistered().length = 0;
  expect(await cdn.ended(id)).toMatchObject({ state: 'succeeded', message: `Резерв ${plan.domain_name} куплен` });
  expect(cdn.zone(plan.domain_name)).toMatchObject({ name: plan.domain_name });
  expect(await domainNamed(plan.domain_name)).toMatchObject({ cloudflare_account_id: expect.any(Number) });
  expect(charges()).toHaveLength(1);
});

test('once the time is over that is told, and no other account is asked, which would not know it either', async () => {
  setZoneWait({ everyMs: 50, limitMs: 300 });
  await allow();
  const plan = await planned();
  unregistered().push(plan.domain_name);
  const { id } = (await run(plan)).body.operation;
  const ended = await cdn.ended(id);
  expect(ended.state).toBe('partial');
  expect(JSON.stringify(ended.steps)).toContain(`CDN не видит, что ${plan.domain_name} зарегистрирован`);
  expect(new Set(creations().map(({ login }) => login)).size).toBe(1);
  expect(charges()).toHaveLength(1);
});
