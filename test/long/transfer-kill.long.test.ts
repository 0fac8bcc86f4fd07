// Every act of a transfer × every moment of death × every fault of its call.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JournalEntry } from '../../src/demo/cloudflare/faults.ts';
import { operationRow } from '../../src/operations/lease.ts';
import { isFinal } from '../../src/shared/operations.ts';
import { startChild } from '../support/child.ts';
import { endLeases } from '../support/leases.ts';
import { startMoves, type Moves } from '../support/moves.ts';
import { MAIN, RESERVE } from '../support/moves-portfolio.ts';
import { ACTS, expectWhole, FAULTS, play, productOf, UNDONE } from '../services/transfers/kill.ts';

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

test.each(all)(
  'a transfer killed at $act $when with $fault is completed or undone, where the gate $gate',
  async (one) => {
    cases += 1;
    await play(moves, one);
    expect(moves.fake.faults).toEqual([]);
  },
);

test('a transfer killed anywhere, repeatedly, while every outside service fails moves once', async () => {
  cases += 1;
  await moves.reset({ site: true, copy: true });
  const isWrite = ({ method }: JournalEntry): boolean => method !== 'GET';
  moves.fake.faults.push(
    { kind: 'act-then-drop', match: isWrite },
    { kind: '429', retryAfter: 0 },
    { kind: 'status', status: 503 },
    { kind: 'malformed', match: isWrite },
  );
  moves.ssh.faults.push({ kind: 'cut-before' }, { kind: 'act-then-cut' });
  const id = await moves.start(MAIN, RESERVE);
  const { dataDir, connectTo } = moves.config;
  for (let round = 0; round < 5; round += 1) {
    const calls = moves.fake.requests.length;
    const child = startChild('test/children/transfer.ts', [dataDir, moves.fake.url, connectTo, String(id)]);
    while (child.process.exitCode === null && moves.fake.requests.length < calls + 3 + round) await sleep(5);
    await child.kill();
    await endLeases();
    expect(await moves.visit(MAIN)).toMatchObject({ status: 200 });
  }
  if (!isFinal((await operationRow(id)).state)) await moves.run(id);
  expect(await moves.item(id)).toMatchObject({ state: 'done' });
  await expectWhole(moves, RESERVE, true);
});
