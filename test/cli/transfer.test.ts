// `transfer plan|run|history` in child processes, against fake outside services.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { select } from '../../db/index.ts';
import { hold } from '../../src/demo/cloudflare/faults.ts';
import { updateBlocklist } from '../../src/services/checks/blocklist.ts';
import { dump } from '../support/database.ts';
import { startMoves, type Moves } from '../support/moves.ts';
import { MAIN, OLDER, RESERVE, SPARE } from '../support/moves-portfolio.ts';
import { startCli, type Run, type Started } from './cli.ts';

let moves: Moves;
beforeAll(async () => {
  moves = await startMoves();
});
afterAll(() => moves.close());
beforeEach(async () => {
  await moves.reset({ site: true });
  await listed('other.example');
});

async function listed(...names: string[]): Promise<void> {
  const file = join(moves.config.dataDir, 'list.txt');
  writeFileSync(file, `${names.join('\n')}\n`);
  await updateBlocklist(moves.config.blocklistDir, { file, accept: true });
}

const run = (line: string, format = ['--json']): Promise<Run> => start(`transfer ${line}`, format).ended;

function start(line: string, format = ['--json']): Started {
  const { dataDir, cloudflareUrl, connectTo } = moves.config;
  const env = {
    SEO_ADMIN_DATA_DIR: dataDir,
    CLOUDFLARE_API_URL: cloudflareUrl,
    SEO_ADMIN_CONNECT_TO: connectTo,
    SEO_ADMIN_ALLOW_PRIVATE_TARGETS: 'on',
  };
  return startCli([...line.split(' '), ...format, '--lang', 'en'], { env });
}

