// Bulk work on 2,000 zones that is cancelled, killed, stopped, retried and restored at many random moments.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBulk, type Bulk } from '../support/bulk.ts';
import { playRandom, type RandomKind } from '../support/random-bulk.ts';

let bulk: Bulk;

beforeAll(async () => {
  bulk = await startBulk({ accounts: 4, zonesEach: 500, latencyMs: 2 });
});
afterAll(() => bulk.close());

const KINDS: RandomKind[] = ['enable', 'disable', 'tls', 'attach'];
const RUNS = [11, 12, 13].flatMap((seed) => KINDS.map((kind) => ({ kind, seed })));

test.each(RUNS)('$kind with seed $seed: the zones, the journal and the API agree', async ({ kind, seed }) => {
  const { fates, changed } = await playRandom(bulk, { seed, kind, kills: 3 });
  console.log(`${kind} ${seed}: ${fates.join(', ')}; ${changed} changed`);
  expect(fates.length).toBeGreaterThan(0);
});
