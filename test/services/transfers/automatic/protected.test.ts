import { expect, test } from 'vitest';
import { SYSTEM } from '../../../../src/services/access/scope.ts';
import { startSwitch } from '../../../../src/services/dns/protection.ts';
import { SWITCHES } from '../../../../src/services/dns/switch-lock.ts';
import { listLocksAtWork } from '../../../../src/services/transfers/fact-rows.ts';
import { add, addOthers, makeProject, run, useAutomatic, witness } from './world.ts';

useAutomatic();

test('moves do not wait for Under Attack of a whole portfolio, whose zones include the main domain and its reserves', async () => {
  await makeProject(1);
  await add(1, 'site.example', 'reserve-1.example', 'reserve-2.example');
  await addOthers();
  await witness('site.example');
  expect((await startSwitch(SYSTEM, { kind: 'under_attack', action: 'enable' })).started).toBe(true);
  expect(await run()).toEqual({ stop: null, decisions: ['site.example started reserve-1.example'] });
});

test('of a switch of a whole portfolio no lock is read to decide on moves, and of a move those of the same kinds are', async () => {
  await makeProject(1);
  await add(1, 'site.example', 'reserve-1.example', 'reserve-2.example');
  await addOthers();
  await witness('site.example');
  const before = await listLocksAtWork([]);
  expect((await startSwitch(SYSTEM, { kind: 'tls', state: 'on' })).started).toBe(true);
  const held = await listLocksAtWork([]);
  expect(held.filter(({ kind }) => kind === 'tls').length).toBeGreaterThanOrEqual(3);
  expect(await listLocksAtWork(SWITCHES)).toEqual(before);
  await run();
  const moves = (await listLocksAtWork(SWITCHES)).filter(({ work }) => work === 'transfer');
  expect(moves.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['transfer', ...SWITCHES]));
});
