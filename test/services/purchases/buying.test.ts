// One purchase: what is held, sent, heard and written, and what is never sent twice.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { select } from '../../../db/index.ts';
import { runOperation } from '../../../src/operations/engine.ts';
import { createAccount } from '../../../src/services/accounts/accounts.ts';
import { deleteTeamRow } from '../../../src/services/accounts/team.ts';
import { createProject } from '../../../src/services/portfolio/projects.ts';
import { setBudget, switchPurchases } from '../../../src/services/purchases/budget.ts';
import { approvePurchase, resolvePurchase } from '../../../src/services/purchases/decisions.ts';
import { beginSending } from '../../../src/services/purchases/ledger.ts';
import { reservePurchase } from '../../../src/services/purchases/reserve.ts';
import { registrarKind } from '../../../src/shared/accounts/registrars.ts';
import { paceOf } from '../../../src/providers/pace.ts';
import { settlePurchases } from '../../../src/services/purchases/sweep.ts';
import { addUser } from '../../support/database.ts';
import { AT_ONCE, LOGIN } from '../../support/registrars/shops.ts';
import {
  allow,
  ann,
  boss,
  buy,
  charges,
  chief,
  expectSound,
  itemsOf,
  ledger,
  look,
  order,
  pass,
  periods,
  project,
  queueBuying,
  registrar,
  shop,
  usePurchases,
} from './world.ts';

usePurchases();

const MINUTE_MS = 60_000;
const never = new AbortController().signal;
const state = async (): Promise<string> => (await ledger())[0]?.state ?? '';

test('an order that waits for its turn when purchases go off is not sent', async () => {
  await allow();
  const id = await queueBuying([order('waits.com')]);
  // The registrar's own pace for orders: all other calls go out at once.
  paceOf(`porkbun.com ${shop.url} ${LOGIN.login} create`, AT_ONCE).pause(3);
  const running = runOperation(id);
  await expect.poll(() => shop.requests.filter(({ path }) => path.includes('balance')).length).toBeGreaterThan(0);
  // By now it waits in that queue.
  await sleep(1_000);
  await switchPurchases('off');
  await running;
  expect(charges()).toEqual([]);
  expect(['reserved', 'released']).toContain(await state());
  await expectSound();
});

test('a price that the registrar has raised since it was offered is refused, with both prices, and nothing stays held', async () => {
  await allow();
  shop.state.prices['com'] = { register: 20_000, renew: 24_900 };
  const { id } = await buy(order('dearer.com'));
  expect([await state(), charges()]).toEqual(['released', []]);
  const told = {
    key: 'purchase.price_refused',
    params: { price: '199.00 USD', message: expect.stringContaining('20000') },
  };
  expect(JSON.parse((await ledger())[0]?.error ?? '')).toMatchObject(told);
  expect(JSON.parse((await itemsOf(id))[0]?.error ?? '')).toMatchObject(told);
  expect((await periods())[0]).toMatchObject({ reserved: 0, spent: 0 });
});

test('a bought name is charged once, and is a reserve of its project', async () => {
  await allow();
  expect((await buy(order('new.com'))).state).toBe('succeeded');
  expect(charges().map(({ name, amount }) => [name, amount])).toEqual([['new.com', 19_900]]);
  const [row] = await ledger();
  expect(row).toMatchObject({ state: 'committed', charged: 19_900, order_id: expect.any(String), cap: 50_000 });
  const [domain] = await select<object>('SELECT * FROM domains');
  expect(domain).toMatchObject({
    id: row?.domain_id,
    domain_name: 'new.com',
    type: 'transfer',
    status: 'available',
    project_id: project,
    user_id: ann.id,
    registrars_id: registrar,
  });
  expect((await periods()).map(({ scope, reserved, spent }) => [scope, reserved, spent])).toEqual([
    ['all', 0, 19_900],
    ['registrar', 0, 19_900],
    ['project', 0, 19_900],
    ['user', 0, 19_900],
  ]);
  await expectSound();
});

