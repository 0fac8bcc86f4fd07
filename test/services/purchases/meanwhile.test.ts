// Changes around an order that is being sent, or whose end is not known: it is sent once, its money stays held, and it comes to its end.
import { describe, expect, test } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import { deleteRow } from '../../../db/rows.ts';
import { runOperation } from '../../../src/operations/engine.ts';
import { disableUser, setPassword } from '../../../src/services/access/user-changes.ts';
import { updateAccount } from '../../../src/services/accounts/accounts.ts';
import { deleteTeamRow } from '../../../src/services/accounts/team.ts';
import { AddedAlike, addDomains } from '../../../src/services/portfolio/domain-adding.ts';
import { deleteProject } from '../../../src/services/portfolio/projects.ts';
import { resolvePurchase } from '../../../src/services/purchases/decisions.ts';
import { beginSending, markUnknown } from '../../../src/services/purchases/ledger.ts';
import { findPurchase } from '../../../src/services/purchases/purchases.ts';
import { reservePurchase, type PurchaseOrder } from '../../../src/services/purchases/reserve.ts';
import { settlePurchases } from '../../../src/services/purchases/sweep.ts';
import { users } from '../../../src/shared/access/tables.ts';
import { registrarKind } from '../../../src/shared/accounts/registrars.ts';
import { hold, type FaultKind } from '../../../src/demo/cloudflare/faults.ts';
import { addUser } from '../../support/database.ts';
import { LOGIN } from '../../support/registrars/shops.ts';
import {
  allow,
  ann,
  boss,
  charges,
  expectSound,
  itemsOf,
  ledger,
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
const PRICE = 19_900;
const CREATE = '* /domain/create/**';

const state = async (): Promise<string | undefined> => (await ledger())[0]?.state;
/** Returns the sums held, spent and charged beyond a quote under every cap of the day. */
const sums = async () => (await periods()).map(({ reserved, spent, beyond }) => [reserved, spent, beyond]);
const each = (...of: [reserved: number, spent: number, beyond: number]) => [of, of, of, of];
const settle = async (ms = MINUTE_MS): Promise<void> => {
  await pass(ms);
  await settlePurchases(new AbortController().signal);
};
const setSecret = (password: string) => updateAccount(boss, registrarKind, registrar, { password }, 'masked');
const orders = (): number => shop.requests.filter(({ path }) => path.startsWith('/domain/create')).length;

/** Sends an order, and returns its operation once it is in a state. */
async function sent(fault: FaultKind, until: string, more: Partial<PurchaseOrder> = {}) {
  await allow();
  shop.faults.push({ ...fault, call: CREATE });
  const stop = new AbortController();
  const operation = await queueBuying([order('new.com', more)]);
  const running = runOperation(operation, { signal: stop.signal });
  await expect.poll(state).toBe(until);
  await expect.poll(orders).toBe(1);
  return { operation, running, stop: () => (stop.abort(), running) };
}

interface Change {
  /** Whom the order is charged to, where it is not the owner of the project. */
  guest?: number;
  make: () => Promise<unknown>;
}

const CHANGES: [what: string, prepare: () => Promise<Change>][] = [
  [
    'its user is deleted',
    async () => {
      const { id } = await addUser('guest');
      return { guest: id, make: () => transaction(() => deleteRow(users, id)) };
    },
  ],
  ['its user is blocked', async () => ({ make: () => disableUser('ann') })],
  ['its user has another password', async () => ({ make: () => setPassword('ann', 'another secret word') })],
  ['its project is deleted', async () => ({ make: () => deleteProject(ann, project) })],
  [
    'its registrar can’t be deleted',
    async () => ({
      make: () =>
        expect(deleteTeamRow(boss, 'registrars', registrar)).rejects.toMatchObject({
          code: 'in_use',
          params: { uses: expect.stringContaining('new.com') },
        }),
    }),
  ],
];

/** Expects the order paid once, counted where its money was held, and its domain in the portfolio. */
async function expectPaid(): Promise<void> {
  expect([await state(), charges().length, orders()]).toEqual(['committed', 1, 1]);
  expect(await sums()).toEqual(each(0, PRICE, 0));
  expect(await select('SELECT domain_name, user_id, registrars_id FROM domains WHERE deleted_at IS NULL')).toEqual([
    { domain_name: 'new.com', user_id: ann.id, registrars_id: registrar },
  ]);
  await expectSound();
}

describe.each(CHANGES)('where %s', (_what, prepare) => {
  test('an order that is being sent is heard, and paid once', async () => {
    const { guest, make } = await prepare();
    const more = guest === undefined ? {} : { user_id: guest, asker_id: guest };
    const answer = hold();
    const { running } = await sent(answer.fault, 'sending', more);
    await make();
    expect(await state()).toBe('sending');
    expect(await sums()).toEqual(each(PRICE, 0, 0));
    answer.release();
    await running;
    await settle();
    await expectPaid();
  });

  test('an order whose answer was lost is found, and not sent again', async () => {
    const { guest, make } = await prepare();
    const more = guest === undefined ? {} : { user_id: guest, asker_id: guest };
    const { stop } = await sent({ kind: 'act-then-drop' }, 'unknown', more);
    await stop();
    await make();
    expect(await sums()).toEqual(each(PRICE, 0, 0));
    await settle();
    await expectPaid();
  });
});

test('an operation whose user is blocked while an answer is missing ends, and its order is found all the same', async () => {
  const { operation, running } = await sent({ kind: 'act-then-drop' }, 'unknown');
  await disableUser('ann');
  const { state: end } = await running;
  expect([end, (await itemsOf(operation)).map((item) => item.state)]).toEqual(['failed', ['failed']]);
  await settle();
  await expectPaid();
});

describe('where the password of its registrar is wrong for a while', () => {
  test('an order whose answer was lost stays open at one call a look, and is found with the right one', async () => {
    const { stop } = await sent({ kind: 'act-then-drop' }, 'unknown');
    await stop();
    await setSecret('wrong');
    for (const looks of [1, 2]) {
      shop.requests.length = 0;
      await settle(10 * MINUTE_MS);
      expect((await ledger())[0]).toMatchObject({ state: 'unknown', looks });
      expect(await sums()).toEqual(each(PRICE, 0, 0));
      expect(shop.requests).toHaveLength(1);
    }
    const { evidence } = await findPurchase(boss, 1);
    expect(evidence.at(-1)?.said.key).toBe('provider.credentials');
    await setSecret(LOGIN.password);
    await settle(60 * MINUTE_MS);
    expect([await state(), charges().length]).toEqual(['committed', 1]);
  });

  test('several orders cost one call a run', async () => {
    await allow();
    const names = ['a.com', 'b.com', 'c.com'];
    for (const name of names) {
      const { id } = await reservePurchase(order(name));
      await beginSending(id, null);
      await markUnknown(id, { key: 'purchase.slow' });
    }
    await setSecret('wrong');
    shop.requests.length = 0;
    await settle();
    expect(shop.requests).toHaveLength(1);
    expect((await ledger()).map(({ state: one, looks }) => [one, looks])).toEqual(names.map(() => ['unknown', 1]));
  });

  test('an order that is being sent is heard', async () => {
    const answer = hold();
    const { running } = await sent(answer.fault, 'sending');
    await setSecret('wrong');
    answer.release();
    await running;
    expect(await state()).toBe('committed');
    await expectPaid();
  });
});

test('an order whose registrar is gone from the database waits for a person, and keeps no other from being looked up', async () => {
  const { stop } = await sent({ kind: 'act-then-drop' }, 'unknown');
  await stop();
  await transaction(() => execute('DELETE FROM registrars WHERE id = $registrar', { registrar }));
  await settle();
  expect(await findPurchase(boss, 1)).toMatchObject({ state: 'unknown', needs_person: true, look_at: null });
  expect((await findPurchase(boss, 1)).evidence.at(-1)?.said.key).toBe('purchase.registrar_gone');
  expect(await sums()).toEqual(each(PRICE, 0, 0));
  await resolvePurchase(boss, 1, true);
  expect([await state(), await sums()]).toEqual(['committed', each(0, PRICE, 0)]);
});

test('a name that somebody adds to the portfolio before its order is sent is not bought, and nothing stays held', async () => {
  await allow();
  const { id } = await reservePurchase(order('new.com'));
  await addDomains(boss, ['new.com'], AddedAlike.parse({ type: 'main', transfer_type: 'auto', transfer_dns: 'off' }));
  await expect(beginSending(id, null)).rejects.toMatchObject({ code: 'not_sent', key: 'domain.taken' });
  expect([await state(), orders(), await sums()]).toEqual(['released', 0, each(0, 0, 0)]);
  await expectSound();
});
