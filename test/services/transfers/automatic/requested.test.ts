// Moves of all blocked domains at a person's request, with a real database and real lists.
import { describe, expect, test } from 'vitest';
import { execute, select, transaction } from '../../../../db/index.ts';
import { runOperation } from '../../../../src/operations/engine.ts';
import { planAutoTransfer, startAutoTransfer } from '../../../../src/services/transfers/automatic.ts';
import type { Actor } from '../../../../src/services/access/scope.ts';
import {
  add,
  addOthers,
  ann,
  bob,
  check,
  end,
  loadList,
  makeProject,
  MINUTE,
  pass,
  told,
  transfers,
  useAutomatic,
} from './world.ts';

useAutomatic();

describe('a requested move', () => {
  const ask = (actor: Actor = ann, more: object = {}, idem_key?: string, here = false) =>
    startAutoTransfer(actor, { project: 1, ...more }, { idem_key, here });

  test('moves every blocked main domain after a single look; those that cannot move say why', async () => {
    await makeProject(1);
    await add(1, 'one.example', 'two.example', 'calm.example', 'reserve-1.example', 'reserve-2.example');
    await transaction(() => execute(`UPDATE domains SET transfer_type = 'manual' WHERE domain_name = 'one.example'`));
    await addOthers();
    await loadList('one.example', 'two.example');
    await check();
    const { id, started, message } = await ask();
    expect({ started, message }).toEqual({
      started: true,
      message: { key: 'auto_transfer.started', params: { n: 1 } },
    });
    expect(await transfers()).toEqual([
      {
        id,
        user_id: ann.id,
        subject: 'project 1',
        asked_by: 'person',
        items: 'transfer one.example, transfer two.example',
      },
    ]);
    expect(await told()).toEqual([
      { domain: 'one.example', decision: 'started', key: 'auto_transfer.chosen' },
      { domain: 'two.example', decision: 'declined', key: 'auto_transfer.last' },
    ]);
  });

  test('uses the last reserve if the person says so', async () => {
    await makeProject(1);
    await add(1, 'one.example', 'reserve-1.example');
    await addOthers();
    await loadList('one.example');
    await check();
    const reasons = async (more: object) =>
      (await planAutoTransfer(ann, { project: 1, ...more })).choices.map(({ reason }) => reason.key);
    expect(await reasons({})).toEqual(['auto_transfer.last']);
    expect(await reasons({ use_last_reserve: true })).toEqual(['auto_transfer.chosen']);
  });

  test('says so where nothing is blocked', async () => {
    await makeProject(1);
    await add(1, 'one.example', 'reserve-1.example');
    const { id, message } = await ask(ann, {}, undefined, true);
    expect(message).toEqual({ key: 'auto_transfer.nothing_blocked' });
    const ended = await runOperation(id);
    expect([ended.state, JSON.parse(ended.message)]).toEqual(['succeeded', { key: 'auto_transfer.nothing_blocked' }]);
  });

  test('fails the item of a domain that cannot move, with its reason', async () => {
    await makeProject(1);
    await add(1, 'one.example', 'reserve-1.example');
    await addOthers();
    await loadList('one.example');
    await check();
    const { id } = await ask(ann, {}, undefined, true);
    expect((await runOperation(id)).state).toBe('failed');
    const [item] = await select<{ state: string; error: string }>(
      'SELECT state, error FROM operation_items WHERE operation_id = $id',
      { id },
    );
    expect(item?.state).toBe('failed');
    expect(JSON.parse(item?.error ?? '{}')).toEqual({
      key: 'auto_transfer.last',
      params: { target: 'reserve-1.example' },
    });
  });

  test('is one operation where it is sent twice at once, and with its idempotency key also after the end', async () => {
    await makeProject(1);
    await add(1, 'one.example', 'reserve-1.example', 'reserve-2.example');
    await addOthers();
    await loadList('one.example');
    await check();
    const [one, other] = await Promise.all([ask(ann, {}, 'key'), ask(ann)]);
    expect(one?.id).toBe(other?.id);
    expect([one?.started, other?.started].filter(Boolean)).toHaveLength(1);
    expect(await transfers()).toHaveLength(1);
    await end(one?.id ?? 0, 'well');
    await makeProject(2);
    expect((await ask(ann, {}, 'key')).id).toBe(one?.id);
    await expect(ask(ann, { project: 2 }, 'key')).rejects.toMatchObject({ kind: 'conflict' });
  });

  test('is refused where the shown plan is stale', async () => {
    await makeProject(1);
    await add(1, 'one.example', 'reserve-1.example', 'reserve-2.example');
    await addOthers();
    await loadList('one.example');
    await check();
    const { plan } = await planAutoTransfer(ann, { project: 1 });
    await loadList('one.example', 'reserve-1.example');
    await expect(ask(ann, { plan })).rejects.toMatchObject({ kind: 'conflict', code: 'plan_stale' });
    expect(await transfers()).toEqual([]);
    const next = await planAutoTransfer(ann, { project: 1, use_last_reserve: true });
    expect((await ask(ann, { plan: next.plan, use_last_reserve: true })).started).toBe(true);
  });

  test('answers the same for a project of another user as for an unknown one', async () => {
    await makeProject(1);
    await expect(ask(bob)).rejects.toMatchObject({ kind: 'refused' });
    await expect(ask(bob, { project: 9 })).rejects.toMatchObject({ kind: 'refused' });
    await expect(planAutoTransfer(bob, { project: 1 })).rejects.toMatchObject({ kind: 'refused' });
  });

  test('finds no free reserve where the list is too old', async () => {
    await makeProject(1);
    await add(1, 'one.example', 'reserve-1.example', 'reserve-2.example');
    await addOthers();
    await loadList('one.example');
    await check();
    pass(73 * 60 * MINUTE);
    expect((await ask()).message).toEqual({ key: 'auto_transfer.nothing_ready' });
    expect(await told()).toMatchObject([{ key: 'auto_transfer.all_unknown' }]);
  });
});
