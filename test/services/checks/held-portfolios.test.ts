// A check over everybody's domains measures each portfolio as its holder's own check does.
import { beforeEach, describe, expect, test } from 'vitest';
import { executeUnaudited, select, transaction } from '../../../db/index.ts';
import { runOperation } from '../../../src/operations/engine.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { acceptHeld, startCheck } from '../../../src/services/checks/checks.ts';
import { findOperation, listOperations } from '../../../src/services/operations/operations.ts';
import { viewOf } from '../../../src/services/operations/operation-views.ts';
import { findStop, findStopsOfUsers } from '../../../src/services/transfers/stops.ts';
import { recorded } from '../notices/recorded.ts';
import { add, ann, bob, check, history, loadList, many, stored, useWorld } from './check-world.ts';

useWorld();

const others = Array.from({ length: 900 }, (_, index) => `other-${index}.test`);
const bobs = Array.from({ length: 10 }, (_, index) => `bob-${index}.test`);
const anns = many(100);
const look = { steps: ['blocklist' as const] };

beforeEach(async () => {
  await add(ann, anns);
  await add(bob, bobs);
});

const blockedOf = async (names: readonly string[]): Promise<number> => {
  const status = await stored('status');
  return names.filter((name) => status[name] === 'blocked').length;
};

/** The held results, with who holds them. */
const holds = async (): Promise<object[]> => {
  const rows = await select<{ id: number; user_id: number | null; held: string }>(
    'SELECT id, user_id, held FROM operations WHERE held IS NOT NULL ORDER BY id',
  );
  return rows.map(({ id, user_id, held }) => {
    const { change, count, total } = JSON.parse(held) as Record<string, unknown>;
    return { id, user_id, change, count, total };
  });
};

/** Accepts a held result, runs the check that this starts, and returns its state. */
const accept = async (actor: typeof ann, id: number): Promise<string> =>
  (await runOperation((await acceptHeld(actor, id)).id)).state;

/** All names of the list are blocked; then one of these lists comes. */
const CHANGES = [
  { change: 'freed', before: [...others, ...anns, ...bobs], after: [...others, ...anns.slice(1)], was: 10 },
  { change: 'blocked', before: others, after: [...others, ...bobs, anns[0]!], was: 0 },
] as const;

describe.each(CHANGES)('a list by which all names of one user would be $change', ({ change, before, after, was }) => {
  const annNow = change === 'freed' ? 99 : 1;

  beforeEach(async () => {
    await loadList([...before]);
    await check(SYSTEM, { ...look, accept: true });
    await loadList([...after]);
  });

  test('is held for that user alone, and the rest is stored', async () => {
    const seen = (await history('blocklist')).filter(({ name }) => name.startsWith('bob-'));
    expect(await check(SYSTEM, look)).toMatchObject({ state: 'succeeded', held: null });
    expect([await blockedOf(bobs), await blockedOf(anns)]).toEqual([was, annNow]);
    expect((await history('blocklist')).filter(({ name }) => name.startsWith('bob-'))).toEqual(seen);
    expect((await recorded()).filter((event) => event.includes('bob-'))).toHaveLength(change === 'freed' ? 10 : 0);
    const [held] = (await listOperations(bob)).data;
    expect(held).toMatchObject({ kind: 'check', state: 'partial', held: { change, count: 10, total: 10 } });
    expect(await recorded()).toContain('operation_partial check');
    expect((await listOperations(ann)).data).toEqual([]);
    expect([...(await findStopsOfUsers())]).toEqual([[bob.id, { cause: 'held', blocked: 10, total: 10 }]]);
    expect((await findStop())?.cause).not.toBe('held');
    // Another check by the same list asks nothing anew.
    await check(SYSTEM, look);
    expect(await holds()).toMatchObject([{ id: held!.id, user_id: bob.id }]);
    await expect(acceptHeld(ann, held!.id)).rejects.toMatchObject({ kind: 'not_found' });
    expect(await accept(bob, held!.id)).toBe('succeeded');
    expect([await blockedOf(bobs), await holds()]).toEqual([10 - was, []]);
    expect(await check(SYSTEM, look)).toMatchObject({ state: 'succeeded', held: null });
    expect([await blockedOf(bobs), await holds()]).toEqual([10 - was, []]);
  });

  test('stays held for that user, who was asked by a check of their own', async () => {
    const own = await check(bob, look);
    expect(own).toMatchObject({ state: 'partial', held: { change, count: 10, total: 10 } });
    expect(await check(SYSTEM, look)).toMatchObject({ state: 'succeeded', held: null });
    expect([await blockedOf(bobs), await blockedOf(anns)]).toEqual([was, annNow]);
    expect(await holds()).toEqual([{ id: own.id, user_id: bob.id, change, count: 10, total: 10 }]);
    expect((await findStopsOfUsers()).get(bob.id)).toMatchObject({ cause: 'held', blocked: 10 });
    // The next list says the same of the user's names but one: the newer result takes the place of the older one.
    await loadList(change === 'freed' ? [...after, bobs[0]!] : after.filter((name) => name !== bobs[0]));
    await check(SYSTEM, look);
    expect(await holds()).toMatchObject([{ user_id: bob.id, change, count: 9, total: 10 }]);
    expect((await viewOf(await findOperation(bob, own.id))).held).toBeNull();
    // And the one after it says nothing new of them: what was held is not so any more.
    await loadList([...before]);
    await check(SYSTEM, look);
    expect([await holds(), await blockedOf(bobs)]).toEqual([[], was]);
    expect([...(await findStopsOfUsers())]).toEqual([]);
  });

  test('is stored for that user as well where an administrator accepts it for everybody', async () => {
    await check(bob, look);
    expect(await check(SYSTEM, { ...look, accept: true })).toMatchObject({ state: 'succeeded' });
    expect([await blockedOf(bobs), await holds()]).toEqual([10 - was, []]);
  });

  test("is held where only that user's domains are checked, whoever checks them", async () => {
    const rows = await select<{ id: number; name: string }>('SELECT id, domain_name AS name FROM domains');
    const domain_ids = rows.flatMap(({ id, name }) => (name.startsWith('bob-') ? [id] : []));
    const held = await check(SYSTEM, { ...look, domain_ids });
    expect(held).toMatchObject({ state: 'partial', held: { change, count: 10, total: 10 } });
    expect(await holds()).toMatchObject([{ id: held.id, user_id: null }]);
    expect(await blockedOf(bobs)).toBe(was);
    expect(await accept(SYSTEM, held.id)).toBe('succeeded');
    expect(await blockedOf(bobs)).toBe(10 - was);
  });

  test.each(['disabled', 'an administrator'])('waits for administrators where the user is %s', async (what) => {
    const set = what === 'disabled' ? 'active = 0' : `role = 'admin'`;
    await transaction(() => executeUnaudited('check', `UPDATE users SET ${set} WHERE id = $id`, { id: bob.id }));
    await check(SYSTEM, look);
    await check(SYSTEM, look);
    expect([await blockedOf(bobs), await blockedOf(anns)]).toEqual([was, annNow]);
    const [held, ...more] = await holds();
    expect([held, more]).toMatchObject([{ user_id: null, change, count: 10, total: 10 }, []]);
    expect(await accept(SYSTEM, (held as { id: number }).id)).toBe('succeeded');
    expect([await blockedOf(bobs), await blockedOf(anns), await holds()]).toEqual([10 - was, annNow, []]);
  });
});

