// A move that ended half done: the site has moved, and an older name still leads through the blocked one.
import { expect, test } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import { requeue } from '../../../src/operations/queue.ts';
import { SYSTEM, type Actor } from '../../../src/services/access/scope.ts';
import { acknowledgeNotice, groupPending } from '../../../src/services/notices/notices.ts';
import { readTriage } from '../../../src/services/triage/triage.ts';
import { DAY_MS } from '../../../src/shared/time.ts';
import { MAIN, OLDER, RESERVE } from '../../support/moves-portfolio.ts';
import { english } from '../../support/english.ts';
import { look, run, useAutomaticMoves } from '../transfers/automatic-moves.ts';
import { move, moves } from '../transfers/transfers.ts';

useAutomaticMoves();

const OWNER: Actor = { id: 1, login: 'owner', role: 'user' };

/** Lets the account of the older name refuse changes of its zone. */
const refuseOlder = (): void => {
  const { id } = moves.zone(OLDER);
  moves.fake.faults.push({ kind: 'status', status: 403, match: ({ path }) => path.includes(`/zones/${id}/`) });
};

/** The operations that wait for somebody, and how many moves count as repaired. */
async function waiting(actor: Actor = SYSTEM, days = 0) {
  const { items, counts, repaired } = await readTriage(actor, Date.now() + days * DAY_MS);
  const found = items.flatMap(({ kind, act, text }) =>
    kind === 'operation' && act.kind === 'operation' ? [{ id: act.id, text: english(text) }] : [],
  );
  expect(found).toHaveLength(counts.operation.items);
  return { found, moved: repaired.counts.moved };
}

/** Moves the site by itself, half done, and returns the operation. */
async function moveHalf(): Promise<number> {
  await look(3, MAIN);
  refuseOlder();
  expect(await run()).toEqual([`${MAIN} started ${RESERVE}`]);
  moves.fake.faults.length = 0;
  const [row] = await select<{ id: number; state: string }>(
    `SELECT id, state FROM operations WHERE kind = 'transfer' ORDER BY id DESC LIMIT 1`,
  );
  expect(row?.state).toBe('partial');
  return row?.id ?? 0;
}

test('an automatic move that ended half done waits for a person and is no repair, until it is retried to success', async () => {
  const id = await moveHalf();
  expect(await waiting()).toEqual({ found: [{ id, text: expect.stringContaining(RESERVE) }], moved: 0 });
  expect(await waiting(OWNER)).toEqual(await waiting());
  refuseOlder();
  await requeue(id, true);
  await moves.run(id);
  expect((await waiting()).found).toHaveLength(1);
  moves.fake.faults.length = 0;
  await requeue(id, true);
  await moves.run(id);
  expect(await waiting()).toEqual({ found: [], moved: 1 });
});

test('it waits as well after a later automatic move of the same project, but not once the site has a newer name', async () => {
  const id = await moveHalf();
  await transaction(() => execute(`UPDATE projects SET last_reserve = 'on'`));
  moves.troubles[OLDER] = { status: 502, error: null };
  await look(3, MAIN, RESERVE);
  expect(await run()).toEqual([`${RESERVE} started ${OLDER}`]);
  expect((await waiting()).found.map((one) => one.id)).toEqual([id]);
  delete moves.troubles[OLDER];
  await move(RESERVE, OLDER);
  expect((await waiting()).found).toEqual([]);
});

test('whoever acknowledges the notice of a half-done or failed move has done with its operation', async () => {
  await moveHalf();
  moves.troubles[OLDER] = { status: 502, error: null };
  const failed = await move(RESERVE, OLDER);
  expect(failed.state).toBe('failed');
  expect((await waiting()).found).toHaveLength(2);
  await groupPending(new Date(Date.now() + 60_000));
  const notices = await select<{ id: number; kind: string }>(
    `SELECT id, kind FROM notices WHERE cause LIKE 'operation:%' ORDER BY id`,
  );
  expect(notices.map(({ kind }) => kind).toSorted()).toEqual(['transfer_failed', 'transfer_waits']);
  for (const [at, { id }] of notices.entries()) {
    await acknowledgeNotice(OWNER, id);
    expect((await waiting()).found).toHaveLength(1 - at);
  }
});

/** The notice of the end of an operation. */
async function noticeOf(operation: number): Promise<number> {
  const [row] = await select<{ id: number }>('SELECT id FROM notices WHERE cause = $cause', {
    cause: `operation:${operation}`,
  });
  return row?.id ?? 0;
}

test('a half-done move waits until it is dealt with, however long that takes; other failed work for seven days', async () => {
  const id = await moveHalf();
  moves.troubles[OLDER] = { status: 502, error: null };
  const failed = await move(RESERVE, OLDER);
  expect((await waiting()).found.map((one) => one.id)).toEqual([failed.id, id]);
  for (const actor of [SYSTEM, OWNER]) expect((await waiting(actor, 80)).found.map((one) => one.id)).toEqual([id]);
  await groupPending(new Date(Date.now() + 60_000));
  await acknowledgeNotice(OWNER, await noticeOf(id));
  expect((await waiting(OWNER, 80)).found).toEqual([]);
});

test('a move whose old name forwards nobody waits for seven days, until its notice is acknowledged or the site has a newer name, and is no repair', async () => {
  moves.zone(MAIN).status = 'pending';
  const { id, state } = await move(MAIN, RESERVE);
  expect(state).toBe('succeeded');
  expect(await waiting()).toEqual({ found: [{ id, text: expect.stringContaining('Name servers') }], moved: 0 });
  expect((await waiting(SYSTEM, 6)).found).toHaveLength(1);
  expect((await waiting(SYSTEM, 8)).found).toEqual([]);
  await groupPending(new Date(Date.now() + 60_000));
  await acknowledgeNotice(SYSTEM, await noticeOf(id));
  expect((await waiting()).found).toEqual([]);
  await transaction(() => execute('DELETE FROM notices'));
  expect((await waiting()).found).toHaveLength(1);
  await move(RESERVE, OLDER);
  expect(await waiting()).toEqual({ found: [], moved: 1 });
});
