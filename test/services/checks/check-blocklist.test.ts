// Checks of a portfolio against a real blocklist, stored in a real database.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { select } from '../../../db/index.ts';
import { runOperation } from '../../../src/operations/engine.ts';
import { updateBlocklist } from '../../../src/services/checks/blocklist.ts';
import { acceptHeld } from '../../../src/services/checks/checks.ts';
import { viewOf } from '../../../src/services/operations/operation-views.ts';
import { isSuspicious } from '../../../src/shared/checks/list-doubt.ts';
import { add, ann, bob, check, config, history, loadList, many, stored, useWorld } from './check-world.ts';

useWorld();

describe('a check against the blocklist', () => {
  test('names of the list are blocked, others are available, each with its history', async () => {
    await add(ann, ['up.test', 'sub.mask.test', 'named.test', ...many(10)]);
    await loadList(['named.test', '*.mask.test', 'other.test']);
    expect(await check(ann, { steps: ['blocklist'] })).toMatchObject({
      state: 'succeeded',
      total: 13,
      done: 13,
      held: null,
    });
    const status = await stored('status');
    expect(status).toMatchObject({ 'named.test': 'blocked', 'sub.mask.test': 'blocked', 'up.test': 'available' });
    expect(await stored('block_entry')).toMatchObject({ 'sub.mask.test': '*.mask.test', 'up.test': null });
    expect((await history('blocklist')).filter(({ verdict }) => verdict === 'blocked')).toHaveLength(2);
    await loadList(['other.test']);
    await check(ann, { steps: ['blocklist'] });
    expect(await stored('status')).toMatchObject({ 'named.test': 'available', 'sub.mask.test': 'available' });
  });

  test('known verdicts stay without a list and with an old one', async () => {
    await add(ann, ['up.test', 'named.test']);
    await loadList(['named.test']);
    await check(ann, { steps: ['blocklist'] });
    const known = await stored('status');
    const file = join(config.dataDir, 'list.txt');
    writeFileSync(file, 'up.test\n');
    const old = new Date(Date.now() - 73 * 3_600_000);
    await updateBlocklist(config.blocklistDir, { file, now: old });
    const stale = await check(ann, { steps: ['blocklist'] });
    expect(stale).toMatchObject({
      state: 'failed',
      failed: 2,
      steps: [{ state: 'failed', error: expect.any(String) }],
    });
    rmSync(config.blocklistDir, { recursive: true });
    const missing = await check(ann, { steps: ['http', 'blocklist'] });
    expect(missing).toMatchObject({ state: 'partial', steps: [{ state: 'succeeded' }, { state: 'failed' }] });
    expect(missing.steps[1]?.error).not.toBe(stale.steps[0]?.error);
    expect(await stored('status')).toEqual(known);
    expect(await history('blocklist')).toHaveLength(2);
  });

  test('a result is suspicious above a fifth of the portfolio, and from five domains on', () => {
    expect([isSuspicious(4, 4), isSuspicious(5, 5), isSuspicious(5, 25), isSuspicious(6, 25)]).toEqual([
      false,
      true,
      false,
      true,
    ]);
    expect([isSuspicious(2000, 10_000), isSuspicious(2001, 10_000), isSuspicious(0, 0)]).toEqual([false, true, false]);
  });

  test('a result that would block too much waits for a person, who accepts it once', async () => {
    const names = many(20);
    await add(ann, names);
    await loadList([...names.slice(0, 5), 'other.test']);
    const held = await check(ann, { steps: ['blocklist'] });
    expect(held).toMatchObject({ state: 'partial', done: 20, held: { count: 5, total: 20 } });
    expect(Object.values(await stored('status'))).not.toContain('blocked');
    expect(await history('blocklist')).toEqual([]);
    await expect(acceptHeld(bob, held.id)).rejects.toMatchObject({ kind: 'not_found' });
    const [first, second] = await Promise.allSettled([acceptHeld(ann, held.id), acceptHeld(ann, held.id)]);
    const accepted = first.status === 'fulfilled' ? first : second;
    const refused = first.status === 'fulfilled' ? second : first;
    expect(refused).toMatchObject({ status: 'rejected', reason: { kind: 'conflict', key: 'check.not_held' } });
    const { id } = (accepted as PromiseFulfilledResult<{ id: number }>).value;
    expect(await viewOf(await runOperation(id))).toMatchObject({ state: 'succeeded', held: null });
    expect(Object.values(await stored('status')).filter((status) => status === 'blocked')).toHaveLength(5);
    await expect(acceptHeld(ann, held.id)).rejects.toMatchObject({ kind: 'conflict' });
    // Domains that are blocked already do not count: the next run is not held.
    expect(await check(ann, { steps: ['blocklist'] })).toMatchObject({ state: 'succeeded', held: null });
  });

  test('accepting a held result covers that list only, not the next one', async () => {
    const names = many(20);
    await add(ann, names);
    await loadList(names.slice(0, 5));
    const held = await check(ann, { steps: ['blocklist'] });
    await loadList(names);
    const { id } = await acceptHeld(ann, held.id);
    expect(await viewOf(await runOperation(id))).toMatchObject({
      state: 'partial',
      held: { count: 20, total: 20 },
    });
    expect(Object.values(await stored('status'))).not.toContain('blocked');
  });

  test('accepting the held result of a check of some domains stores nothing of the others', async () => {
    const names = many(20);
    await add(ann, names);
    const rows = await select<{ id: number; domain_name: string }>('SELECT id, domain_name FROM domains ORDER BY id');
    const ids = rows.filter(({ domain_name }) => names.slice(0, 6).includes(domain_name)).map(({ id }) => id);
    await loadList(names.slice(0, 12));
    const held = await check(ann, { steps: ['blocklist'], domain_ids: ids });
    expect(held).toMatchObject({ state: 'partial', held: { count: 6 } });
    const { id } = await acceptHeld(ann, held.id);
    await runOperation(id);
    const blocked = Object.entries(await stored('status')).filter(([, status]) => status === 'blocked');
    expect(blocked.map(([name]) => name).toSorted()).toEqual(names.slice(0, 6).toSorted());
  });

  test('the share counts against the whole portfolio of the caller, not against the part that is checked', async () => {
    await add(ann, many(100));
    await add(bob, ['bob.test']);
    await loadList(many(10));
    expect(await check(ann, { steps: ['blocklist'] })).toMatchObject({ state: 'succeeded', held: null });
  });
});
