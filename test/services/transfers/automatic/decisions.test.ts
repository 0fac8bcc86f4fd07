import { expect, test } from 'vitest';
import { execute, transaction } from '../../../../db/index.ts';
import { SYSTEM, type Actor } from '../../../../src/services/access/scope.ts';
import { listDecisions } from '../../../../src/services/transfers/decisions.ts';
import { english } from '../../../support/english.ts';
import { add, addOthers, ann, bob, makeProject, run, useAutomatic, witness } from './world.ts';

useAutomatic();

test('a user gets the decisions on visible domains: all of them, or the current ones', async () => {
  await makeProject(1, ann);
  await makeProject(2, bob);
  await add(1, 'one.example');
  await add(2, 'two.example');
  await addOthers();
  await witness('one.example', 'two.example');
  await run();
  await add(1, 'reserve-1.example');
  await run();
  const keys = async (actor: Actor, selection: object = {}) =>
    (await listDecisions(actor, selection)).data.map(({ domain_name, reason }) => `${domain_name}: ${english(reason)}`);
  expect(await keys(ann)).toEqual([
    'one.example: only the last reserve is left, reserve-1.example',
    'one.example: the project has no reserve domains',
  ]);
  expect(await keys(ann, { current: true })).toEqual(['one.example: only the last reserve is left, reserve-1.example']);
  expect(await keys(bob)).toEqual(['two.example: the project has no reserve domains']);
  expect(await keys(SYSTEM, { project: 2 })).toEqual(['two.example: the project has no reserve domains']);
  expect(await listDecisions(SYSTEM, {}, { limit: 1, offset: 1 })).toMatchObject({ total: 3, data: [{}] });
  await transaction(() => execute(`UPDATE domains SET status = 'available' WHERE domain_name = 'one.example'`));
  expect(await keys(ann, { current: true })).toEqual([]);
});
