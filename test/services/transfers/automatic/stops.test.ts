// Stops of all automatic transfers, with a real database and real lists.
import { describe, expect, test } from 'vitest';
import { runOperation } from '../../../../src/operations/engine.ts';
import { cancelOperation } from '../../../../src/operations/queue.ts';
import { startAutoTransfer } from '../../../../src/services/transfers/automatic.ts';
import { acceptHeld } from '../../../../src/services/checks/checks.ts';
import { SYSTEM } from '../../../../src/services/access/scope.ts';
import { listDecisions } from '../../../../src/services/transfers/decisions.ts';
import { english } from '../../../support/english.ts';
import {
  add,
  addOthers,
  ann,
  bob,
  check,
  loadList,
  makeProject,
  MINUTE,
  pass,
  run,
  stops,
  told,
  transfers,
  useAutomatic,
  witness,
} from './world.ts';

useAutomatic();

/** Blocks the nine main domains of the first project in three looks; the second one has a site of its own. */
async function blockNine(): Promise<void> {
  const wave = Array.from({ length: 9 }, (_, index) => `site-${index}.example`);
  await add(1, ...wave, ...Array.from({ length: 9 }, (_, index) => `reserve-${index}.example`));
  await add(2, 'own.example', 'reserve-x.example', 'reserve-y.example');
  await addOthers(10);
  for (let look = 0; look < 3; look += 1) {
    await loadList(...wave);
    await check(SYSTEM, { accept: true });
    pass(20 * MINUTE);
  }
}

