// Shared parts of the tests of purchases: a registrar that counts charges, a database of its own, and an operation that buys.
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import type { ShopServer } from '../../../src/demo/registrars/server.ts';
import type { Charge } from '../../../src/demo/registrars/shop.ts';
import type { Config } from '../../../src/lib/config.ts';
import { registerFlows, runOperation } from '../../../src/operations/engine.ts';
import { itemFlow } from '../../../src/operations/items.ts';
import { enqueue } from '../../../src/operations/queue.ts';
import { createAccount } from '../../../src/services/accounts/accounts.ts';
import type { Actor } from '../../../src/services/access/scope.ts';
import { createProject } from '../../../src/services/portfolio/projects.ts';
import { purchaseActs } from '../../../src/services/purchases/acts.ts';
import { setBudget } from '../../../src/services/purchases/budget.ts';
import { lookUp } from '../../../src/services/purchases/look-up.ts';
import type { PurchaseOrder } from '../../../src/services/purchases/reserve.ts';
import { openShop, type Shop } from '../../../src/services/purchases/shop.ts';
import { registrarKind } from '../../../src/shared/accounts/registrars.ts';
import type { OperationItemRow, OperationRow } from '../../../src/shared/operations/tables.ts';
import type { BudgetPeriodRow, PurchaseRow } from '../../../src/shared/purchases/tables.ts';
import { addUser, startDatabase, type TestDatabase } from '../../support/database.ts';
import { LOGIN, shopState, startRegistrar } from '../../support/registrars/shops.ts';
import { temporaryConfig } from '../../support/server.ts';

/** A registrar of the type porkbun.com, whose names cost 199.00. */
export let shop: ShopServer;
/** The database of the running test. */
export let database: TestDatabase;
/** A user who owns the project, and two admins. */
export let ann: Actor;
export let boss: Actor;
export let chief: Actor;
/** The registrar's and the project's id. */
export let registrar: number;
export let project: number;

/** The work of an operation that buys names; the price of each is in its data. */
const work = {
  patience: { attempts: 3, firstPauseMs: 1, longestPauseMs: 2 },
  open: async (_lane: string, items: readonly { lane_id: number | null }[]) => openShop(items[0]?.lane_id ?? 0),
  acts: (item: { operation_id: number; data: PurchaseOrder }, opened: Shop) =>
    purchaseActs({ ...item.data, operation_id: item.operation_id }, opened),
};

/** Starts the registrar before the tests of a file, and opens a new database before each. `registrarPace` is how calls are held back. */
export function usePurchases(
  type: 'porkbun.com' | 'reg.ru' = 'porkbun.com',
  paced: Pick<Config, 'registrarPace'> = {},
): void {
  beforeAll(async () => {
    shop = await startRegistrar(type);
  });
  afterAll(() => shop.close());
  beforeEach(async () => {
    Object.assign(shop.state, shopState(type));
    shop.faults.length = 0;
    database = await startDatabase();
    temporaryConfig({ registrarUrls: { [type]: shop.url }, ...paced }, database.folder);
    registerFlows([itemFlow('test_buy', work as never)]);
    [ann, boss, chief] = [await addUser('ann'), await addUser('boss', 'admin'), await addUser('chief', 'admin')];
    const { login, password } = LOGIN;
    const input = { name: 'Pork', type, login, password } as const;
    ({ id: registrar } = await createAccount(boss, registrarKind, input, 'masked'));
    ({ id: project } = await createProject(ann, { name: 'One' }));
    shop.requests.length = 0;
  });
  afterEach(() => database.close());
}

/** Sets caps in dollars. */
export const allow = (all = '1000.00', name = '500.00'): ReturnType<typeof setBudget> =>
  setBudget({
    caps: [
      { scope: 'all', scope_id: 0, currency: 'USD', amount: all },
      { scope: 'name', scope_id: 0, currency: 'USD', amount: name },
    ],
  });

