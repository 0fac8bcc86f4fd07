// Events and notices of transfers, of their decisions and of their stops.
import { beforeEach, describe, expect, test } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import { cancelOperation } from '../../../src/operations/queue.ts';
import { keepDecision } from '../../../src/services/transfers/decisions.ts';
import { noteStop } from '../../../src/services/transfers/stops.ts';
import type { Choice } from '../../../src/shared/transfers/transfer-pick.ts';
import { MAIN, RESERVE } from '../../support/moves-portfolio.ts';
import { move, moves, useMoves } from './transfers.ts';
import { noticed, recorded } from '../notices/recorded.ts';

useMoves();
beforeEach(() =>
  transaction(async () => {
    for (const table of ['events', 'notices', 'transfer_decisions', 'transfer_stops']) {
      await execute(`DELETE FROM ${table}`);
    }
  }),
);

describe('a transfer', () => {
  test('that failed is told by the main domain that has not moved, and not by its operation as well', async () => {
    moves.troubles[RESERVE] = { status: 502, error: null };
    expect((await move(MAIN, RESERVE)).state).toBe('failed');
    expect(await recorded()).toEqual([`transfer_failed ${MAIN}`]);
    expect(await noticed()).toEqual(['critical transfer_failed 1']);
  });

  test('whose forwarding was not seen waits for a person, though the site has moved', async () => {
    moves.zone(MAIN).status = 'pending';
    const ended = await move(MAIN, RESERVE);
    expect(ended.state).toBe('succeeded');
    expect(await recorded()).toContain(`transfer_done ${RESERVE}`);
    expect(await recorded('transfer_waits', 'transfer_failed', 'operation_failed')).toEqual([
      `transfer_waits ${RESERVE}`,
    ]);
    expect(await noticed()).toContain('critical transfer_waits 1');
  });

  test('that took the last reserve says so of its project, one that leaves another does not', async () => {
    await transaction(() =>
      execute(`UPDATE domains SET transfer_type = 'manual' WHERE type = 'transfer' AND domain_name <> $name`, {
        name: RESERVE,
      }),
    );
    await move(MAIN, RESERVE);
    const [project] = await select<{ name: string }>('SELECT name FROM projects ORDER BY id LIMIT 1');
    expect(await recorded('no_reserve')).toEqual([`no_reserve ${project?.name}`]);
    expect(await noticed()).toContain('warning no_reserve 1');
    await moves.reset();
    await transaction(() => execute('DELETE FROM events'));
    await move(MAIN, RESERVE);
    expect(await recorded('no_reserve')).toEqual([]);
    expect(await recorded('transfer_done')).toEqual([`transfer_done ${RESERVE}`]);
  });

  test('that a person has cancelled before it began tells nobody', async () => {
    const id = await moves.start(MAIN, RESERVE);
    await transaction(() =>
      execute('UPDATE operations SET lease_owner = NULL, lease_until = NULL WHERE id = $id', { id }),
    );
    await cancelOperation(id);
    expect(await recorded()).toEqual([]);
  });
});

const declined = (key: 'auto_transfer.nothing_ready' | 'auto_transfer.nothing_blocked'): Choice =>
  ({ main: { id: 1, domain_name: MAIN }, target: null, decision: 'declined', reason: { key } }) as never;

describe('automatic transfer', () => {
  test('that is declined waits for a person, told once for each reason', async () => {
    const keep = (choice: Choice) => transaction(() => keepDecision(1, choice));
    for (let turn = 0; turn < 3; turn += 1) await keep(declined('auto_transfer.nothing_ready'));
    expect(await recorded()).toEqual([`transfer_waits ${MAIN}`]);
    await keep(declined('auto_transfer.nothing_blocked'));
    expect(await recorded()).toHaveLength(2);
    expect(await noticed()).toEqual(['critical transfer_waits 1']);
  });

  test('that stops for a wave tells of all mains that it would have moved, in one notice, and once', async () => {
    await transaction(() => execute(`UPDATE domains SET status = 'blocked', transfer_type = 'auto', type = 'main'`));
    const stop = { cause: 'wave', blocked: 4, total: 4 } as const;
    await noteStop(stop);
    await noteStop(stop);
    const mains = await select('SELECT 1 FROM domains WHERE project_id IS NOT NULL AND deleted_at IS NULL');
    expect(mains.length).toBeGreaterThan(1);
    expect(await recorded()).toHaveLength(mains.length);
    expect(await noticed()).toEqual([`critical transfer_waits ${mains.length}`]);
  });

  test('that stops for an old list leaves the telling to the watch of the list', async () => {
    await transaction(() =>
      execute(`UPDATE domains SET status = 'blocked', transfer_type = 'auto' WHERE type = 'main'`),
    );
    await noteStop({ cause: 'list', blocked: 0, total: 0 });
    expect(await recorded()).toEqual([]);
  });
});
