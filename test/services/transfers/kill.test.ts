// A transfer that is killed at every act while the outside fails: one site is always served, and the end state is consistent.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cancelOperation } from '../../../src/operations/queue.ts';
import { startChild } from '../../support/child.ts';
import { endLeases } from '../../support/leases.ts';
import { startMoves, type Moves } from '../../support/moves.ts';
import { MAIN, RESERVE } from '../../support/moves-portfolio.ts';
import { isTurnOf } from '../../support/vitest/turns.ts';
import { ACTS, FAULTS, play, UNDONE, WHEN, type Case } from './kill.ts';

let moves: Moves;
let cases = 0;

beforeAll(async () => {
  moves = await startMoves();
});
afterAll(async () => {
  console.log(`transfers killed or failing: ${cases} cases`);
  await moves.close();
});

// test/long runs the full product. Here each act dies at two of the four moments, one on each database, the swap at all four. The
// faults take turns.
const faults = Object.keys(FAULTS);
const isPlayed = (number: number): boolean => number % 2 === 0 && isTurnOf(number / 2);
const some = (acts: Record<string, string | null>, gate: Case['gate']): Case[] =>
  Object.keys(acts).flatMap((act, row) =>
    WHEN.flatMap((when, at) =>
      act === 'swap' || isPlayed(at + row)
        ? [{ act, when, gate, fault: faults[(row + at) % faults.length] ?? 'none' }]
        : [],
    ),
  );

describe('a transfer killed', { timeout: 180_000 }, () => {
  test.each(some(ACTS, 'passes'))('at $act $when, with $fault, goes on to the end', async (one) => {
    cases += 1;
    await play(moves, one);
    expect(moves.fake.faults).toEqual([]);
  });

  test.each(some(UNDONE, 'fails'))('while it undoes $act $when, with $fault, restores everything', async (one) => {
    cases += 1;
    await play(moves, one);
    expect(moves.fake.faults).toEqual([]);
  });

  test.each([
    ['snapshot:before-intent', 'cancelled', 'transfer.cancelled_early', [MAIN]],
    ['dns:after-done', 'cancelled', 'transfer.cancelled', [MAIN]],
    ['activate:after-call', 'cancelled', 'transfer.cancelled', [MAIN]],
    ['redirect:after-done', 'succeeded', 'transfer.done', [MAIN, RESERVE]],
    ['swap:after-intent', 'succeeded', 'transfer.done', [MAIN, RESERVE]],
  ])('at %s, and cancelled while it was dead, ends as %s and says %s', async (point, state, said, hosts) => {
    cases += 1;
    await moves.reset({ site: true });
    const id = await moves.start(MAIN, RESERVE);
    process.env['SEO_ADMIN_CRASH_AT'] = `transfer:${point}`;
    const { dataDir, connectTo } = moves.config;
    const child = startChild('test/children/transfer.ts', [dataDir, moves.fake.url, connectTo, String(id)]);
    delete process.env['SEO_ADMIN_CRASH_AT'];
    await expect(child.output()).rejects.toThrow('ended');
    await endLeases();
    await cancelOperation(id);
    const ended = await moves.run(id);
    expect([ended.state, (JSON.parse(ended.message) as { key: string }).key]).toEqual([state, said]);
    expect(await moves.visit(MAIN)).toMatchObject({ status: 200, hosts });
    expect((await moves.history()).length).toBe(hosts.length - 1);
  });
});
