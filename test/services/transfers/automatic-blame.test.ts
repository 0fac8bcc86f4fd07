// Whose fault it is that a site has not moved by itself: a reserve rests for a day for its own faults alone.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { runOperation } from '../../../src/operations/engine.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { updateBlocklist } from '../../../src/services/checks/blocklist.ts';
import { runAutoTransfers } from '../../../src/services/transfers/automatic.ts';
import { factsOf } from '../../../src/services/transfers/facts.ts';
import { setGate } from '../../../src/services/transfers/gate.ts';
import { MAIN, OLDER, RESERVE } from '../../support/moves-portfolio.ts';
import { QUICK_GATE } from '../../support/quick-gate.ts';
import { KEY } from '../../support/cloudflare-state.ts';
import { look, run, useAutomaticMoves } from './automatic-moves.ts';
import { moves } from './transfers.ts';

useAutomaticMoves();
afterEach(() => [0, 1].forEach((login) => setKey(login, KEY)));

// The logins of the source's account and of the reserve's.
const [OF_SOURCE, OF_RESERVE] = [0, 1];
const setKey = (login: number, key: string): void => {
  moves.fake.state.logins[login]!.api_key = key;
};
const reasons = async () => (await runAutoTransfers(SYSTEM, { here: true })).decisions.map(({ reason }) => reason);

test('a refused account of the source declines the main domain with its reason, and no reserve is tried', async () => {
  await look(3, MAIN);
  setKey(OF_SOURCE, 'changed');
  const refused = { key: 'auto_transfer.main_refused', params: { reason: expect.stringMatching(/\S/) } };
  for (let turn = 0; turn < 3; turn += 1) expect(await reasons()).toEqual([refused]);
  setKey(OF_SOURCE, KEY);
  expect(await run()).toEqual([`${MAIN} started ${RESERVE}`]);
  expect(await moves.history()).toHaveLength(1);
});

/** Queues the automatic move. */
async function begin(): Promise<number> {
  await look(3, MAIN);
  return (await runAutoTransfers(SYSTEM, { here: true })).decisions[0]?.operation_id ?? 0;
}

test('an account of the source that is refused once the move is queued spends no reserve', async () => {
  const id = await begin();
  setKey(OF_SOURCE, 'changed');
  await runOperation(id);
  expect((await moves.item(id)).error).toBe('transfer.source_refused');
  setKey(OF_SOURCE, KEY);
  expect(await run()).toEqual([`${MAIN} started ${RESERVE}`]);
});

test('nor does one that is refused right before the redirect', async () => {
  setGate({ ...QUICK_GATE, certificate: { everyMs: 20, limitMs: 20_000 } });
  const id = await begin();
  moves.sites.certificates.set(RESERVE, 'issuing');
  const running = runOperation(id);
  await expect.poll(async () => (await moves.item(id)).acts['security_level']).toBe('done');
  setKey(OF_SOURCE, 'changed');
  moves.sites.certificates.clear();
  await running;
  expect((await moves.item(id)).error).toBe('transfer.source_refused');
  setKey(OF_SOURCE, KEY);
  expect(await run()).toEqual([`${MAIN} started ${RESERVE}`]);
});

/** Loads a list without the source's name, before any check has seen it. */
async function loadFreeList(): Promise<void> {
  const file = join(moves.config.dataDir, 'free.txt');
  writeFileSync(file, 'other.example\n');
  await updateBlocklist(moves.config.blocklistDir, { file, accept: true });
}

/** Gives the source a rule that leads elsewhere. */
function leadElsewhere(): void {
  const [rule] = moves.zone(OLDER).page_rules;
  moves.zone(MAIN).page_rules = [
    {
      ...rule!,
      targets: [{ target: 'url', constraint: { operator: 'matches', value: `*${MAIN}/*` } }],
      actions: [{ id: 'forwarding_url', value: { url: 'https://elsewhere.org/$2', status_code: 301 } }],
    },
  ];
}

test('a rule of the source that leads elsewhere spends no reserve', async () => {
  const id = await begin();
  leadElsewhere();
  await runOperation(id);
  expect((await moves.item(id)).error).toBe('rules.forwards_elsewhere');
  moves.zone(MAIN).page_rules = [];
  expect(await run()).toEqual([`${MAIN} started ${RESERVE}`]);
});

test('a CDN of the source that is away for good spends no reserve', async () => {
  const id = await begin();
  const { id: zone } = moves.zone(MAIN);
  moves.fake.faults.push({ kind: 'status', status: 502, times: 9_999, match: ({ path }) => path.includes(zone) });
  await runOperation(id);
  moves.fake.faults.length = 0;
  expect((await moves.item(id)).error).toBe('provider.unavailable');
  expect(await run()).toEqual([`${MAIN} started ${RESERVE}`]);
});

test('a main domain whose rule leads elsewhere is tried three times a day, and leaves the moves of the day to others', async () => {
  leadElsewhere();
  await look(3, MAIN);
  const started = expect.stringMatching(`^${MAIN} started`);
  for (let turn = 0; turn < 3; turn += 1) expect(await run()).toEqual([started]);
  const limit = { key: 'auto_transfer.limit_main', params: { limit: 3 } };
  expect(await reasons()).toEqual([limit]);
  expect((await factsOf(1, new Map(), Date.now())).moved).toEqual({ project: 0, overall: 0 });
});

test('a main domain that may be read but not written is tried three times a day, and leaves the moves of the day to others', async () => {
  await look(3, MAIN);
  const { id: zone } = moves.zone(MAIN);
  const contents = () => moves.zone(RESERVE).records.map(({ content }) => content);
  const before = contents();
  moves.fake.faults.push({
    kind: 'status',
    status: 403,
    times: 9_999,
    match: ({ method, path }) => method !== 'GET' && path.includes(zone),
  });
  for (let turn = 0; turn < 3; turn += 1) expect(await run()).toEqual([`${MAIN} started ${RESERVE}`]);
  expect(await reasons()).toEqual([{ key: 'auto_transfer.limit_main', params: { limit: 3 } }]);
  expect((await factsOf(1, new Map(), Date.now())).moved).toEqual({ project: 0, overall: 0 });
  expect(await moves.history()).toEqual([]);
  expect(contents()).toEqual(before);
});

test('a main domain that the list has freed before its move spends no move of the day', async () => {
  const id = await begin();
  await loadFreeList();
  await runOperation(id);
  expect((await moves.item(id)).error).toBe('transfer.main_free');
  expect((await factsOf(1, new Map(), Date.now())).moved).toEqual({ project: 0, overall: 0 });
});

test('a refused account of the reserve is a fault of the reserve: the next one is taken', async () => {
  const id = await begin();
  setKey(OF_RESERVE, 'changed');
  await runOperation(id);
  expect((await moves.item(id)).error).toBe('provider.credentials');
  setKey(OF_RESERVE, KEY);
  expect(await run()).toEqual([`${MAIN} started ${OLDER}`]);
});
