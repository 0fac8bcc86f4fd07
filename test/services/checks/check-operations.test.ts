// Checks as operations.
import { rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { runOperation } from '../../../src/operations/engine.ts';
import { startCheck } from '../../../src/services/checks/checks.ts';
import { findOperation, listOperations } from '../../../src/services/operations/operations.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { ann, bob, check, config, useWorld } from './check-world.ts';

useWorld();

describe('checks as operations', () => {
  test('the same check runs once at a time; a different check is another operation', async () => {
    const first = await startCheck(ann, { steps: ['http'] });
    const starts = await Promise.all(Array.from({ length: 5 }, () => startCheck(ann, { steps: ['http'] })));
    expect(starts).toEqual(starts.map(() => ({ id: first.id, started: false })));
    const others = [
      await startCheck(bob, { steps: ['http'] }),
      await startCheck(ann, { steps: ['blocklist'] }),
      await startCheck(ann, { steps: ['http'], status: 'broken' }),
      await startCheck(SYSTEM, { steps: ['http'] }),
    ];
    expect(new Set([first.id, ...others.map(({ id }) => id)]).size).toBe(5);
    await runOperation(first.id);
    expect(await startCheck(ann, { steps: ['http'] })).toMatchObject({ started: true });
  });

  test('are visible to the user who started them, and to admins', async () => {
    const { id } = await startCheck(ann, { steps: ['http'] });
    expect((await findOperation(ann, id)).id).toBe(id);
    await expect(findOperation(bob, id)).rejects.toMatchObject({ kind: 'not_found' });
    expect((await findOperation(SYSTEM, id)).id).toBe(id);
    expect((await listOperations(bob)).data).toEqual([]);
    expect((await listOperations(ann)).data).toHaveLength(1);
  });

  test('of a portfolio without domains find nothing to check, though no list is loaded', async () => {
    rmSync(config.blocklistDir, { recursive: true, force: true });
    const operation = await check(ann, { steps: ['http', 'blocklist'] });
    const message = 'Nothing to check: there are no domains';
    expect(operation).toMatchObject({ state: 'succeeded', total: 0, done: 0, message });
  });

  test('are not run again once they have finished', async () => {
    const operation = await check(ann, { steps: ['http'] });
    expect(operation).toMatchObject({ state: 'succeeded', total: 0, finished_at: expect.any(String) });
    await expect(runOperation(operation.id)).rejects.toMatchObject({ kind: 'busy' });
  });
});
