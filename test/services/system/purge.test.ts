import { afterEach, beforeEach, expect, test } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import { cancelOperation, enqueue } from '../../../src/operations/queue.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { accountLane } from '../../../src/services/accounts/lanes.ts';
import { startCheck } from '../../../src/services/checks/checks.ts';
import { purge } from '../../../src/services/system/purge.ts';
import { startDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await startDatabase();
});
afterEach(() => database.close());

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();
const CHILDREN = ['operation_items', 'operation_locks', 'operation_uses', 'check_runs'];

/** Queues work and a check, cancels both, and dates their end. */
async function endedAgo(days: number): Promise<number[]> {
  const { id } = await enqueue({
    kind: 'test',
    subject: String(days),
    user_id: null,
    input: {},
    message: { key: 'check.started' },
    items: [{ item: 'a', ...accountLane(7), data: {} }],
    locks: [{ kind: 'domain', name: 'a.com' }],
  });
  const ids = [id, (await startCheck(SYSTEM, { steps: ['http'] })).id];
  for (const one of ids) {
    await cancelOperation(one);
    await transaction(() =>
      execute('UPDATE operations SET finished_at = $at WHERE id = $one', { one, at: daysAgo(days) }),
    );
  }
  return ids;
}

test('a purge deletes operations of more than ninety days ago with all that belongs to them, and no younger ones', async () => {
  await endedAgo(91);
  const kept = await endedAgo(89);
  await purge();
  expect(await select('SELECT id FROM operations ORDER BY id')).toEqual(kept.map((id) => ({ id })));
  for (const table of CHILDREN) {
    const left = await select<{ operation_id: number }>(`SELECT operation_id FROM ${table}`);
    expect([table, left]).toEqual([table, [{ operation_id: table === 'check_runs' ? kept[1] : kept[0] }]]);
  }
});