describe('no site moves by itself', () => {
  const sites = Array.from({ length: 40 }, (_, index) =>
    index < 20 ? `site-${index}.example` : `reserve-${index}.example`,
  );

  test('on a list that blocks everything, however often it is repeated; the stop is stored once', async () => {
    await makeProject(1);
    await add(1, ...sites);
    for (let look = 0; look < 5; look += 1) {
      await loadList(...sites);
      await check();
      await run();
      pass(7 * 60 * MINUTE);
    }
    expect(await transfers()).toEqual([]);
    expect(await stops()).toEqual([{ cause: 'held', ended: 0 }]);
    // So far no result was stored. Now a person accepts one, and the next lists repeat it.
    await loadList(...sites);
    const held = await check();
    const accepted = await acceptHeld(SYSTEM, held);
    await runOperation(accepted.id);
    for (let look = 0; look < 5; look += 1) {
      await loadList(...sites);
      await check();
      expect((await run()).stop).toBe('wave');
      pass(7 * 60 * MINUTE);
    }
    expect(await transfers()).toEqual([]);
    expect(await told()).toEqual([]);
    expect(await stops()).toEqual([{ cause: 'wave', ended: 0 }]);
  });

  test('on such a list checked project by project: results that add up within seven days are held', async () => {
    const groups = Array.from({ length: 6 }, (_, index) => index + 1);
    for (const id of groups) {
      await makeProject(id);
      await add(
        id,
        ...Array.from({ length: 5 }, (_, index) => `site-${id}-${index}.example`),
        `reserve-${id}a.example`,
        `reserve-${id}b.example`,
      );
    }
    const all = groups.flatMap((id) => Array.from({ length: 5 }, (_, index) => `site-${id}-${index}.example`));
    for (let look = 0; look < 3; look += 1) {
      await loadList(...all);
      for (const project_id of groups) await check(SYSTEM, { project_id });
      pass(MINUTE);
    }
    expect(await run()).toMatchObject({ stop: 'held' });
    expect(await transfers()).toEqual([]);
  });

  test('while a result is held; a good check of the same domains ends that, a check of part of them does not', async () => {
    await makeProject(1);
    await makeProject(2);
    await add(1, 'site.example', 'reserve-1.example', 'reserve-2.example');
    await add(2, 'calm.example');
    await addOthers(20);
    await witness('site.example');
    const others = Array.from({ length: 20 }, (_, index) => `other-${index}.example`);
    await loadList('site.example', ...others);
    await check();
    expect(await run()).toEqual({ stop: 'held', decisions: ['site.example declined auto_transfer.stopped_held'] });
    await run();
    await check(SYSTEM, { project_id: 2 });
    expect((await run()).stop).toBe('held');
    expect(await stops()).toEqual([{ cause: 'held', ended: 0 }]);
    await loadList('site.example');
    await check();
    expect(await run()).toEqual({ stop: null, decisions: ['site.example started reserve-1.example'] });
    expect(await stops()).toEqual([{ cause: 'held', ended: 1 }]);
  });

  test('of one user while a result is held for that portfolio; those of others do', async () => {
    const bobs = Array.from({ length: 7 }, (_, index) => `bob-${index}.example`);
    await makeProject(1);
    await makeProject(2, bob);
    await add(1, 'site.example', 'reserve-1.example', 'reserve-2.example');
    await add(2, ...bobs, 'reserve-x.example', 'reserve-y.example');
    await addOthers();
    await witness('site.example', 'bob-0.example');
    await loadList('site.example', ...bobs);
    await check();
    expect(await run()).toEqual({
      stop: null,
      decisions: ['site.example started reserve-1.example', 'bob-0.example declined auto_transfer.stopped_held'],
    });
    expect(await run(bob)).toMatchObject({
      stop: null,
      decisions: ['bob-0.example declined auto_transfer.stopped_held'],
    });
    expect(await stops()).toEqual([]);
  });

  test('after a wave, until a person starts a transfer', async () => {
    await makeProject(1);
    await makeProject(2);
    await blockNine();
    expect((await run()).stop).toBe('wave');
    await startAutoTransfer(ann, { project: 2 });
    expect((await run()).stop).toBe(null);
    expect(await stops()).toEqual([{ cause: 'wave', ended: 1 }]);
  });

  test('while a result is held, whoever starts a transfer meanwhile; accepting the result ends that', async () => {
    await makeProject(1);
    await makeProject(2, bob);
    await add(1, 'site.example', 'reserve-1.example', 'reserve-2.example');
    await add(2, 'own.example', 'reserve-x.example', 'reserve-y.example');
    await addOthers(20);
    await witness('site.example');
    await loadList('site.example', ...Array.from({ length: 20 }, (_, index) => `other-${index}.example`));
    const held = await check();
    expect((await run()).stop).toBe('held');
    pass(MINUTE);
    for (const [person, project] of [[bob, 2] as const, [ann, 1] as const, [SYSTEM, 2] as const]) {
      const { id } = await startAutoTransfer(person, { project });
      await cancelOperation(id);
      expect([person.login, (await run()).stop]).toEqual([person.login, 'held']);
    }
    await runOperation((await acceptHeld(SYSTEM, held)).id);
    expect((await run()).stop).not.toBe('held');
  });

  test("after a wave of one user's domains, also where another user moves a site of his own", async () => {
    await makeProject(1);
    await makeProject(2, bob);
    await blockNine();
    const { id } = await startAutoTransfer(bob, { project: 2 });
    expect((await run()).stop).toBe('wave');
    await cancelOperation(id);
    // An administrator judges for everybody.
    await startAutoTransfer(SYSTEM, { project: 2 });
    expect((await run()).stop).toBe(null);
  });

  test('on a list that is too old; that stop, too, is stored once', async () => {
    await makeProject(1);
    await add(1, 'site.example', 'reserve-1.example', 'reserve-2.example');
    await addOthers();
    await witness('site.example');
    pass(73 * 60 * MINUTE);
    expect(await run()).toEqual({ stop: 'list', decisions: ['site.example declined auto_transfer.stopped_list'] });
    await run();
    expect(await stops()).toEqual([{ cause: 'list', ended: 0 }]);
    // A run of a user with nothing to move does not end the stop.
    await run(bob);
    expect(await stops()).toEqual([{ cause: 'list', ended: 0 }]);
    const { stop } = await listDecisions(bob, {});
    expect(stop && { ...stop, reason: english(stop.reason) }).toEqual({
      reason: expect.stringContaining('too old'),
      since: expect.any(String),
    });
    expect(await transfers()).toEqual([]);
  });
});
