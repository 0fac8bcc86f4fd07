// The ways in which a transfer can be killed or fail, and the conditions that must hold after each.
import { expect } from 'vitest';
import { select } from '../../../db/index.ts';
import type { FaultKind } from '../../../src/demo/cloudflare/faults.ts';
import { operationRow } from '../../../src/operations/lease.ts';
import { refuseHeld } from '../../../src/operations/queue.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { startTransfer } from '../../../src/services/transfers/transfers.ts';
import { isFinal } from '../../../src/shared/operations.ts';
import { startChild } from '../../support/child.ts';
import { dump } from '../../support/database.ts';
import { endLeases } from '../../support/leases.ts';
import type { Moves } from '../../support/moves.ts';
import { forwardsOf, MAIN, OLDER, pairOf, RESERVE, SPARE } from '../../support/moves-portfolio.ts';

/** The faults of the first changing call of an act; `none` is no fault. */
export const FAULTS: Record<string, FaultKind | null> = {
  none: null,
  'act-then-drop': { kind: 'act-then-drop' },
  '429': { kind: '429', retryAfter: 0 },
  '500': { kind: 'status', status: 500 },
  malformed: { kind: 'malformed' },
};

/** The Cloudflare call of each act; null for acts in our own database or on the server. */
export const ACTS: Record<string, string | null> = {
  snapshot: null,
  zone: 'POST /zones',
  upload: null,
  unforward: 'DELETE /zones/*/pagerules/*',
  dns: 'POST /zones/*/dns_records/batch',
  tls_1_3: 'PATCH /zones/*/settings/tls_1_3',
  security_level: 'PATCH /zones/*/settings/security_level',
  activate: null,
  redirect: 'POST /zones/*/pagerules',
  swap: null,
  [`chain:${OLDER}`]: 'PUT /zones/*/pagerules/*',
  verify: null,
};

/** The acts that are undone, each with the Cloudflare call of its undo. */
export const UNDONE: Record<string, string | null> = {
  activate: null,
  security_level: 'PATCH /zones/*/settings/security_level',
  tls_1_3: 'PATCH /zones/*/settings/tls_1_3',
  dns: 'POST /zones/*/dns_records/batch',
  unforward: 'POST /zones/*/pagerules',
  upload: null,
};

export const WHEN = ['before-intent', 'after-intent', 'after-call', 'after-done'] as const;

/** One case: the point where the process dies and the fault of the outside. `gate` says whether the reserve answers. */
export interface Case {
  act: string;
  when: string;
  fault: string;
  gate: 'passes' | 'fails';
}

export const productOf = (acts: Record<string, unknown>, gate: Case['gate'], faults: string[]): Case[] =>
  Object.keys(acts).flatMap((act) => WHEN.flatMap((when) => faults.map((fault) => ({ act, when, fault, gate }))));

/** The reserve of a case: the one without a zone where the act `zone` dies. */
const targetOf = ({ act }: Case): string => (act === 'zone' ? SPARE : RESERVE);

const leadsAway = (moves: Moves, zone: string): string[] =>
  forwardsOf(moves.zone(zone)).map((url) => new URL(url).hostname);

async function begin(moves: Moves, one: Case): Promise<{ id: number; target: string }> {
  const target = targetOf(one);
  await moves.reset({ site: true, copy: true });
  // A redirect rule of ours that leads back, which the transfer must remove.
  const [rule] = moves.zone(OLDER).page_rules;
  const back = structuredClone(rule!);
  back.id = 'b'.repeat(32);
  back.targets[0]!.constraint.value = `*${RESERVE}/*`;
  moves.zone(RESERVE).page_rules = [back];
  if (one.gate === 'fails') moves.troubles[target] = { status: 502, error: null };
  const call = (one.gate === 'fails' ? UNDONE : ACTS)[one.act];
  const fault = FAULTS[one.fault];
  // The way there makes the same call before the rollback does: that one succeeds.
  let toPass = one.gate === 'fails' && ACTS[one.act] === call ? 1 : 0;
  const match = (): boolean => (toPass -= 1) < 0;
  if (call && fault) moves.fake.faults.push({ ...fault, call, match });
  return { id: await moves.start(MAIN, target), target };
}