test('without a cap a purchase is simulated: nothing is held and nothing is sent', async () => {
  const operation = await buy(order('new.com'));
  expect([await state(), charges(), await periods()]).toEqual(['simulated', [], []]);
  expect(JSON.parse((await itemsOf(operation.id))[0]?.error ?? '{}')).toMatchObject({ key: 'purchase.simulated' });
  expect(shop.requests.filter(({ path }) => path.includes('create'))).toEqual([]);
});

test('premium names, unknown currencies, high prices and names that are had are refused, and hold nothing', async () => {
  await allow('300.00', '250.00');
  const price = { amount: '199.00', currency: 'USD' };
  const refusals: [Parameters<typeof order>[1], string][] = [
    [{ offer: { state: 'premium', price } }, 'purchase.premium'],
    [{ offer: { state: 'taken', price } }, 'purchase.not_free'],
    [{ offer: { state: 'free', price: { ...price, currency: 'XAU' } } }, 'purchase.currency'],
    [{ offer: { state: 'free', price: { ...price, currency: 'RUB' } } }, 'purchase.currency'],
    [{ offer: { state: 'free', price: null } }, 'purchase.currency'],
    [{ offer: { state: 'free', price: { ...price, amount: '0.00' } } }, 'purchase.no_price'],
    [{ offer: { state: 'free', price: { ...price, amount: '250.01' } } }, 'purchase.cap_name'],
    [{ project_id: 999 }, 'error.unknown_reference'],
    [{ registrar_id: 999 }, 'error.unknown_reference'],
  ];
  for (const [more, key] of refusals)
    await expect(reservePurchase(order('new.com', more))).rejects.toMatchObject({ key });
  await reservePurchase(order('new.com'));
  await expect(reservePurchase(order('new.com'))).rejects.toMatchObject({ key: 'purchase.held' });
  await expect(reservePurchase(order('other.com'))).rejects.toMatchObject({ key: 'purchase.cap_all' });
  expect(await ledger()).toHaveLength(1);
});

test('an answer that was not heard is looked up: the name is found, and never sent again', async () => {
  await allow();
  shop.faults.push({ kind: 'act-then-drop', call: '* /domain/create/**' });
  const id = await queueBuying([order('new.com')]);
  const stop = new AbortController();
  const running = runOperation(id, { signal: stop.signal });
  await expect.poll(state).toBe('unknown');
  expect((await periods())[0]).toMatchObject({ reserved: 19_900, spent: 0 });
  stop.abort();
  await running;
  await pass(MINUTE_MS);
  await settlePurchases(never);
  expect([await state(), charges().length]).toEqual(['committed', 1]);
  await expectSound();
});

test('an order that never arrived is released after two complete looks half an hour apart, and not before', async () => {
  await allow();
  shop.faults.push({ kind: 'drop-before', call: '* /domain/create/**' });
  const stop = new AbortController();
  const running = runOperation(await queueBuying([order('new.com')]), { signal: stop.signal });
  await expect.poll(state).toBe('unknown');
  stop.abort();
  await running;
  for (const minutes of [1, 1, 10]) {
    await pass(minutes * MINUTE_MS);
    await look();
    expect([await state(), (await periods())[0]?.reserved]).toEqual(['unknown', 19_900]);
  }
  await pass(50 * MINUTE_MS);
  await look();
  expect([await state(), (await periods())[0]?.reserved, charges()]).toEqual(['released', 0, []]);
});

