// A move and a switch of protection meet at the zone of the reserve: neither refuses the other, and the zone ends as the switch says.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { execute, transaction } from '../../../db/index.ts';
import { hold } from '../../../src/demo/cloudflare/faults.ts';
import { runOperation } from '../../../src/operations/engine.ts';
import { listItemRows } from '../../../src/operations/item-rows.ts';
import { cancelOperation } from '../../../src/operations/queue.ts';
import { startRestore } from '../../../src/operations/restore.ts';
import { planSwitch, startSwitch, type Switch } from '../../../src/services/dns/protection.ts';
import { setGate } from '../../../src/services/transfers/gate.ts';
import { planTransfer } from '../../../src/services/transfers/transfers.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { MAIN, pairOf, RESERVE, SPARE } from '../../support/moves-portfolio.ts';
import { QUICK_GATE } from '../../support/quick-gate.ts';
import { move, moves, said, useMoves } from './transfers.ts';

useMoves();

// The end of a move waits for a switch under way.
const PATIENT = { ...QUICK_GATE, redirect: { everyMs: 20, limitMs: 30_000 } };
afterEach(() => setGate(QUICK_GATE));

const ENABLE: Switch = { kind: 'under_attack', action: 'enable' };
const TLS_ON: Switch = { kind: 'tls', state: 'on' };
const LEVEL = 'PATCH /zones/*/settings/security_level';

const started = async (wanted: Switch, names: string[] | null = [RESERVE]): Promise<number> =>
  (await startSwitch(SYSTEM, wanted, { names })).id;
const setting = (name: 'security_level' | 'tls_1_3', zone = RESERVE): unknown => moves.zone(zone).settings[name]?.value;
const moved = async (id: number): Promise<void> => {
  const ended = await moves.run(id);
  expect([ended.state, said(ended)]).toEqual(['succeeded', 'transfer.done']);
};
const succeeded = async (id: number): Promise<void> => expect((await moves.run(id)).state).toBe('succeeded');
const writes = (): number => moves.writes(RESERVE).filter(({ path }) => path.endsWith('/security_level')).length;
const written = async (): Promise<void> => {
  await expect.poll(writes).toBe(1);
};

describe('the reserve ends as the switch says, and the move is done, where', () => {
  test('the switch was begun before and comes to the zone after the move', async () => {
    const [level, tls] = [await started(ENABLE, null), await started(TLS_ON, null)];
    const id = await moves.start(MAIN, RESERVE);
    // It tells what is still to be set.
    expect(said(await moves.run(id))).toBe('transfer.left_tls');
    expect((await moves.item(id)).acts).toMatchObject({ tls_1_3: 'noop', security_level: 'noop' });
    await succeeded(level);
    await succeeded(tls);
    expect([setting('security_level'), setting('tls_1_3') ?? 'on']).toEqual(['under_attack', 'on']);
  });

  test('the switch has done the zone, and not yet that of the main domain', async () => {
    const id = await started(ENABLE, null);
    // The account of the main domain is away until the move has ended.
    const away = { match: ({ login }: { login: string | null }) => login === 'ops1@example.net', times: 1 };
    const { fault, release } = hold();
    moves.fake.faults.push({ ...fault, ...away });
    const running = runOperation(id);
    await expect.poll(() => setting('security_level')).toBe('under_attack');
    await expect.poll(async () => (await listItemRows(id)).some(({ state }) => state === 'done')).toBe(true);
    await moved(await moves.start(MAIN, RESERVE));
    expect(setting('security_level', MAIN)).toBe('high');
    release();
    expect((await running).state).toBe('succeeded');
    expect([setting('security_level'), setting('security_level', MAIN)]).toEqual(['under_attack', 'under_attack']);
  });

  test('the switch was begun and has ended while the move waited', async () => {
    const id = await moves.start(MAIN, RESERVE);
    await succeeded(await started(ENABLE));
    await moved(id);
    expect(setting('security_level')).toBe('under_attack');
    expect(setting('tls_1_3')).toBe('off');
  });

  test('the switch is begun and has ended after the act of the move, which goes on', async () => {
    const { fault, release } = hold();
    moves.fake.faults.push({ ...fault, call: 'POST /zones/*/pagerules' });
    const moving = moves.start(MAIN, RESERVE).then(moved);
    await expect.poll(() => moves.writes(MAIN).length).toBe(1);
    expect(setting('security_level')).toBe('high');
    await succeeded(await started(ENABLE));
    release();
    await moving;
    expect(setting('security_level')).toBe('under_attack');
  });

  test('the switch is begun between the intent of the move and its call', async () => {
    setGate(PATIENT);
    moves.fake.faults.push({ kind: '429', retryAfter: 1, call: LEVEL });
    const id = await moves.start(MAIN, RESERVE);
    const moving = moved(id);
    await written();
    await succeeded(await started(ENABLE));
    await moving;
    expect((await moves.item(id)).acts).toMatchObject({ tls_1_3: 'done', security_level: 'noop' });
    expect(setting('security_level')).toBe('under_attack');
  });

  test('the switch is begun while the call of the move is under way, for which it waits', async () => {
    setGate(PATIENT);
    const { fault, release } = hold();
    moves.fake.faults.push({ ...fault, call: LEVEL });
    const moving = moves.start(MAIN, RESERVE).then(moved);
    await written();
    const looks: boolean[] = [];
    let isReleased = false;
    const seen = ({ path, method }: { path: string; method: string }): boolean => {
      if (method === 'GET' && path.endsWith('/security_level')) looks.push(isReleased);
      return false;
    };
    moves.fake.faults.push({ kind: 'drop-before', match: seen, times: Infinity });
    const switching = started(ENABLE).then(succeeded);
    await sleep(300);
    isReleased = true;
    release();
    await Promise.all([moving, switching]);
    expect(looks[0]).toBe(true);
    expect(setting('security_level')).toBe('under_attack');
  });
});

