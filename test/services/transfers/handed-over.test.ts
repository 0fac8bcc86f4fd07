// An older name that is given to another user while its site moves on: the move leaves its zone as it is.
import { beforeAll, expect, test } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import { listItemRows } from '../../../src/operations/item-rows.ts';
import { actorOf } from '../../../src/services/access/ownership.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { updateDomain } from '../../../src/services/portfolio/domains.ts';
import { setGate } from '../../../src/services/transfers/gate.ts';
import { startTransfer } from '../../../src/services/transfers/transfers.ts';
import { hold } from '../../../src/demo/cloudflare/faults.ts';
import { forwardsOf, MAIN, OLDER, pairOf, RESERVE } from '../../support/moves-portfolio.ts';
import { QUICK_GATE } from '../../support/quick-gate.ts';
import { moves, said, useMoves } from './transfers.ts';

useMoves();

let project: number;
beforeAll(async () => {
  const at = '2026-01-01T00:00:00.000Z';
  await transaction(async () => {
    await execute(
      `INSERT INTO users (login, password, role, active, created_at) VALUES ('other', '', 'user', 1, $at)`,
      { at },
    );
    await execute(
      `INSERT INTO projects (user_id, name, created_at) SELECT id, 'Other', $at FROM users WHERE login = 'other'`,
      { at },
    );
  });
  project = (await select<{ id: number }>(`SELECT id FROM projects WHERE name = 'Other'`))[0]!.id;
});

const begin = async (): Promise<number> =>
  (await startTransfer(await actorOf(1), { ...pairOf(MAIN, RESERVE), force: false, confirm_site: undefined }, {})).id;
const handOver = async (): Promise<unknown> =>
  updateDomain(SYSTEM, (await moves.domain(OLDER)).id, { project_id: project }, ['project_id']);

test('while the move waits at its gate', async () => {
  setGate({ ...QUICK_GATE, certificate: { everyMs: 20, limitMs: 20_000 } });
  moves.sites.certificates.set(RESERVE, 'issuing');
  const id = await begin();
  const running = moves.run(id);
  await expect
    .poll(async () => (await listItemRows(id))[0]!.waiting, { timeout: 20_000 })
    .toContain('waits_certificate');
  await handOver();
  moves.sites.certificates.clear();
  expect(said(await running)).toBe('transfer.done');
  expect([moves.writes(OLDER), forwardsOf(moves.zone(OLDER))]).toEqual([[], [`https://${MAIN}/$2`]]);
  expect((await moves.item(id)).acts).toMatchObject({ redirect: 'done', swap: 'done', [`chain:${OLDER}`]: 'noop' });
});

test('after the rules of its zone were looked at', async () => {
  const { fault, release } = hold();
  const older = moves.zone(OLDER).id;
  let isMoved = false;
  moves.fake.faults.push({
    ...fault,
    match: ({ method, path }) => {
      isMoved ||= method === 'POST' && path.endsWith('/pagerules');
      return isMoved && method === 'GET' && path.startsWith(`/zones/${older}/`);
    },
  });
  const id = await begin();
  const from = moves.fake.requests.length;
  const running = moves.run(id);
  const isLooked = (): boolean =>
    isMoved &&
    moves.fake.requests.slice(from).some(({ method, path }) => method === 'GET' && path.startsWith(`/zones/${older}/`));
  await expect.poll(isLooked, { timeout: 20_000 }).toBe(true);
  await handOver();
  release();
  expect(said(await running)).toBe('transfer.done');
  expect([moves.writes(OLDER), (await moves.item(id)).acts[`chain:${OLDER}`]]).toEqual([[], 'noop']);
});
