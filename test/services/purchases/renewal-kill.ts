// A renewal is killed at a point in a process of its own, and brought to its end by the process that is left.
import { randomBytes } from 'node:crypto';
import { beforeEach, expect } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import { insertRow } from '../../../db/rows.ts';
import { interceptCrashPoints } from '../../../src/lib/crash-point.ts';
import { useSecretKey } from '../../../src/lib/secret.ts';
import { registerFlows, runOperation } from '../../../src/operations/engine.ts';
import { requeue } from '../../../src/operations/queue.ts';
import { operationRow } from '../../../src/operations/lease.ts';
import { updateAccount } from '../../../src/services/accounts/accounts.ts';
import { setBudget } from '../../../src/services/purchases/budget.ts';
import { planRenewals } from '../../../src/services/purchases/renewal-quotes.ts';
import { renewalFlow, startRenewals } from '../../../src/services/purchases/renewals.ts';
import { settlePurchases } from '../../../src/services/purchases/sweep.ts';
import { registrarKind } from '../../../src/shared/accounts/registrars.ts';
import { domains } from '../../../src/shared/portfolio/tables.ts';
import { startChild } from '../../support/child.ts';
import { endLeases } from '../../support/leases.ts';
import { LOGIN } from '../../support/registrars/shops.ts';
import { ann, boss, charges, database, ledger, pass, periods, registrar, shop, usePurchases } from './world.ts';

const NAME = 'first.ru';
const EXPIRES = '2027-02-13T21:00:00.000Z';
const RENEWED = '2028-02-13T21:00:00.000Z';
const PRICE = 24_900;
const RENEW = '* /service/renew';
const MINUTE_MS = 60_000;

const moments = (act: string): string[] =>
  ['before-intent', 'after-intent', 'after-call', 'after-done'].map((when) => `renew:${act}:${when}`);

/** The points that a renewal passes, in their order. */
export const POINTS = [
  ...moments('reserve'),
  'renew:send:before-intent',
  'renew:send:after-intent',
  'purchase:before-sending',
  'purchase:sending',
  'purchase:answered',
  'purchase:settled',
  'renew:send:after-call',
  'renew:send:after-done',
];

let key: Buffer;
let domain: number;

async function prepare(): Promise<void> {
  // The registrar's password has to be read by another process.
  key = randomBytes(32);
  useSecretKey(key);
  await updateAccount(boss, registrarKind, registrar, { password: LOGIN.password }, 'masked');
  const caps = (['all', 'name'] as const).map((scope) => ({
    scope,
    scope_id: 0,
    currency: 'RUB',
    amount: '1000.00',
  }));
  await setBudget({ caps: caps as never });
  registerFlows([renewalFlow]);
  domain = await transaction(() =>
    insertRow(domains, {
      domain_name: NAME,
      unicode_name: NAME,
      user_id: ann.id ?? 0,
      registrars_id: registrar,
      file_path: '/',
      type: 'main',
      transfer_type: 'auto',
      transfer_dns: 'off',
      expired_at: EXPIRES,
      status: 'available',
      created_at: EXPIRES,
      updated_at: EXPIRES,
    }),
  );
}

/** Opens a database with a name that can be renewed, before each test. */
export function useRenewals(): void {
  usePurchases('reg.ru');
  beforeEach(prepare);
}

/** Queues the renewal at what it costs; returns its operation. */
async function queue(): Promise<number> {
  const { quotes } = await planRenewals(ann, [domain]);
  const shown = quotes.map(({ id, price, currency, expires_at }) => ({
    id,
    price: price ?? '',
    currency: currency ?? '',
    expires_at: expires_at ?? '',
  }));
  return (await startRenewals(ann, { domains: shown }, { here: true })).id;
}

const state = async (): Promise<string | undefined> => (await ledger()).at(-1)?.state;

/** Works a renewal on whose process died, and looks its order up as the job does while time passes. */
async function finish(operation: number): Promise<void> {
  await endLeases();
  const stop = new AbortController();
  const running = runOperation(operation, { signal: stop.signal });
  const known = async (): Promise<void> => {
    await expect.poll(state).toMatch(/committed|released|unknown/);
  };
  await Promise.race([running, known()]);
  stop.abort();
  await running;
  for (let turn = 0; turn < 3 && (await state()) === 'unknown'; turn += 1) {
    await pass(45 * MINUTE_MS);
    await settlePurchases(new AbortController().signal);
  }
  await transaction(() => execute('UPDATE operation_items SET not_before = NULL WHERE not_before IS NOT NULL'));
  await endLeases();
  const stateOf = async () => (await operationRow(operation)).state;
  if (['queued', 'running'].includes(await stateOf())) await runOperation(operation);
  expect(await stateOf()).toBe((await state()) === 'committed' ? 'succeeded' : 'failed');
}

/** Expects one charge, its money counted, and the date of the registry in the portfolio. */
async function expectRenewed(): Promise<void> {
  expect(charges().map(({ kind, name, amount }) => [kind, name, amount])).toEqual([['renew', NAME, PRICE]]);
  expect(shop.requests.filter(({ path }) => path === '/service/renew')).toHaveLength(1);
  expect((await ledger()).at(-1)).toMatchObject({ state: 'committed', charged: PRICE, domain_id: domain });
  const all = (await periods()).find(({ scope }) => scope === 'all')!;
  expect([all.reserved, all.spent, all.beyond]).toEqual([0, PRICE, 0]);
  expect(shop.state.accounts[0]!.domains.find(({ name }) => name === NAME)?.expires_at).toBe(RENEWED);
  expect(await select('SELECT expired_at FROM domains WHERE id = $domain', { domain })).toEqual([
    { expired_at: RENEWED },
  ]);
}

/** Renews undisturbed and returns the points that were passed. */
export async function pointsOfRenewal(): Promise<string[]> {
  const points: string[] = [];
  interceptCrashPoints((point) => points.push(point));
  await runOperation(await queue());
  interceptCrashPoints();
  await expectRenewed();
  return points;
}

/**
 * Kills a renewal at a point and finishes it. Begun and not sent it is released, since nobody can know at first, and renewed by a second one.
 * `lost`: the answer of the registrar is lost.
 */
export async function playRenewal(point: string, lost = false): Promise<void> {
  await playOut(await queue(), point, lost);
}

/** As `playRenewal`, of another try of a renewal that was released, as the account had no money for it. */
export async function playAgain(point: string, lost = false): Promise<void> {
  const operation = await queue();
  const account = shop.state.accounts[0]!;
  const { balance } = account;
  account.balance = 0;
  expect((await runOperation(operation)).state).toBe('failed');
  account.balance = balance;
  await requeue(operation);
  await playOut(operation, point, lost);
  expect((await ledger())[0]).toMatchObject({ state: 'released', operation_id: operation });
}

async function playOut(operation: number, point: string, lost: boolean): Promise<void> {
  if (lost) shop.faults.push({ kind: 'act-then-drop', call: RENEW });
  await endLeases();
  process.env['SEO_ADMIN_CRASH_AT'] = point;
  const args = [database.file, database.folder, shop.url, key.toString('hex'), String(operation)];
  const child = startChild('test/children/renew.ts', args);
  delete process.env['SEO_ADMIN_CRASH_AT'];
  await expect(child.output()).rejects.toThrow('ended');
  expect(child.process.signalCode).toBe('SIGKILL');
  await finish(operation);
  if (point === 'purchase:sending') {
    expect([charges(), await state()]).toEqual([[], 'released']);
    await runOperation(await queue());
  }
  await expectRenewed();
}
