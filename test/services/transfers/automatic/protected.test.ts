import { expect, test } from 'vitest';
import { SYSTEM } from '../../../../src/services/access/scope.ts';
import { startSwitch } from '../../../../src/services/dns/protection.ts';
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
