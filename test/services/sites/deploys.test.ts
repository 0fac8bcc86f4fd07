// Deploying a site: the plan, the state after a failure, and the site that the server shows afterwards.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import { listAccounts } from '../../../src/services/accounts/accounts.ts';
import { storeSecret } from '../../../src/services/accounts/team.ts';
import { serverKind } from '../../../src/shared/accounts/servers.ts';
import { planDeploy, startDeploy } from '../../../src/services/sites/deploys.ts';
import { deployGiven } from '../../../src/services/sites/domain-sites.ts';
import { requireSite, siteOf } from '../../../src/services/sites/sites.ts';
import { findDomain } from '../../../src/services/portfolio/domain-lists.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { webRoot } from '../../../src/shared/portfolio/domains.ts';
import type { StoredAct } from '../../../src/shared/operations.ts';
import { startMoves, type Moves } from '../../support/moves.ts';
import { MAIN, PASSWORD } from '../../support/moves-portfolio.ts';
import { recorded } from '../notices/recorded.ts';
import { SITE, zipOf } from '../../support/zips.ts';

let moves: Moves;
beforeAll(async () => {
  moves = await startMoves();
});
afterAll(() => moves.close());
beforeEach(async () => {
  await moves.reset({ site: true });
  moves.ssh.freeBytes = undefined;
});

const releases = (): string => join(moves.ssh.root, webRoot(MAIN), '../.releases', MAIN);

async function deploy(): Promise<{ said: string; error: string | null; acts: StoredAct[] }> {
  const { id } = await startDeploy(SYSTEM, 1, { here: true });
  const { message } = await moves.run(id);
  const [row] = await select<{ acts: string }>('SELECT acts FROM operation_items WHERE operation_id = $id', { id });
  const { error } = await moves.item(id);
  return { said: (JSON.parse(message) as { key: string }).key, error, acts: JSON.parse(row!.acts) as StoredAct[] };
}

test('a plan and its operation name the folder where the files of the present site are kept', async () => {
  const { acts, hash } = await planDeploy(SYSTEM, 1);
  const keep = acts.find(({ act }) => act === 'keep');
  const { folder } = (keep?.after ?? {}) as { folder: string };
  expect(keep?.before).toEqual({ folder: webRoot(MAIN), files: 1, more: false });
  expect(folder).toContain(`.releases/${MAIN}/before-`);
  // Planning again gives the same hash.
  expect((await planDeploy(SYSTEM, 1)).hash).toBe(hash);
  const { said, acts: done } = await deploy();
  expect(said).toBe('site.deploy_done');
  expect(done.find(({ name }) => name === 'keep')).toMatchObject({ state: 'done', after: { folder } });
  expect(readFileSync(join(moves.ssh.root, folder, 'index.html'), 'utf8')).toContain('The old site');
  expect((await deploy()).said).toBe('site.deploy_same');
});

test.each([
  [403, 'site.served_forbidden'],
  [404, 'site.served_other'],
  [200, 'site.served_other'],
] as const)('a server that answers %i to everything gets its own warning', async (status, key) => {
  moves.troubles[MAIN] = { status, error: null };
  expect((await deploy()).said).toBe(key);
});

test('a site without index.html gets another warning than a missing virtual host', async () => {
  const archive = zipOf({ 'index.php': '<?php echo 1;' });
  await transaction(() => execute('UPDATE template_archives SET archive = $archive', { archive }));
  expect((await deploy()).said).toBe('site.served_no_index');
  await transaction(() => execute('UPDATE template_archives SET archive = $archive', { archive: zipOf(SITE) }));
});

test.each([
  ['gets another folder', `file_path = '/var/www/elsewhere'`, { kind: 'conflict', key: 'site.moved_meanwhile' }],
  ['is deleted', `deleted_at = '2026-11-01T00:00:00.000Z'`, { kind: 'not_found' }],
])('a page is neither stored nor deployed where the domain %s before a person confirms', async (_what, set, error) => {
  const shown = await findDomain(SYSTEM, 1);
  const { template_id } = await requireSite(shown);
  await transaction(() => execute(`UPDATE domains SET ${set} WHERE id = 1`));
  const given = { template_id, html_name: 'new.html', html: '<p>Another page</p>' };
  await expect(deployGiven(SYSTEM, shown, given, { here: true })).rejects.toMatchObject(error);
  expect((await siteOf(1))?.html_name).not.toBe('new.html');
  expect(await select(`SELECT id FROM operations WHERE kind = 'deploy'`)).toEqual([]);
});

test('a server without free space gets no files', async () => {
  moves.ssh.freeBytes = 10n;
  const { said, error } = await deploy();
  expect([said, error]).toEqual(['site.deploy_failed', 'site.no_space']);
  expect(existsSync(releases())).toBe(false);
});

test('a deployment that fails in the middle leaves nothing behind, and the next one goes through', async () => {
  moves.ssh.faults.push({ kind: 'failure', operation: 'write', after: 1, times: 1_000 });
  const { said } = await deploy();
  expect(said).toBe('site.deploy_failed');
  expect(existsSync(releases())).toBe(false);
  expect((await moves.visit(MAIN)).text).toContain('The old site');
  moves.ssh.faults.length = 0;
  expect((await deploy()).said).toBe('site.deploy_done');
  expect((await moves.visit(MAIN)).text).toContain('<h1>The site</h1>');
});

test('a server that refuses the login is red in the list and told once, until it has worked again', async () => {
  const login = (password: string) => transaction(() => storeSecret('servers', 1, password));
  const error = async () => (await listAccounts(SYSTEM, serverKind, 'masked'))[0]?.check_error?.key ?? null;
  await login('changed at the host');
  for (let turn = 0; turn < 2; turn += 1) {
    expect(await deploy()).toMatchObject({ said: 'site.deploy_failed', error: 'ssh.login_refused' });
    expect(await error()).toBe('ssh.login_refused');
    expect(await recorded('account_refused')).toHaveLength(1);
  }
  await login(PASSWORD);
  expect((await deploy()).said).toBe('site.deploy_done');
  expect([await error(), (await recorded('account_refused')).length]).toEqual([null, 1]);
});
