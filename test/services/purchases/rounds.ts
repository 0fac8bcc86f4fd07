// Rounds of schedules: what goes wrong in each is drawn by its seed; afterwards every order is brought to its end and counted.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import { setBudget, switchPurchases } from '../../../src/services/purchases/budget.ts';
import { resolvePurchase } from '../../../src/services/purchases/decisions.ts';
import { lookUp } from '../../../src/services/purchases/look-up.ts';
import { markUnknown, refuse } from '../../../src/services/purchases/ledger.ts';
import type { PurchaseRow } from '../../../src/shared/purchases/tables.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import type { FaultKind } from '../../../src/demo/cloudflare/faults.ts';
import { startChild } from '../../support/child.ts';
import { random } from '../../support/random.ts';
import { shopState } from '../../support/registrars/shops.ts';
import { SLOW, insertOperations, shopAt, work, type Task } from './schedules.ts';
import { RENEWAL, stockWith } from './renewable.ts';
import { ann, charges, database, order, project, registrar, shop } from './world.ts';

const PRICE = 19_900;
const RUBLES = { offer: { state: 'free', price: { amount: '199.00', currency: 'RUB' } } } as const;
const DAY_MS = 86_400_000;

// Each acts or not before its answer is lost; that of a slow name comes after the process has given up.
const FAULTS: FaultKind[] = [
  { kind: 'drop-before' },
  { kind: 'act-then-drop' },
  { kind: 'act-then-drop' },
  { kind: 'malformed' },
  { kind: 'status', status: 502 },
  { kind: 'delay', ms: 20 },
  { kind: '429', retryAfter: 0.02 },
];
// The switch is turned off so long after the beginning at most, for each schedule.
const SWITCH_MS = 15;
const SLOW_ANSWER: FaultKind = { kind: 'delay', ms: 80 };

const CREATE = '/domain/create';
const ORDERS = new Set([CREATE, '/service/renew']);
const dollars = (minor: number): string => (minor / 100).toFixed(2);

interface Round {
  seed: number;
  /** Number of schedules. */
  size: number;
  /** A second process works on the same tasks; with a point, it is killed there. */
  beside?: true | string;
}

/** Sets caps of the day that leave room for so many names; two admins at once. */
async function allowNames(names: number): Promise<void> {
  const [all] = await select<{ used: number }>(
    `SELECT CAST(COALESCE(SUM(reserved + spent + beyond), 0) AS INTEGER) AS used FROM budget_periods WHERE scope = 'all'`,
  );
  const sum = (all?.used ?? 0) + names * PRICE;
  const cap = (scope: 'all' | 'project' | 'name', minor: number) => ({
    caps: [{ scope, scope_id: scope === 'project' ? project : 0, currency: 'RUB' as const, amount: dollars(minor) }],
    names_day: 1_000_000,
    names_project: 1_000_000,
    pause_minutes: 0,
  });
  await setBudget(cap('name', PRICE));
  await Promise.all([setBudget(cap('all', sum)), setBudget(cap('project', sum + PRICE))]);
}

const OPEN = `state NOT IN ('committed', 'released', 'simulated')`;
const openRows = (): Promise<PurchaseRow[]> => select(`SELECT * FROM purchases WHERE ${OPEN} ORDER BY id`);

/** Moves the past of what is open back by half a day. */
async function passHalfDay(rows: readonly PurchaseRow[]): Promise<void> {
  const back = (time: string | null): string | null => time && new Date(Date.parse(time) - DAY_MS / 2).toISOString();
  await transaction(async () => {
    for (const { id, sent_at, look_at, absent_at } of rows) {
      await execute(
        'UPDATE purchases SET sent_at = $sent_at, look_at = $look_at, absent_at = $absent_at WHERE id = $id',
        {
          id,
          sent_at: back(sent_at),
          look_at: back(look_at),
          absent_at: back(absent_at),
        },
      );
    }
  });
}

