// A move leaves the protection of the reserve to a switch that has not come to its zone yet: it asks again at its end, and tells what is not set.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hold } from '../../../src/demo/cloudflare/faults.ts';
import { listItemRows } from '../../../src/operations/item-rows.ts';
import { cancelOperation } from '../../../src/operations/queue.ts';
import { startSwitch, type Switch } from '../../../src/services/dns/protection.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { setGate } from '../../../src/services/transfers/gate.ts';
import { readTimeline } from '../../../src/services/timeline/timeline.ts';
import { TimelineQuery } from '../../../src/shared/timeline/timeline.ts';
import { MAIN, RESERVE } from '../../support/moves-portfolio.ts';
import { QUICK_GATE } from '../../support/quick-gate.ts';
import { moves, said, useMoves } from './transfers.ts';

useMoves();

const LEVEL = 'PATCH /zones/*/settings/security_level';
let switched: number;

beforeEach(async () => {
  moves.zone(MAIN).settings['security_level'] = { value: 'under_attack', modified_on: '' };
  switched = await started({ kind: 'under_attack', action: 'enable' });
});
afterEach(() => setGate(QUICK_GATE));

const started = async (wanted: Switch): Promise<number> => (await startSwitch(SYSTEM, wanted, { names: [RESERVE] })).id;
const level = (zone: string): unknown => moves.zone(zone).settings['security_level']?.value ?? 'medium';

/** A move that stands at its redirect; `end` lets it go on, and returns its end. */
async function moving(): Promise<{ id: number; end: () => ReturnType<typeof moves.run> }> {
  const { fault, release } = hold();
  moves.fake.faults.push({ ...fault, call: 'POST /zones/*/pagerules' });
  const id = await moves.start(MAIN, RESERVE);
  const running = moves.run(id);
  await expect.poll(() => moves.writes(MAIN).length).toBe(1);
  expect([(await moves.item(id)).acts['security_level'], level(RESERVE)]).toEqual(['noop', 'medium']);
  return {
    id,
    end: () => {
      release();
      return running;
    },
  };
}

const done = ({ state, message }: Awaited<ReturnType<typeof moves.run>>) => [state, JSON.parse(message) as object];

test('the new main domain gets the protection of the former one where the switch is cancelled meanwhile', async () => {
  const { id, end } = await moving();
  await cancelOperation(switched);
  expect(said(await end())).toBe('transfer.done');
  expect([level(MAIN), level(RESERVE)]).toEqual(['under_attack', 'under_attack']);
  expect(await moves.history()).toMatchObject([{ outcome: 'done', warning: null }]);
  expect((await moves.item(id)).acts[`security_level ${RESERVE}`]).toBe('done');
});

test('it gets it where the switch fails in its zone meanwhile', async () => {
  const { end } = await moving();
  const body = { success: false, errors: [{ code: 9999, message: 'no' }], messages: [], result: null };
  moves.fake.faults.push({ kind: 'status', status: 403, call: LEVEL, times: 1, body });
  expect((await moves.run(switched)).state).toBe('failed');
  expect(said(await end())).toBe('transfer.done');
  expect(level(RESERVE)).toBe('under_attack');
});

test('the move waits for a switch that is still to come to the zone', async () => {
  setGate({ ...QUICK_GATE, redirect: { everyMs: 20, limitMs: 30_000 } });
  const { id, end } = await moving();
  const ended = end();
  await expect.poll(async () => (await listItemRows(id))[0]!.waiting).toContain('transfer.waits_switch');
  await cancelOperation(switched);
  expect((await moves.run(await started({ kind: 'under_attack', action: 'enable' }))).state).toBe('succeeded');
  expect(said(await ended)).toBe('transfer.done');
  expect((await moves.item(id)).acts[`security_level ${RESERVE}`]).toBe('noop');
  expect(level(RESERVE)).toBe('under_attack');
});

test('a switch that has not come to the zone by the end of the move is told', async () => {
  const { end } = await moving();
  expect(done(await end())).toMatchObject(['succeeded', { key: 'transfer.left_level', params: { id: switched } }]);
  expect(await moves.history()).toMatchObject([{ outcome: 'done_with_warning', redirect_seen_at: expect.any(String) }]);
  expect(level(RESERVE)).toBe('medium');
  const { data } = await readTimeline(SYSTEM, (await moves.domain(RESERVE)).id, TimelineQuery.parse({}));
  expect(data.flatMap(({ text }) => text.also ?? []).map(({ key }) => key)).toEqual(['timeline.protection_left']);
});

test('both settings that are left are told, and none that is as in the former zone', async () => {
  const tls = await started({ kind: 'tls', state: 'on' });
  const { end } = await moving();
  expect(done(await end())).toMatchObject([
    'succeeded',
    { key: 'transfer.left_tls', params: { id: tls }, also: [{ key: 'transfer.left_level' }] },
  ]);
  await cancelOperation(tls);
  await moves.reset();
  await started({ kind: 'tls', state: 'off' });
  moves.zone(RESERVE).settings['tls_1_3'] = { value: 'off', modified_on: '' };
  expect(said(await moves.run(await moves.start(MAIN, RESERVE)))).toBe('transfer.done');
});
