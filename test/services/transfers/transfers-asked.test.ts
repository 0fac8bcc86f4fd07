// Requests to move a site from a main domain to a reserve: which are refused, and which changes are locked meanwhile.
import { describe, expect, test, vi } from 'vitest';
import { databaseLoad, execute, select, transaction } from '../../../db/index.ts';
import { hold } from '../../../src/demo/cloudflare/faults.ts';
import { itemOn, type Lock } from '../../../src/operations/locks.ts';
import { enqueue } from '../../../src/operations/queue.ts';
import { deleteDomain, updateDomain } from '../../../src/services/portfolio/domains.ts';
import { deleteProject, restoreProject } from '../../../src/services/portfolio/projects.ts';
import { deleteTeamRow } from '../../../src/services/accounts/team.ts';
import type { AppError } from '../../../src/shared/errors.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { lostDomain } from '../../../src/services/portfolio/domain-lists.ts';
import { refuseLost } from '../../../src/services/transfers/check.ts';
import { queueTransfers, readMove } from '../../../src/services/transfers/queue.ts';
import { planTransfer, startTransfer } from '../../../src/services/transfers/transfers.ts';
import { dump } from '../../support/database.ts';
import { MAIN, pairOf, RESERVE, SPARE } from '../../support/moves-portfolio.ts';
import { error, move, moves, said, types, useMoves } from './transfers.ts';

useMoves();

