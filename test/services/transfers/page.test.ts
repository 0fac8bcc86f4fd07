// The page of a transfer: what it tells of a move under way, moved and failed, to whom, and what visitors see.
import { expect, test } from 'vitest';
import { SYSTEM, type Actor } from '../../../src/services/access/scope.ts';
import { readTransferPage } from '../../../src/services/transfers/page.ts';
import { lookAsVisitor } from '../../../src/services/transfers/visitor.ts';
import { MAIN, RESERVE } from '../../support/moves-portfolio.ts';
import { error, moves, useMoves } from './transfers.ts';

useMoves();

const STRANGER: Actor = { id: 999_999, login: 'stranger', role: 'user' };

test('a move that has ended tells both names, its acts with their times, and what visitors get', async () => {
  const id = await moves.start(MAIN, RESERVE);
  const before = await readTransferPage(SYSTEM, id);
  expect(before).toMatchObject({
    operation: { id, kind: 'transfer', state: 'queued' },
    move_count: 1,
    move: { question: null, has_moved: false, source: { domain_name: MAIN, domain: { type: 'main' } } },
  });
  expect(await lookAsVisitor(SYSTEM, id)).toMatchObject({ source: { status: 200, leads_to: null, forwards: false } });
  await moves.run(id);
  const { move, moves: names } = await readTransferPage(SYSTEM, id, before.move?.id);
  expect(names).toEqual([{ id: before.move?.id, source: MAIN, target: RESERVE, state: 'done' }]);
  expect(move).toMatchObject({
    question: null,
    has_moved: true,
    source: { domain: { type: 'transfer' } },
    target: { domain_name: RESERVE, domain: { type: 'main' } },
    redirect_seen_at: expect.any(String),
  });
  expect(move?.acts.filter(({ at }) => at === undefined)).toEqual([]);
  expect(move?.acts.find(({ name }) => name === 'snapshot')).not.toHaveProperty('before');
  // The answer of the first look is kept for seconds.
  await expect
    .poll(async () => (await lookAsVisitor(SYSTEM, id)).source, { interval: 500 })
    .toMatchObject({ status: 200, leads_to: RESERVE, forwards: true, is_https: true, certificate: null });
});

test('a reserve without the site asks for a person; another’s transfer, other work and another’s move are not there', async () => {
  moves.sites.certificates.set(RESERVE, 'foreign');
  const id = await moves.start(MAIN, RESERVE);
  await moves.run(id);
  const { move } = await readTransferPage(SYSTEM, id);
  expect(move).toMatchObject({ state: 'failed', question: expect.any(String), has_moved: false });
  for (const work of [
    () => readTransferPage(STRANGER, id),
    () => lookAsVisitor(STRANGER, id),
    () => readTransferPage(SYSTEM, id, 999_999),
    () => lookAsVisitor(SYSTEM, id, 999_999),
    () => readTransferPage(SYSTEM, 999_999),
  ]) {
    expect(await error(work())).toBe('not_found error.not_found');
  }
});