describe('a list by which all names of one user would be blocked', () => {
  beforeEach(async () => {
    await loadList(others);
    await check(SYSTEM, look);
    await loadList([...others, ...bobs]);
  });

  test('is told by the answer of a check over everybody, with the number of the held result, by each until it is decided', async () => {
    for (let turn = 0; turn < 2; turn += 1) {
      const { message } = await check(SYSTEM, look);
      const [held] = (await holds()) as { id: number }[];
      expect(message).toBe(
        `Checks made: 110, failed: 0. 1 result waits for a decision, and the domains stay as they were meanwhile: #${held!.id}. Apply them on the main page`,
      );
    }
    const [held] = (await holds()) as { id: number }[];
    await accept(bob, held!.id);
    expect((await check(SYSTEM, look)).message).toBe('Checks made: 110, failed: 0');
  });

  test("is held where a stop came between the storing and the user's own check", async () => {
    const { id } = await startCheck(SYSTEM, look, true);
    const stop = new AbortController();
    await runOperation(id, { signal: stop.signal, onProgress: ({ done }) => void (done > 0 && stop.abort()) });
    expect(await holds()).toEqual([]);
    expect(await check(SYSTEM, look)).toMatchObject({ id, state: 'succeeded' });
    expect(await holds()).toMatchObject([{ user_id: bob.id, change: 'blocked', count: 10, total: 10 }]);
  });

  test("is held where a stop has left the user's own check in the queue", async () => {
    const own = await startCheck(bob, { ...look, holder: bob.id! }, true);
    await runOperation(own.id, { signal: AbortSignal.abort() });
    await check(SYSTEM, look);
    expect(await holds()).toMatchObject([{ id: own.id, user_id: bob.id, change: 'blocked', count: 10, total: 10 }]);
  });
});

test('fewer than five names are held for nobody, be they a whole portfolio', async () => {
  await transaction(() => executeUnaudited('check', `DELETE FROM domains WHERE user_id = $bob`, { bob: bob.id }));
  await add(bob, bobs.slice(0, 4));
  await loadList([...others, ...bobs]);
  expect(await check(bob, look)).toMatchObject({ state: 'succeeded', held: null });
  await loadList(others);
  await check(SYSTEM, look);
  expect([await blockedOf(bobs), await holds()]).toEqual([0, []]);
  await loadList([...others, ...bobs]);
  await check(SYSTEM, look);
  expect([await blockedOf(bobs), await holds()]).toEqual([4, []]);
});

test('a change that is too large for the team is held for everybody', async () => {
  await loadList([...others, ...anns.slice(0, 40), ...bobs]);
  const held = await check(SYSTEM, look);
  expect(held).toMatchObject({ state: 'partial', held: { change: 'blocked', count: 50, total: 110 } });
  expect(await holds()).toMatchObject([{ id: held.id, user_id: null }]);
  expect([await blockedOf(bobs), await blockedOf(anns)]).toEqual([0, 0]);
});

test('an accepted check of one domain begins nothing anew for the others: changes of each list add up', async () => {
  await loadList(others);
  await check(SYSTEM, { ...look, accept: true });
  const [last] = await select<{ id: number }>('SELECT id FROM domains WHERE domain_name = $name', { name: anns[99] });
  const seen: unknown[] = [];
  for (const count of [18, 36, 54]) {
    await loadList([...others, ...anns.slice(0, count)]);
    const { held } = await check(ann, look);
    seen.push([held?.count ?? null, await blockedOf(anns)]);
    await check(ann, { ...look, domain_ids: [last!.id], accept: true });
  }
  expect(seen).toEqual([
    [null, 18],
    [36, 18],
    [54, 18],
  ]);
});