/** Expects one main domain of the two, at most one rule and no loop, and that the name known to visitors is served. */
export async function expectWhole(moves: Moves, target: string, moved: boolean): Promise<void> {
  const rows = await select<{ domain_name: string; type: string }>(
    `SELECT domain_name, type FROM domains WHERE type = 'main'`,
  );
  expect(rows.map(({ domain_name }) => domain_name)).toEqual([moved ? target : MAIN]);
  expect(leadsAway(moves, MAIN)).toEqual(moved ? [target] : []);
  expect(leadsAway(moves, target)).toEqual(moved || target === SPARE ? [] : [MAIN]);
  expect(leadsAway(moves, OLDER)).toEqual([moved ? target : MAIN]);
  expect(await moves.history()).toHaveLength(moved ? 1 : 0);
  const { status, hosts, text } = await moves.visit(MAIN);
  expect([status, hosts]).toEqual([200, moved ? [MAIN, target] : [MAIN]]);
  expect(text).toContain(moved ? '<h1>The site</h1>' : 'The old site');
  if (!moved) expect(moves.writes(MAIN)).toEqual([]);
  await refuseHeld([
    { kind: 'domain', name: MAIN },
    { kind: 'domain', name: target },
    { kind: 'dns', name: MAIN },
    { kind: 'rule', name: MAIN, part: '1' },
  ]);
}

/** Expects that visitors get one of the two sites while the transfer is interrupted. */
async function expectServed(moves: Moves): Promise<void> {
  const { status, text } = await moves.visit(MAIN);
  expect([status, /The (?:old )?site/.test(text)]).toEqual([200, true]);
}

async function expectNothingMore(moves: Moves, target: string): Promise<void> {
  moves.fake.requests.length = 0;
  const before = await dump();
  await expect(startTransfer(SYSTEM, { ...pairOf(MAIN, target), force: false })).rejects.toMatchObject({
    kind: 'conflict',
  });
  expect(await dump()).toBe(before);
  expect(moves.fake.requests).toEqual([]);
}

/** Tells whether the call acts but its answer is lost: the process then never reaches the moment `after-call`. */
const isUnheard = ({ act, when, fault, gate }: Case): boolean =>
  when === 'after-call' &&
  ['act-then-drop', 'malformed'].includes(fault) &&
  (gate === 'fails' ? UNDONE : ACTS)[act] !== null;

/** Runs a case: a process that dies at its point, then another run to the end. */
export async function play(moves: Moves, one: Case): Promise<void> {
  const { id, target } = await begin(moves, one);
  const point = one.gate === 'fails' ? `undo-${one.act}` : one.act;
  const { dataDir, connectTo } = moves.config;
  process.env['SEO_ADMIN_CRASH_AT'] = `transfer:${point}:${one.when}`;
  const child = startChild('test/children/transfer.ts', [dataDir, moves.fake.url, connectTo, String(id)]);
  delete process.env['SEO_ADMIN_CRASH_AT'];
  const isDead = await child.output().then(
    () => false,
    () => true,
  );
  expect(isDead).toBe(!isUnheard(one));
  expect(isFinal((await operationRow(id)).state)).toBe(!isDead);
  await expectServed(moves);
  if (isDead) await endLeases();
  if (isDead) await moves.run(id);
  expect(isFinal((await operationRow(id)).state)).toBe(true);
  // Each fault was used, by the process that died or by the next one.
  expect(moves.fake.faults).toEqual([]);
  const moved = one.gate === 'passes';
  expect(await moves.item(id)).toMatchObject({ state: moved ? 'done' : 'failed' });
  await expectWhole(moves, target, moved);
  if (moved) await expectNothingMore(moves, target);
}