describe('a switch that waits for the call of a move', () => {
  let release: () => void;
  let moving: Promise<void>;
  let switched: number;

  beforeEach(async () => {
    await transaction(() => execute(`UPDATE domains SET cloudflare_account_id = 2 WHERE domain_name = '${SPARE}'`));
    moves.fake.addZone({ name: SPARE, account_id: moves.zone(RESERVE).account_id, status: 'active', records: [] });
    const held = hold();
    release = held.release;
    moves.fake.faults.push({ ...held.fault, call: LEVEL, times: 1 });
    moving = moves.start(MAIN, RESERVE).then(moved);
    await written();
    // The zone of the reserve is the first of its account.
    switched = await started(ENABLE, [RESERVE, SPARE]);
  });
  afterEach(async () => {
    release();
    await moving;
  });
  const waits = async (): Promise<boolean> =>
    (await listItemRows(switched)).some(({ waiting }) => waiting?.includes('protect.waits_move'));

  test('goes on with the other zones of the account', async () => {
    const running = moves.run(switched);
    await expect.poll(() => setting('security_level', SPARE)).toBe('under_attack');
    expect([await waits(), writes()]).toEqual([true, 1]);
    release();
    expect((await running).state).toBe('succeeded');
    expect(setting('security_level')).toBe('under_attack');
  });

  test('hears a cancellation', async () => {
    const running = moves.run(switched);
    await expect.poll(waits).toBe(true);
    await cancelOperation(switched);
    expect((await running).state).toBe('cancelled');
    expect(writes()).toBe(1);
  });

  test('hears the stop of its process', async () => {
    const stop = new AbortController();
    const running = runOperation(switched, { signal: stop.signal });
    await expect.poll(waits).toBe(true);
    stop.abort();
    expect((await running).state).toBe('queued');
    expect(writes()).toBe(1);
  });

  test('is planned meanwhile', async () => {
    expect((await planSwitch(SYSTEM, ENABLE, [RESERVE])).acts).toMatchObject([{ after: 'under_attack' }]);
  });
});

test('the undo of a move leaves the setting to a switch that was begun since, though it wanted the same', async () => {
  moves.zone(MAIN).settings['security_level'] = { value: 'under_attack', modified_on: '' };
  moves.troubles[RESERVE] = { status: 502, error: null };
  const { fault, release } = hold();
  moves.fake.faults.push({ ...fault, call: LEVEL });
  const id = await moves.start(MAIN, RESERVE);
  const moving = moves.run(id);
  await written();
  const switching = started(ENABLE).then(succeeded);
  release();
  expect((await moving).state).toBe('failed');
  await switching;
  expect((await moves.item(id)).acts).toMatchObject({ tls_1_3: 'undone', security_level: 'undone' });
  expect([setting('security_level'), setting('tls_1_3')]).toEqual(['under_attack', 'on']);
});

test('a move gives the reserve the settings of its main domain where the switch was cancelled before it came to the zone', async () => {
  const switched = await started(ENABLE);
  const id = await moves.start(MAIN, RESERVE);
  await cancelOperation(switched);
  await moved(id);
  expect(setting('security_level')).toBe('high');
});

test('a plan of either is made while the other waits, and two switches of a zone still refuse each other', async () => {
  const busy = { kind: 'busy' };
  await started(ENABLE, null);
  const planned = await planTransfer(SYSTEM, { ...pairOf(MAIN, RESERVE), force: false });
  expect(planned.acts.map(({ act }) => act)).not.toContain('security_level');
  expect(planned.acts.map(({ act }) => act)).toContain('tls_1_3');
  await moves.start(MAIN, RESERVE);
  expect((await planSwitch(SYSTEM, ENABLE, [RESERVE])).acts).toHaveLength(1);
  await expect(started(ENABLE)).rejects.toMatchObject(busy);
  await expect(started({ kind: 'under_attack', action: 'disable' }, null)).rejects.toMatchObject(busy);
});

test('a switch of before a move is not given back in the zone that the move has found', async () => {
  const switched = await started(ENABLE);
  await succeeded(switched);
  const { id } = await move(MAIN, RESERVE);
  expect(setting('security_level')).toBe('high');
  const back = await startRestore(null, switched);
  expect((await moves.run(back.id)).state).toBe('failed');
  const [item] = await listItemRows(back.id);
  expect(JSON.parse(item!.error ?? '')).toMatchObject({ key: 'transfer.changed_since', params: { id } });
  expect(setting('security_level')).toBe('high');
});