test('transfer plan shows the changes and the readiness of the reserve, and writes nothing', async () => {
  const before = await dump();
  const planned = await run(`plan ${MAIN} ${RESERVE}`);
  expect([planned.exit, planned.json.items.map(({ act }: { act: string }) => act)]).toEqual([
    0,
    ['upload', 'dns', 'tls_1_3', 'security_level', 'activate', 'redirect', 'swap', `chain:${OLDER}`],
  ]);
  expect(planned.json).toMatchObject({ dry_run: true, readiness: { list: 'free', site: 'source' }, warnings: [] });
  // Without a reserve, plans for the one that would be picked.
  expect((await run(`plan ${MAIN}`)).json).toMatchObject({ source: MAIN, target: RESERVE });
  expect((await run(`run ${MAIN} ${RESERVE} --dry-run`)).json).toMatchObject({ dry_run: true, target: RESERVE });
  const { stdout } = await run(`plan ${MAIN} ${SPARE}`, []);
  expect(stdout).toContain(`Transfer: ${MAIN} → ${SPARE}`);
  expect(stdout).toContain('  ! The account has no zone spare.com yet');
  expect(stdout).toContain(`  + `);
  expect(moves.fake.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  // The first contact with a server pins its key, which is audited; nothing else changes.
  const seen = (text: string): string => {
    const { audit: _audit, audit_head: _head, ...others } = JSON.parse(text) as Record<string, unknown>;
    return JSON.stringify(others).replaceAll(/"host_key":(?:null|"[^"]*")/g, '');
  };
  expect(seen(await dump())).toBe(seen(before));
  const rows = (JSON.parse(before) as { audit: object[] }).audit.length;
  const since = await select<{ call: string; after: string }>('SELECT call, after FROM audit WHERE id > $rows', {
    rows,
  });
  expect(since.length).toBeGreaterThan(0);
  for (const { call, after } of since) {
    expect([call, Object.keys(JSON.parse(after) as object)]).toEqual(['transfer plan', ['host_key']]);
  }
});

test('transfer run confirms, moves, and appears in the history; a second run is refused', async () => {
  expect((await run(`run ${MAIN} ${RESERVE}`)).exit).toBe(2);
  const moved = await run(`run ${MAIN} ${RESERVE} --yes`);
  expect([moved.exit, moved.json.state, moved.json.message]).toEqual([0, 'succeeded', `Moved: ${MAIN} → ${RESERVE}`]);
  expect(await moves.visit(MAIN)).toMatchObject({ status: 200, hosts: [MAIN, RESERVE] });
  const { json } = await run(`history ${RESERVE}`);
  expect(json.items).toMatchObject([{ main_domain_name: MAIN, transfer_domain_name: RESERVE, action: 'explicit' }]);
  const again = await run(`run ${MAIN} ${RESERVE} --yes`);
  expect([again.exit, again.json.error.code]).toEqual([1, 'not_main']);
  expect((await run(`run nobody.com ${RESERVE} --yes`)).exit).toBe(1);
});

test('a transfer that a person has stopped is given back by its cancellation, in the same command', async () => {
  const { fault, release } = hold();
  moves.fake.faults.push({ ...fault, call: 'PATCH /zones/*/settings/tls_1_3' });
  const started = start(`transfer run ${MAIN} ${RESERVE} --yes`);
  const isSent = (): boolean => moves.fake.requests.some(({ method }) => method === 'PATCH');
  const tls = () =>
    Object.values(moves.fake.state.zones).map(({ name, settings }) => [name, settings['tls_1_3']?.value ?? 'on']);
  const before = tls();
  await expect.poll(() => isSent() || JSON.stringify(tls()) !== JSON.stringify(before)).toBe(true);
  started.process.kill('SIGINT');
  const stopped = await started.ended;
  release();
  moves.fake.faults.length = 0;
  const [operation] = await select<{ id: number; stopped: number }>('SELECT id, stopped FROM operations');
  expect([stopped.exit, operation?.stopped]).toEqual([130, 1]);
  const cancelled = await start(`operation cancel ${operation?.id}`).ended;
  expect([cancelled.exit, cancelled.json.state, cancelled.json.finished_at]).toEqual([
    0,
    'cancelled',
    expect.any(String),
  ]);
  expect(tls()).toEqual(before);
  expect(await moves.visit(MAIN)).toMatchObject({ status: 200, hosts: [MAIN] });
  expect((await run(`run ${MAIN} ${RESERVE} --yes`)).json.state).toBe('succeeded');
});

test('a blocked reserve needs --force, and one that is down is reported', async () => {
  await listed(RESERVE, 'other.example');
  const refused = await run(`run ${MAIN} ${RESERVE} --yes`);
  expect([refused.exit, refused.json.error.code]).toEqual([1, 'target_blocked']);
  expect((await run(`plan ${MAIN} ${RESERVE}`)).json.warnings).toEqual([
    `${RESERVE} is blocked (${RESERVE}): a transfer to it has to be confirmed`,
  ]);
  // No plan goes on to a command that is refused.
  for (const verb of ['plan', 'run']) {
    const dry = verb === 'run' ? ' --dry-run' : '';
    expect((await run(`${verb} ${MAIN} ${RESERVE}${dry}`, [])).stderr).not.toContain('→ seo-admin');
  }
  const { stderr } = await run(`run ${MAIN} ${RESERVE} --dry-run --force`, []);
  expect(stderr).toContain(`→ seo-admin transfer run ${MAIN} ${RESERVE} --force\n`);
  expect((await run(`run ${MAIN} ${RESERVE} --force --yes`)).exit).toBe(0);
});

test('a plan shows the page of an unclear reserve, which is confirmed by its print', async () => {
  await moves.reset();
  const shown = '<title>Vitrine \u001b[31m</title><div id="root"></div><script src="/main.js"></script>';
  moves.troubles[RESERVE] = { status: 200, error: null, html: shown };
  const { stdout } = await run(`plan ${MAIN} ${RESERVE}`, []);
  expect(stdout).toContain(`There now: “Vitrine [31m”, https://${RESERVE}/, HTTP 200`);
  const flag = /--confirm-site=\S+/.exec(stdout)?.[0];
  const { stderr } = await run(`run ${MAIN} ${RESERVE} ${flag} --dry-run`, []);
  expect(stderr).toContain(`→ seo-admin transfer run ${MAIN} ${RESERVE} ${flag}\n`);
  const warned = async () => (await run(`run ${MAIN} ${RESERVE} ${flag} --dry-run`)).json.warnings.join();
  expect(await warned()).not.toContain('look at it yourself');
  moves.troubles[RESERVE] = { status: 200, error: null, html: shown.replace('Vitrine', 'Another shop') };
  expect(await warned()).toContain('look at it yourself');
  moves.troubles[RESERVE] = { status: 200, error: null, html: shown };
  expect((await run(`run ${MAIN} ${RESERVE} ${flag} --yes`)).exit).toBe(0);
});
