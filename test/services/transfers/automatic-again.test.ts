// An automatic move looks at the list again before it sends visitors to the reserve: hours may have passed since it was chosen.
import { rmSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import { runOperation } from '../../../src/operations/engine.ts';
import { cancelOperation } from '../../../src/operations/queue.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { runAutoTransfers, startAutoTransfer } from '../../../src/services/transfers/automatic.ts';
import { factsOf } from '../../../src/services/transfers/facts.ts';
import { setGate } from '../../../src/services/transfers/gate.ts';
import { MAIN, OLDER, RESERVE } from '../../support/moves-portfolio.ts';
import { QUICK_GATE } from '../../support/quick-gate.ts';
import { recorded } from '../notices/recorded.ts';
import { look, run, useAutomaticMoves } from './automatic-moves.ts';
import { move, moves, records, said, types } from './transfers.ts';

useAutomaticMoves();
beforeEach(() => setGate({ ...QUICK_GATE, certificate: { everyMs: 20, limitMs: 20_000 } }));

/** Queues the automatic move of the main domain. */
async function begin(): Promise<number> {
  const { decisions } = await runAutoTransfers(SYSTEM, { here: true });
  return decisions[0]?.operation_id ?? 0;
}

/** Runs a move, and `act` while it waits for the certificate of the reserve. */
async function whileWaiting(id: number, act: () => Promise<void>) {
  moves.sites.certificates.set(RESERVE, 'issuing');
  const running = runOperation(id);
  const waiting = () =>
    select<{ waiting: string | null }>('SELECT waiting FROM operation_items WHERE operation_id = $id', { id });
  await expect.poll(async () => (await waiting())[0]?.waiting).toContain('transfer.waits_certificate');
  await act();
  moves.sites.certificates.clear();
  return running;
}

const errorOf = async (id: number) => (await moves.item(id)).error;
const forgetLooks = () => transaction(() => execute('DELETE FROM checks'));

test('a reserve that is blocked while its certificate is waited for gets no visitors, and is put back', async () => {
  await look(3, MAIN);
  const before = records(RESERVE);
  const id = await begin();
  const ended = await whileWaiting(id, () => look(1, MAIN, RESERVE));
  expect([ended.state, said(ended), await errorOf(id)]).toEqual([
    'failed',
    'transfer.not_moved',
    'transfer.target_blocked',
  ]);
  expect(records(RESERVE)).toEqual(before);
  expect(moves.writes(MAIN)).toEqual([]);
  expect(await types()).toMatchObject({ [MAIN]: 'main', [RESERVE]: 'transfer' });
  expect(await run()).toEqual([`${MAIN} started ${OLDER}`]);
});

test.each([
  [false, 'transfer.not_moved'],
  [true, 'transfer.done'],
])('a person’s own move to such a reserve, confirmed %s, ends as %s', async (force, message) => {
  await look(1);
  const ended = await whileWaiting(await moves.start(MAIN, RESERVE, { force }), () => look(1, RESERVE));
  expect(said(ended)).toBe(message);
});

test('a main domain that the list frees before its move begins stays, and nothing outside is changed', async () => {
  await look(3, MAIN);
  const id = await begin();
  await look(1);
  moves.fake.requests.length = 0;
  const ended = await runOperation(id);
  expect([ended.state, said(ended), await errorOf(id)]).toEqual(['failed', 'transfer.main_free', 'transfer.main_free']);
  expect(moves.fake.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('a main domain that the list frees while its move waits stays; nobody is called, and the reserve is not spent', async () => {
  await look(3, MAIN);
  const before = records(RESERVE);
  const id = await begin();
  await transaction(() => execute('DELETE FROM events'));
  const ended = await whileWaiting(id, () => look(1));
  expect([said(ended), await errorOf(id)]).toEqual(['transfer.main_free', 'transfer.main_free']);
  expect(records(RESERVE)).toEqual(before);
  expect(moves.writes(MAIN)).toEqual([]);
  expect(await moves.visit(MAIN)).toMatchObject({ status: 200, hosts: [MAIN] });
  expect(await recorded('transfer_failed', 'transfer_waits', 'operation_failed')).toEqual([]);
  await forgetLooks();
  await look(3, MAIN);
  expect(await run()).toEqual([`${MAIN} started ${RESERVE}`]);
});

test('a stop that comes while a move waits ends it, and the reserve is not spent', async () => {
  await look(3, MAIN);
  const id = await begin();
  await whileWaiting(id, async () => rmSync(moves.config.blocklistDir, { recursive: true, force: true }));
  expect(await errorOf(id)).toBe('auto_transfer.stopped_list');
  expect(moves.writes(MAIN)).toEqual([]);
  await look(1, MAIN);
  expect(await run()).toEqual([`${MAIN} started ${RESERVE}`]);
});

test('a move that a person cancels while it waits spends no reserve, and is not begun anew by itself', async () => {
  await look(3, MAIN);
  const id = await begin();
  const ended = await whileWaiting(id, () => cancelOperation(id));
  expect([ended.state, await errorOf(id)]).toEqual(['cancelled', 'operation.taken_back']);
  const { decisions } = await runAutoTransfers(SYSTEM, { here: true });
  expect(decisions.map(({ reason }) => reason.key)).toEqual(['auto_transfer.main_called_off']);
  const { reserves } = await factsOf(1, new Map(), Date.now());
  expect(reserves.filter(({ failed }) => failed)).toEqual([]);
});

test('a move that a person asked for obeys no stop, but stays where the main domain is free again', async () => {
  const ask = async () => (await startAutoTransfer(SYSTEM, { project: 1 }, { here: true })).id;
  await look(1, MAIN);
  const freed = await whileWaiting(await ask(), () => look(1));
  expect(said(freed)).toBe('transfer.main_free');
  await look(1, MAIN);
  const gone = async () => rmSync(moves.config.blocklistDir, { recursive: true, force: true });
  expect(said(await whileWaiting(await ask(), gone))).toBe('transfer.done');
});

test('a person’s own move of a main domain that is not blocked goes on', async () => {
  await look(1);
  expect(said(await move(MAIN, RESERVE))).toBe('transfer.done');
});

test('a reserve that is none any more gets no visitors', async () => {
  const id = await moves.start(MAIN, RESERVE);
  await whileWaiting(id, () =>
    transaction(async () => void (await execute(`UPDATE domains SET type = 'main' WHERE domain_name = '${RESERVE}'`))),
  );
  expect(await errorOf(id)).toBe('transfer.not_reserve');
  expect(moves.writes(MAIN)).toEqual([]);
});