describe('a requested transfer', () => {
  test('is one operation where it is requested twice at once; a repetition afterwards writes nothing', async () => {
    const first = await moves.start(MAIN, RESERVE, { idem_key: 'k' });
    expect(await startTransfer(SYSTEM, { ...pairOf(MAIN, RESERVE), force: false })).toEqual({
      id: first,
      started: false,
    });
    await moves.run(first);
    moves.fake.requests.length = 0;
    const before = await dump();
    expect(await error(moves.start(MAIN, RESERVE))).toBe('conflict transfer.not_main');
    expect(await moves.start(MAIN, RESERVE, { idem_key: 'k' })).toBe(first);
    expect(await error(moves.start(MAIN, SPARE, { idem_key: 'k' }))).toBe('conflict operation.key_reused');
    expect(await dump()).toBe(before);
    expect(moves.fake.requests).toEqual([]);
  });

  test('is refused for domains that cannot swap their roles', async () => {
    const ask = (source: string, target: string) => error(moves.start(source, target));
    expect(await ask(RESERVE, MAIN)).toBe('conflict transfer.not_main');
    expect(await ask(MAIN, MAIN)).toBe('conflict transfer.not_reserve');
    await transaction(() =>
      execute('UPDATE domains SET project_id = NULL WHERE domain_name = $name', { name: RESERVE }),
    );
    expect(await ask(MAIN, RESERVE)).toBe('conflict transfer.other_project');
    await transaction(() =>
      execute('UPDATE domains SET cloudflare_account_id = NULL WHERE domain_name = $name', { name: MAIN }),
    );
    expect(await ask(MAIN, SPARE)).toBe('conflict transfer.no_account');
    expect(await ask('nobody.com', SPARE)).toBe('refused error.unknown_reference');
    expect(await ask(MAIN, 'nobody.com')).toBe('refused error.unknown_reference');
  });

  test('is refused where a domain was renamed, deleted or given another role while its plan was looked at', async () => {
    const pair = { ...pairOf(MAIN, RESERVE), force: false };
    const { hash: plan } = await planTransfer(SYSTEM, pair);
    /** The answer of a request that waits for the CDN while a domain is changed. */
    const meanwhile = async (change: string, name: string) => {
      const { fault, release } = hold();
      moves.fake.faults.push({ ...fault, call: 'GET /zones/*/dns_records' });
      const answer = error(startTransfer(SYSTEM, { ...pair, plan }));
      await vi.waitFor(() => expect(moves.fake.faults).toEqual([]), { timeout: 20_000 });
      await transaction(() => execute(`UPDATE domains SET ${change} WHERE domain_name = $name`, { name }));
      release();
      return answer;
    };
    expect(await meanwhile(`domain_name = 'renamed.com'`, MAIN)).toBe('conflict operation.plan_stale');
    await transaction(() => execute(`UPDATE domains SET domain_name = $name WHERE id = 1`, { name: MAIN }));
    expect(await meanwhile(`type = 'main'`, RESERVE)).toBe('conflict transfer.not_reserve');
    await transaction(() => execute(`UPDATE domains SET type = 'transfer' WHERE id = 2`));
    // One without a plan waits for its turn to write.
    const deleting = transaction(async () => {
      await vi.waitFor(() => expect(databaseLoad().writesQueued).toBeGreaterThan(0), { timeout: 20_000 });
      await execute(`UPDATE domains SET deleted_at = '2026-01-01T00:00:00.000Z' WHERE id = 2`);
    });
    const answer = error(moves.start(MAIN, RESERVE));
    await deleting;
    expect(await answer).toBe('refused error.unknown_reference');
    expect(await select(`SELECT id FROM operations WHERE state = 'queued'`)).toEqual([]);
  });

  test('tells a domain that was renamed or deleted since from one of another user', async () => {
    const [source_id, target_id] = [1, 2];
    const owner = { id: 1, login: 'owner', role: 'user' } as const;
    const asked = await readMove({ source_id, target_id }, { action: 'explicit' });
    const change = (set: string) => transaction(() => execute(`UPDATE domains SET ${set} WHERE id = 2`));
    expect(await error(refuseLost(owner.id, asked))).toBe(null);
    await change(`domain_name = 'renamed.com'`);
    expect(await error(refuseLost(owner.id, asked))).toBe('refused domain.gone');
    await change(`domain_name = '${RESERVE}', deleted_at = '2026-01-01T00:00:00.000Z'`);
    expect(await error(refuseLost(owner.id, asked))).toBe('refused domain.gone');
    await change('deleted_at = NULL');
    expect((await lostDomain({ ...owner, id: 2 }, asked.target)).key).toBe('domain.not_yours');
  });

  test('is refused for two names of one zone', async () => {
    await transaction(() =>
      execute(`UPDATE domains SET domain_name = 'new.${MAIN}' WHERE domain_name = $name`, { name: RESERVE }),
    );
    expect(await error(moves.start(MAIN, RESERVE))).toBe('conflict transfer.same_zone');
  });

  test('locks the items and domains that it works with', async () => {
    const id = await moves.start(MAIN, RESERVE);
    const busy = (lock: Lock) =>
      error(
        enqueue({
          kind: 'test',
          subject: lock.kind,
          user_id: null,
          input: {},
          message: { key: 'check.started' },
          items: [{ ...itemOn(lock), lane: 'x', data: {} }],
        }),
      );
    for (const lock of [
      { kind: 'dns', name: MAIN },
      { kind: 'dns', name: RESERVE, part: `sub.${RESERVE}` },
      { kind: 'rule', name: MAIN, part: '17' },
      { kind: 'tls', name: RESERVE, part: 'move' },
      { kind: 'site', name: RESERVE },
    ]) {
      expect(await busy(lock)).toBe('busy operation.busy');
    }
    expect(await error(moves.start(MAIN, SPARE))).toBe('busy operation.busy');
    const change = { type: 'main' } as const;
    expect(await error(updateDomain(SYSTEM, 2, change, ['type']))).toBe('conflict transfer.locked');
    expect(await error(deleteDomain(SYSTEM, 1))).toBe('conflict transfer.locked');
    // Other fields may be changed, and a form may send the present values.
    expect(
      await error(updateDomain(SYSTEM, 2, { type: 'transfer', transfer_dns: 'on' }, ['type', 'transfer_dns'])),
    ).toBe(null);
    await moves.run(id);
    expect(await error(updateDomain(SYSTEM, 2, change, ['type']))).toBe(null);
  });

  test('blocks the deletion of everything it works with, and the refusal names it', async () => {
    await moves.reset({ site: true });
    const id = await moves.start(MAIN, RESERVE);
    const said = (work: Promise<unknown>) =>
      work.then(
        () => null,
        ({ kind, params: { id, uses, operations } }: AppError) =>
          `${kind} ${[id ?? uses, ...(operations === undefined ? [] : [operations])].join('; ')}`,
      );
    expect(await said(deleteProject(SYSTEM, 1))).toBe(`conflict ${id}`);
    expect(await said(deleteDomain(SYSTEM, 2))).toBe(`conflict ${id}`);
    for (const account of [1, 2]) {
      expect(await said(deleteTeamRow(SYSTEM, 'cloudflare_accounts', account))).toMatch(`; #${id}`);
    }
    expect(await said(deleteTeamRow(SYSTEM, 'servers', 1))).toBe(`conflict ${MAIN}; #${id}`);
    expect(await said(deleteTeamRow(SYSTEM, 'templates', 1))).toBe(`conflict ${MAIN}`);
    await moves.run(id);
    expect(await types()).toMatchObject({ [RESERVE]: 'main', [MAIN]: 'transfer' });
    await deleteProject(SYSTEM, 1);
    await restoreProject(SYSTEM, 1);
  });

  test('can hold pairs and declined domains in one automatic operation', async () => {
    const { id } = await queueTransfers(
      SYSTEM,
      [{ source_id: 1, target_id: 2 }],
      [{ source_id: 3, reason: { key: 'auto_transfer.no_reserve' } }],
      { action: 'auto', subject: 'project 1', message: { key: 'auto_transfer.started', params: { n: 1 } } },
    );
    const ended = await moves.run(id);
    expect([ended.state, JSON.parse(ended.message)]).toEqual([
      'partial',
      { key: 'transfer.done_many', params: { moved: 1, failed: 1 } },
    ]);
    expect(await moves.history()).toMatchObject([{ action: 'auto' }]);
    const items = await select<{ error: string }>(
      'SELECT * FROM operation_items WHERE operation_id = $id ORDER BY id',
      { id },
    );
    expect(JSON.parse(items[1]!.error)).toMatchObject({ key: 'auto_transfer.no_reserve' });
  });

  test('does not use a reserve that expires soon if it is automatic', async () => {
    const soon = new Date(Date.now() + 5 * 86_400_000).toISOString();
    await transaction(() =>
      execute('UPDATE domains SET expired_at = $soon WHERE domain_name = $name', { soon, name: RESERVE }),
    );
    const auto = { action: 'auto', subject: 'x', message: { key: 'auto_transfer.nothing_ready' } } as const;
    const { id } = await queueTransfers(SYSTEM, [{ source_id: 1, target_id: 2 }], [], auto);
    await moves.run(id);
    expect((await moves.item(id)).error).toBe('transfer.target_expiring');
    expect(said(await move(MAIN, RESERVE))).toBe('transfer.done');
  });
});