/** Brings every purchase to its end, as the job and a person do. */
async function settleAll(): Promise<void> {
  const account = shopAt(registrar, shop.url);
  for (let turn = 0; turn < 14; turn += 1) {
    const rows = await openRows();
    if (rows.length === 0) return;
    for (const row of rows) {
      if (row.state === 'sending') await markUnknown(row.id, { key: 'purchase.unheard' });
      else if (row.state === 'reserved') await refuse(row.id, { key: 'purchase.abandoned' });
    }
    await passHalfDay(await openRows());
    for (const { id, look_at } of await openRows()) if (look_at !== null) await lookUp(id, account);
  }
  const bought = new Set(charges().map(({ name }) => name));
  for (const { id, domain_name } of await openRows()) await resolvePurchase(SYSTEM, id, bought.has(domain_name));
}

/** Returns the references of orders that the registrar has heard more than once; one that it refused to hear counts not. */
function heardTwice(): string[] {
  const heard = shop.requests
    .filter(({ path, status }) => path === CREATE && status !== 429)
    .map(({ body }) => (body as { user_servid: string }).user_servid);
  return heard.filter((reference, index) => heard.indexOf(reference) !== index);
}

/** Throws where something is not as it must be after a round. */
async function check({ seed }: Round, before: number, off: string | null): Promise<void> {
  const rows = await select<PurchaseRow>('SELECT * FROM purchases WHERE id > $before', { before });
  const found = new Map<string, PurchaseRow[]>();
  for (const row of rows) found.set(row.domain_name, [...(found.get(row.domain_name) ?? []), row]);
  const charged = charges().map(({ name }) => name);
  const say = `seed ${seed}`;
  expect(new Set(charged).size, `${say}: a name is charged once`).toBe(charged.length);
  expect(heardTwice(), `${say}: an order is sent once`).toEqual([]);
  const committed = rows.filter(({ state }) => state === 'committed').map(({ domain_name }) => domain_name);
  expect(committed.toSorted(), `${say}: every charge is in the ledger, and nothing else`).toEqual(charged.toSorted());
  const held = await select<{ domain_name: string }>(
    `SELECT d.domain_name FROM purchases x JOIN domains d ON d.id = x.domain_id AND d.deleted_at IS NULL
     WHERE x.id > $before AND x.state = 'committed'`,
    { before },
  );
  expect(held.map(({ domain_name }) => domain_name).toSorted(), `${say}: with its domain`).toEqual(charged.toSorted());
  const sums = await select<{ scope: string; reserved: number; spent: number; beyond: number; cap: number | null }>(
    `SELECT scope, CAST(SUM(reserved) AS INTEGER) AS reserved, CAST(SUM(spent) AS INTEGER) AS spent,
       CAST(SUM(beyond) AS INTEGER) AS beyond, CAST(SUM(cap) AS INTEGER) AS cap FROM budget_periods GROUP BY scope`,
  );
  const [total] = await select<{ n: number }>(`SELECT COUNT(*) AS n FROM purchases WHERE state = 'committed'`);
  for (const { scope, reserved, spent, beyond, cap } of sums) {
    const after = [reserved, spent, beyond];
    expect(after, `${say}: sums of ${scope}`).toEqual([0, (total?.n ?? 0) * PRICE, 0]);
    if (cap !== null) expect(spent, `${say}: cap of ${scope}`).toBeLessThanOrEqual(cap);
  }
  // Rows whose past was moved back were sent earlier than they say: only those that were not tell.
  const late = rows.filter(({ sent_at, looks }) => off !== null && looks === 0 && sent_at !== null && sent_at > off);
  expect(
    late.map(({ domain_name }) => domain_name),
    `${say}: nothing is sent after the switch`,
  ).toEqual([]);
}

/** Counts over rounds. A killed process counts as a crash. */
export interface Played {
  schedules: number;
  crashes: number;
  charges: number;
  /** Orders whose answer was lost: they were looked up. */
  lookedUp: number;
  /** Rounds in which purchases were switched off on the way. */
  switched: number;
}

