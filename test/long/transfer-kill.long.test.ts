// Every act of a transfer × every moment of death × every fault of its call.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startMoves, type Moves } from '../moves.ts';
import { ACTS, FAULTS, play, productOf, UNDONE } from '../services/transfer-kill.ts';

let moves: Moves;
let cases = 0;

beforeAll(async () => {
  moves = await startMoves();
});
afterAll(async () => {
  console.log(`transfers killed or failing: ${cases} cases`);
  await moves.close();
});

const all = [...productOf(ACTS, 'passes', Object.keys(FAULTS)), ...productOf(UNDONE, 'fails', Object.keys(FAULTS))];

test.each(all)('killed at $act $when with $fault, where the gate $gate', async (one) => {
  cases += 1;
  await play(moves, one);
  expect(moves.fake.faults).toEqual([]);
});
