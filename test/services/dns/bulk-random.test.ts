// Bulk work over 150 zones that is cancelled, killed, stopped and restored at random moments. test/long runs 2,000 zones and many
// moments.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBulk, type Bulk } from '../../support/bulk.ts';
import { inTurns } from '../../support/vitest/turns.ts';
import { playRandom, type RandomKind } from '../../support/random-bulk.ts';

let bulk: Bulk;

beforeAll(async () => {
  bulk = await startBulk({ accounts: 2, zonesEach: 75, latencyMs: 2 });
});
afterAll(() => bulk.close());

const RUNS: [RandomKind, number][] = [
  ['enable', 1],
  ['disable', 3],
  ['tls', 4],
  ['attach', 5],
];

test.each(inTurns(RUNS))(
  '%s with seed %i: the world, the journal and the screen say the same',
  async (kind, seed) => {
    const { fates, changed } = await playRandom(bulk, { seed, kind, kills: 1 });
    console.log(`${kind} ${seed}: ${fates.join(', ')}; ${changed} changed`);
    expect(fates.length).toBeGreaterThan(0);
  },
  120_000,
);