export const nothing = (): Played => ({ schedules: 0, crashes: 0, charges: 0, lookedUp: 0, switched: 0 });

/** Plays a round and adds what happened to `played`. */
export async function play(round: Round, played: Played): Promise<void> {
  const { seed, size, beside } = round;
  const next = random(seed);
  Object.assign(shop.state, shopState('reg.ru'));
  shop.state.accounts[0]!.balance = 1_000_000_000;
  shop.state.accounts[0]!.domains = [];
  shop.state.careless = true;
  shop.requests.length = 0;
  shop.faults.length = 0;
  const [last] = await select<{ id: number | null }>('SELECT max(id) AS id FROM purchases');
  await switchPurchases('on');
  await allowNames(Math.ceil(size * (0.4 + next())));
  const operations = await insertOperations(seed, size, ann.id);
  const names = operations.map(
    (id, index) => `n${seed}-${next() < 0.1 && index > 0 ? operations[index - 1]! : id}${next() < 0.05 ? SLOW : ''}.ru`,
  );
  const renewed = new Set(names.filter((name) => !name.endsWith(`${SLOW}.ru`) && next() < 0.08));
  await stockWith(renewed, PRICE);
  const tasks: Task[] = operations.map((operation, index) => {
    const name = names[index]!;
    return { operation, order: order(name, renewed.has(name) ? { ...RUBLES, ...RENEWAL } : RUBLES) };
  });
  for (const name of names) {
    const fault = name.endsWith(`${SLOW}.ru`) ? SLOW_ANSWER : FAULTS[Math.floor(next() * FAULTS.length * 2)];
    if (fault)
      shop.faults.push({
        ...fault,
        match: ({ path, body }) => ORDERS.has(path) && (body as { domain_name?: string }).domain_name === name,
      });
  }
  const shopHere = shopAt(registrar, shop.url);
  // Within the time that a round of that size takes.
  const switching = next() < 0.3 ? Math.floor(next() * Math.min(900, size * SWITCH_MS)) : null;
  let off: string | null = null;
  const turnOff = async (): Promise<void> => {
    if (switching === null) return;
    await new Promise((resolve) => setTimeout(resolve, switching));
    await switchPurchases('off');
    const [row] = await select<{ changed_at: string }>('SELECT changed_at FROM budget_settings');
    off = row?.changed_at ?? null;
  };
  const [crashes, there] = await Promise.all([
    work(tasks, shopHere, { seed: seed + 1, workers: beside ? 4 : 8 }),
    beside ? workBeside(tasks, seed, beside) : 0,
    turnOff(),
  ]);
  // The process that takes over later knows nothing of the journals that were not committed.
  const again = await work(tasks, shopHere, { seed: seed + 2, chance: 0, tries: 1 });
  await settleAll();
  await check(round, last?.id ?? 0, off);
  const [looks] = await select<{ n: number }>('SELECT COUNT(*) AS n FROM purchases WHERE id > $last AND looks > 0', {
    last: last?.id ?? 0,
  });
  played.schedules += size;
  played.crashes += crashes + there + again;
  played.charges += charges().length;
  played.lookedUp += looks?.n ?? 0;
  played.switched += off === null ? 0 : 1;
}

async function workBeside(tasks: readonly Task[], seed: number, beside: true | string): Promise<number> {
  const file = join(database.folder, `tasks-${seed}.json`);
  writeFileSync(file, JSON.stringify(tasks));
  const args = [database.file, shop.url, String(registrar), file, String(seed + 3), beside === true ? '0.08' : '0'];
  if (beside !== true) process.env['SEO_ADMIN_CRASH_AT'] = beside;
  const child = startChild('test/children/purchases.ts', args);
  delete process.env['SEO_ADMIN_CRASH_AT'];
  if (beside === true) return Number(await child.output());
  await child.output().catch(() => undefined);
  return child.process.signalCode === 'SIGKILL' ? 1 : 0;
}
