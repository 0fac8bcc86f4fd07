// `transfer auto` in child processes, against fake outside services.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { execute, select, transaction } from '../../db/index.ts';
import { hold } from '../../src/demo/cloudflare/faults.ts';
import { runOperation } from '../../src/operations/engine.ts';
import { startAutoTransfer } from '../../src/services/transfers/automatic.ts';
import { updateBlocklist } from '../../src/services/checks/blocklist.ts';
import { SYSTEM } from '../../src/services/access/scope.ts';
import { dump } from '../support/database.ts';
import { startMoves, type Moves } from '../support/moves.ts';
import { MAIN, OLDER, RESERVE } from '../support/moves-portfolio.ts';
import { startCli, type Run } from './cli.ts';

let moves: Moves;
beforeAll(async () => {
  moves = await startMoves();
});
afterAll(() => moves.close());
beforeEach(async () => {
  await moves.reset();
  await transaction(async () => {
    for (const table of ['checks', 'transfer_decisions', 'transfer_stops']) await execute(`DELETE FROM ${table}`);
  });
  await block();
});

/** Puts the main domain on the list, with `times` observations by lists of different versions. */
async function block(times = 1, ...more: string[]): Promise<void> {
  const file = join(moves.config.dataDir, 'list.txt');
  writeFileSync(file, `${[MAIN, ...more, 'other.example'].join('\n')}\n`);
  await updateBlocklist(moves.config.blocklistDir, { file, accept: true });
  await transaction(async () => {
    await execute(`UPDATE domains SET status = 'blocked' WHERE domain_name = $name`, { name: MAIN });
    for (let time = 0; time < times; time += 1) {
      await execute(
        `INSERT INTO checks (domain_id, kind, verdict, detail, list_version, list_fetched_at, checked_at)
         SELECT id, 'blocklist', 'blocked', domain_name, $time, $now, $now FROM domains WHERE domain_name = $name`,
        { name: MAIN, time: String(time), now: new Date().toISOString() },
      );
    }
  });
}

function run(line: string): Promise<Run> {
  const { dataDir, cloudflareUrl, connectTo } = moves.config;
  const env = {
    SEO_ADMIN_DATA_DIR: dataDir,
    CLOUDFLARE_API_URL: cloudflareUrl,
    SEO_ADMIN_CONNECT_TO: connectTo ?? '',
    SEO_ADMIN_ALLOW_PRIVATE_TARGETS: 'on',
  };
  const format = line.includes('--format') ? [] : ['--json'];
  return startCli(['transfer', 'auto', ...line.split(' '), ...format, '--lang', 'en'], { env }).ended;
}

test('transfer auto needs a project or --all, and confirms before it acts', async () => {
  expect((await run('--dry-run')).exit).toBe(2);
  expect((await run('--all --project Project')).exit).toBe(2);
  expect((await run('--all --use-last-reserve')).exit).toBe(2);
  expect((await run('--project Nobody --dry-run')).exit).toBe(1);
  expect((await run('--project Project')).exit).toBe(2);
  expect(await moves.history()).toEqual([]);
});

test('transfer auto --dry-run shows the moves and writes nothing', async () => {
  const before = await dump();
  const asked = await run('--project Project --dry-run');
  expect([asked.exit, asked.json.items]).toEqual([
    0,
    [expect.objectContaining({ domain: MAIN, target: RESERVE, decision: 'started', operation: null })],
  ]);
  const alone = await run('--all --dry-run');
  expect([alone.exit, alone.json.summary]).toEqual([0, { total: 1, started: 0, declined: 0, waiting: 1 }]);
  expect(alone.json.items[0].reason).toBe('To be confirmed: blocked in 1 of the last 3 observations');
  expect(await dump()).toBe(before);
});