test('a name that somebody else has taken meanwhile proves nothing: its money stays held for a person', async () => {
  await allow();
  shop.faults.push({ kind: 'drop-before', call: '* /domain/create/**' });
  const stop = new AbortController();
  const running = runOperation(await queueBuying([order('new.com')]), { signal: stop.signal });
  await expect.poll(state).toBe('unknown');
  stop.abort();
  await running;
  shop.state.taken.push('new.com');
  for (let round = 0; round < 20; round += 1) {
    await pass(9 * 60 * MINUTE_MS);
    await look();
  }
  expect((await ledger())[0]).toMatchObject({ state: 'unknown', look_at: null });
  expect((await periods())[0]?.reserved).toBe(19_900);
  expect(await resolvePurchase(boss, 1, false)).toMatchObject({ state: 'released', resolver_id: boss.id });
  expect((await periods())[0]?.reserved).toBe(0);
  await expect(resolvePurchase(boss, 1, true)).rejects.toMatchObject({ key: 'purchase.not_open' });
});

test('a refusal and a wrong login give the money back, too many calls keep it and send the order later', async () => {
  await allow();
  shop.state.taken.push('taken2.com');
  await buy(order('taken2.com'));
  expect([await state(), (await periods())[0]?.reserved, charges()]).toEqual(['released', 0, []]);
  shop.faults.push({ kind: '429', retryAfter: 1, call: '* /domain/create/**' });
  await buy(order('new.com'));
  expect((await ledger()).map((row) => row.state)).toEqual(['released', 'committed']);
  expect(charges()).toHaveLength(1);
  await expectSound();
});

test('while purchases are off nothing is reserved, and what was reserved is not sent', async () => {
  await allow();
  const id = await queueBuying([order('new.com')]);
  await switchPurchases('off');
  await expect(reservePurchase(order('other.com'))).rejects.toMatchObject({ code: 'purchases_off' });
  await runOperation(id);
  await switchPurchases('on');
  const row = await reservePurchase(order('third.com'));
  await switchPurchases('off');
  await expect(beginSending(row.id, null)).rejects.toMatchObject({ key: 'purchases.off' });
  expect([(await ledger()).map((one) => one.state), charges(), (await periods())[0]?.reserved]).toEqual([
    ['released'],
    [],
    0,
  ]);
});

test('above the sum that is set another admin than the asker approves', async () => {
  await allow();
  await setBudget({ caps: [{ scope: 'approval', scope_id: 0, currency: 'USD', amount: '100.00' }] });
  const row = await reservePurchase(order('new.com', { asker_id: boss.id }));
  expect(row.state).toBe('awaiting_approval');
  await expect(approvePurchase(boss, row.id)).rejects.toMatchObject({ key: 'purchase.own_approval' });
  await expect(approvePurchase({ id: null, login: 'system', role: 'admin' }, row.id)).rejects.toMatchObject({
    key: 'purchase.own_approval',
  });
  expect(await approvePurchase(chief, row.id)).toMatchObject({ state: 'reserved', approver_id: chief.id });
  await expect(approvePurchase(chief, row.id)).rejects.toMatchObject({ key: 'purchase.not_awaiting' });
});

test('a registrar with a purchase whose end is open is not deleted, and the purchase is named', async () => {
  await allow();
  await reservePurchase(order('new.com'));
  await expect(deleteTeamRow(boss, 'registrars', registrar)).rejects.toMatchObject({
    code: 'in_use',
    params: { uses: 'new.com' },
  });
});

test('a user who deletes a registrar is not told the names that others buy at it', async () => {
  await allow();
  const guest = await addUser('guest');
  const { login, password } = LOGIN;
  const input = { name: 'Own', type: 'porkbun.com', login, password } as const;
  const own = await createAccount(guest, registrarKind, input, 'masked');
  await reservePurchase(order('new.com', { registrar_id: own.id }));
  const { id: theirs } = await createProject(guest, { name: 'Theirs' });
  await reservePurchase(order('other.com', { registrar_id: own.id, project_id: theirs, user_id: guest.id }));
  const refused = (uses: string) => ({ code: 'in_use', params: { uses } });
  await expect(deleteTeamRow(guest, 'registrars', own.id)).rejects.toMatchObject(refused('other.com, +1'));
  await expect(deleteTeamRow(boss, 'registrars', own.id)).rejects.toMatchObject(refused('new.com, other.com'));
});
