// Commands for cron and the schedule: what runs elsewhere ends with 75, what a command does is the last run of its job.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeDatabase, execute, openDatabase, select, transaction } from '../../../db/index.ts';
import { loadConfig } from '../../../src/lib/config.ts';
import type { ScheduleRunRow } from '../../../src/shared/system/tables.ts';
import { eachOf, makeAdminHome, type Home } from '../cli.ts';

let home: Home;
let silent: Server;
let slow: string;
let list: string;
beforeAll(async () => {
  home = await makeAdminHome();
  await run('project create p');
  await run('domain add a.example --project p');
  list = home.file('list.txt', 'blocked.example\n');
  // Takes a request and never answers.
  silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await new Promise((resolve) => silent.once('listening', resolve));
  slow = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/list.txt`;
});
afterAll(() => {
  silent.closeAllConnections();
  silent.close();
  home.remove();
});

const run = (line: string) => home.run([...line.split(' '), '--json']);
async function inDatabase<T>(work: () => Promise<T>): Promise<T> {
  await openDatabase(loadConfig({ dataDir: home.dir }, {}).databaseFile);
  try {
    return await work();
  } finally {
    await closeDatabase();
  }
}
const rowOf = (name: string): Promise<ScheduleRunRow | undefined> =>
  inDatabase(async () => (await select<ScheduleRunRow>('SELECT * FROM schedule_runs WHERE name = $name', { name }))[0]);
const make = (sql: string): Promise<number> => inDatabase(() => transaction(() => execute(sql)));

const COMMANDS: readonly (readonly [string, string])[] = [
  ['check', 'check http --all'],
  ['check', 'check blocked --all'],
  ['check', 'check all --all'],
  ['expiry', 'check expiry --all'],
];

test('a command ends with 75 while its job runs elsewhere, and says which and since when', async () => {
  for (const name of ['check', 'expiry', 'blocklist']) {
    await make(
      `INSERT INTO schedule_runs (name, rule, tries, lease_owner, lease_until, started_at)
       VALUES ('${name}', '', 1, 'other', '9', '2026-11-25T08:00:00.000Z')`,
    );
  }
  const all = [...COMMANDS, ['blocklist', `blocklist update --file ${list}`] as const];
  await eachOf([...all], async ([job, line]) => {
    const busy = await run(line);
    expect([line, busy.exit, busy.json.error.code]).toEqual([line, 75, 'busy']);
    expect(busy.json.error.message).toContain(`${job} уже выполняется с 2026-11-25T08:00`);
  });
  // A part of the portfolio is not what the job does.
  expect((await run('check blocked --all --project p')).exit).not.toBe(75);
  expect((await run('check http --status broken')).exit).not.toBe(75);
  expect(await rowOf('check')).toMatchObject({ lease_owner: 'other', result: null });
  await make(`UPDATE schedule_runs SET lease_owner = NULL, lease_until = NULL`);
});

test('a slot that is due, and a runner that is dead, keep nobody; how the command ends is the last run of its job', async () => {
  await make(
    `UPDATE schedule_runs SET lease_owner = 'dead', lease_until = '2026-11-25T08:00:00.000Z', next_at = '2026-11-25T08:00:00.000Z'`,
  );
  expect((await run(`blocklist update --file ${list}`)).exit).toBe(0);
  expect(await rowOf('blocklist')).toMatchObject({ result: 'ok', lease_owner: null, message: null });
  // A part of the job's work is no run of it.
  expect((await run('check blocked --all')).exit).toBe(0);
  expect(await rowOf('check')).toMatchObject({ result: null, lease_owner: 'dead' });
  const checked = await run('check all --all');
  const id = checked.json.operation.id as number;
  expect(await rowOf('check')).toMatchObject({ result: 'ok', operation_id: id, next_at: '2026-11-25T08:00:00.000Z' });
  const wrong = await run(`blocklist update --file ${home.file('empty.txt', '')}`);
  expect(wrong.exit).toBe(1);
  expect(await rowOf('blocklist')).toMatchObject({ result: 'failed', lease_owner: null });
  const kinds = await inDatabase(() => select<{ kind: string }>(`SELECT kind FROM events WHERE kind = 'job_failed'`));
  expect(kinds).toHaveLength(1);

  // The operation that the schedule has queued is the job's run as well, once somebody works on it.
  await make(`UPDATE operations SET state = 'running', lease_owner = 'server', lease_until = '9' WHERE id = ${id}`);
  const busy = await run('check http --all');
  expect([busy.exit, busy.json.error.message]).toEqual([75, expect.stringContaining(`#${id}`)]);
  await make(`UPDATE operations SET lease_owner = NULL, lease_until = NULL WHERE id = ${id}`);
  expect((await run('check http --all')).exit).toBe(0);
});

test('Ctrl-C gives the claim back; a killed command keeps it no longer than its lease', async () => {
  const stopped = home.start(['blocklist', 'update', '--url', slow, '--json']);
  await expect.poll(async () => (await rowOf('blocklist'))?.lease_owner ?? null).toMatch(/^command:/);
  stopped.process.kill('SIGINT');
  expect([(await stopped.ended).exit, (await stopped.ended).json.error.code]).toEqual([130, 'interrupted']);
  const row = await rowOf('blocklist');
  expect(row).toMatchObject({ lease_owner: null, result: 'failed', message: '{"key":"schedule.interrupted"}' });

  const killed = home.start(['blocklist', 'update', '--url', slow, '--json']);
  await expect.poll(async () => (await rowOf('blocklist'))?.lease_owner ?? null).toMatch(/^command:/);
  expect((await run(`blocklist update --file ${list}`)).exit).toBe(75);
  killed.process.kill('SIGKILL');
  await killed.ended;
  await make(`UPDATE schedule_runs SET lease_until = '2026-11-25T08:00:40.000Z' WHERE name = 'blocklist'`);
  expect((await run(`blocklist update --file ${list}`)).exit).toBe(0);
  expect(await rowOf('blocklist')).toMatchObject({ result: 'ok', lease_owner: null });
});