test("transfer auto runs a project's move to its end; a second run has nothing to do", async () => {
  const first = await run('--project Project --yes');
  expect([first.exit, first.json.items]).toEqual([
    0,
    [
      {
        domain: MAIN,
        target: RESERVE,
        decision: 'started',
        reason: `Reserve: ${RESERVE}`,
        operation: expect.any(Number),
        state: 'done',
        error: null,
      },
    ],
  ]);
  expect(await moves.history()).toMatchObject([{ main_domain_name: MAIN, action: 'auto' }]);
  const second = await run('--project Project --yes');
  const summary = { total: 0, started: 0, declined: 0, waiting: 0 };
  expect([second.exit, second.json.items, second.json.summary]).toEqual([0, [], summary]);
  const csv = await run('--project Project --yes --format csv');
  expect(csv.stdout).toBe('domain,target,decision,reason,operation,state,error\r\n');
});

test('transfer auto --all counts waiting as no failure, and moves a witnessed domain', async () => {
  const early = await run('--all --yes');
  expect([early.exit, early.json.summary]).toEqual([0, { total: 1, started: 0, declined: 0, waiting: 1 }]);
  await block(3);
  const late = await run('--all --yes');
  expect([late.exit, late.json.items[0]]).toMatchObject([0, { domain: MAIN, target: RESERVE, state: 'done' }]);
  expect((await run('--all --yes')).json.items).toEqual([]);
});

test('transfer auto exits with 1 if all domains are declined', async () => {
  await block(3, RESERVE, OLDER);
  await transaction(() => execute(`UPDATE domains SET transfer_type = 'manual' WHERE domain_name = 'spare.com'`));
  const declined = await run('--all --yes');
  expect([declined.exit, declined.json.items[0]]).toMatchObject([
    1,
    { domain: MAIN, target: null, decision: 'declined', reason: 'no reserve is ready', operation: null },
  ]);
  const asked = await run('--project Project --yes');
  expect([asked.exit, asked.json.error.code]).toEqual([1, 'failed']);
});

test('transfer auto exits with 5 if some moved, with the reason for the rest', async () => {
  await transaction(() =>
    execute(`UPDATE domains SET type = 'main', status = 'blocked' WHERE domain_name = 'spare.com'`),
  );
  await block(1, 'spare.com');
  const { exit, json } = await run('--project Project --use-last-reserve --yes');
  expect([exit, json.error.code]).toEqual([5, 'partial']);
  expect(json.error.message).toContain('spare.com: it has no Cloudflare account');
  expect(json.items).toMatchObject([
    { domain: MAIN, state: 'done' },
    { domain: 'spare.com', state: 'failed', decision: 'declined' },
  ]);
});

test('transfer auto does not start a move again that runs elsewhere', async () => {
  const { id } = await startAutoTransfer(SYSTEM, { project: 1 }, { here: true });
  const busy = await run('--project Project --yes');
  expect([busy.exit, busy.json.error.code]).toEqual([75, 'busy']);
  await runOperation(id);
  expect(await select(`SELECT 1 FROM operations WHERE kind = 'transfer'`)).toHaveLength(1);
});

test('transfer auto --all moves to no other reserve than it has asked about', async () => {
  await block(3);
  let [asked, held] = [0, Infinity];
  const { fault, release } = hold();
  const leave = (): Promise<number> =>
    transaction(() => execute(`UPDATE domains SET project_id = NULL WHERE domain_name = '${RESERVE}'`));
  const match = (): boolean => {
    asked += 1;
    if (asked === held) void leave().then(release);
    return asked === held;
  };
  moves.fake.faults.push({ ...fault, match });
  const shown = await run('--all --dry-run');
  expect(shown.json.items).toMatchObject([{ domain: MAIN, target: RESERVE, decision: 'started' }]);
  // The first look at the outside after the question: the reserve that was shown leaves the project meanwhile.
  [asked, held] = [0, asked + 1];
  const { exit, json } = await run('--all --yes');
  expect([exit, json.items]).toMatchObject([
    1,
    [{ domain: MAIN, target: null, decision: 'declined', operation: null }],
  ]);
  expect(json.items[0].reason).toContain(OLDER);
  expect(await moves.history()).toEqual([]);
});