/** An order for a free name. */
export const order = (domain_name: string, more: Partial<PurchaseOrder> = {}): PurchaseOrder => ({
  kind: 'register',
  domain_name,
  registrar_id: registrar,
  project_id: project,
  user_id: ann.id,
  asker_id: ann.id,
  asked_by: 'person',
  operation_id: null,
  years: 1,
  expires_before: null,
  offer: { state: 'free', price: { amount: '199.00', currency: 'USD' } },
  ...more,
});

/** Queues an operation that buys names; returns its id. */
export async function queueBuying(orders: readonly PurchaseOrder[]): Promise<number> {
  const items = orders.map((data) => ({
    item: `buy ${data.domain_name}`,
    lane: `registrar:${data.registrar_id}`,
    lane_id: data.registrar_id,
    uses: [{ kind: 'registrars', id: data.registrar_id }],
    data,
  }));
  const subject = orders.map(({ domain_name }) => domain_name).join();
  const message = { key: 'operation.broken' } as const;
  const { id } = await enqueue({ kind: 'test_buy', subject, user_id: ann.id, input: {}, message, items }, true);
  return id;
}

/** Buys names by an operation, to its end. */
export async function buy(...orders: PurchaseOrder[]): Promise<OperationRow> {
  return runOperation(await queueBuying(orders));
}

/** Charges of the registrar. */
export const charges = (): Charge[] => shop.state.accounts[0]?.charges ?? [];

/** The ledger, oldest first. */
export const ledger = (): Promise<PurchaseRow[]> => select('SELECT * FROM purchases ORDER BY id');

/** The sums of every day. */
export const periods = (): Promise<BudgetPeriodRow[]> => select('SELECT * FROM budget_periods ORDER BY id');

/** The items of an operation. */
export const itemsOf = (id: number): Promise<OperationItemRow[]> =>
  select('SELECT * FROM operation_items WHERE operation_id = $id ORDER BY id', { id });

/** Moves the past of every purchase back, as if so much time had passed since. */
export async function pass(ms: number): Promise<void> {
  const rows = await ledger();
  const back = (time: string | null): string | null => time && new Date(Date.parse(time) - ms).toISOString();
  await transaction(async () => {
    for (const { id, sent_at, look_at, absent_at, changed_at, created_at } of rows) {
      await execute(
        `UPDATE purchases SET sent_at = $sent_at, look_at = $look_at, absent_at = $absent_at, changed_at = $changed_at,
           created_at = $created_at WHERE id = $id`,
        {
          id,
          sent_at: back(sent_at),
          look_at: back(look_at),
          absent_at: back(absent_at),
          changed_at: back(changed_at),
          created_at: back(created_at),
        },
      );
    }
  });
}

/** Looks up every order that is due. */
export async function look(): Promise<void> {
  const now = new Date().toISOString();
  for (const { id, look_at } of await ledger()) {
    if (look_at !== null && look_at <= now) await lookUp(id, await openShop(registrar));
  }
}

/** Asserts the invariants of the ledger after any schedule. */
export async function expectSound(): Promise<void> {
  const [rows, sums] = [await ledger(), await periods()];
  const charged = charges();
  expect(
    new Set(charged.map(({ name, kind, reference }) => `${kind} ${name} ${kind === 'renew' ? reference : ''}`)).size,
  ).toBe(charged.length);
  for (const { reserved, spent, cap } of sums) {
    expect(reserved).toBeGreaterThanOrEqual(0);
    if (cap !== null) expect(reserved + spent).toBeLessThanOrEqual(cap);
  }
  for (const { name } of charged) {
    const live = rows.filter(
      ({ domain_name, state }) => domain_name === name && state !== 'released' && state !== 'simulated',
    );
    expect([name, live.length]).toEqual([name, 1]);
  }
  for (const row of rows.filter(({ state }) => state === 'committed')) {
    const held = await select('SELECT 1 FROM domains WHERE domain_name = $name AND deleted_at IS NULL', {
      name: row.domain_name,
    });
    expect([row.domain_name, held.length]).toEqual([row.domain_name, 1]);
  }
}
