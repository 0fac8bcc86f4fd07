// `schedule list|set|run` in a real command line: what is set is listed, and a job that runs elsewhere ends with 75.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeDatabase, execute, openDatabase, transaction } from '../../../db/index.ts';
import { loadConfig } from '../../../src/lib/config.ts';
import { makeAdminHome, type Home } from '../cli.ts';

let home: Home;
beforeAll(async () => {
  home = await makeAdminHome();
});
afterAll(() => home.remove());

const run = (line: string) => home.run(line.split(' '));
const ofJob = async (name: string) =>
  (await run('schedule list --json')).json.items.find((job: { name: string }) => job.name === name);

test('a rule that is set is listed, and a wrong one is refused by its field', async () => {
  const made = await run('schedule set check --every 30 --quiet-times 23:00-07:00 --zone Europe/Moscow --json');
  expect([made.exit, made.json]).toMatchObject([0, { interval_minutes: 30, quiet_from: '23:00' }]);
  expect(await ofJob('check')).toMatchObject({ interval_minutes: 30, cron: null, quiet_until: '07:00' });
  const wrong = await run('schedule set check --every 1 --json');
  expect([wrong.exit, Object.keys(wrong.json.error.fields)]).toEqual([2, ['interval_minutes']]);
  expect((await run('schedule set auto_transfer --state off --json')).json).toMatchObject({ active: false });
  expect((await run('schedule set nothing --every 5')).exit).toBe(2);
});

test('a run tells how it ended, and asks first where it changes something outside', async () => {
  const backup = await run('schedule run backup --json');
  expect([backup.exit, backup.json.result]).toEqual([0, 'ok']);
  expect(await ofJob('backup')).toMatchObject({ result: 'ok', next_at: null });
  expect((await run('schedule run auto_buy --json')).exit).toBe(2);
  expect((await run('schedule run auto_buy --dry-run --json')).json).toMatchObject({ dry_run: true });
  expect(await ofJob('auto_buy')).toMatchObject({ result: null });
  expect((await run('schedule run auto_buy --yes --json')).exit).toBe(0);
});

test('a run of the block list looks its names up in the list that it has fetched', async () => {
  const file = join(home.dir, 'list.txt');
  writeFileSync(file, 'listed.example\n');
  await run('domain add listed.example free.example');
  const env = { BLOCKLIST_URL: pathToFileURL(file).href };
  const { exit, json, stderr } = await home.run('schedule run blocklist --json'.split(' '), { env });
  expect([exit, json.result, stderr]).toEqual([0, 'ok', '']);
  const { json: list } = await run('domain list --status blocked --json');
  expect(list.items.map(({ domain_name }: { domain_name: string }) => domain_name)).toEqual(['listed.example']);
});

test('a run ends with 75 while the job runs elsewhere, and with 4 for who is no administrator', async () => {
  await openDatabase(loadConfig({ dataDir: home.dir }, {}).databaseFile);
  const hold = `UPDATE schedule_runs SET lease_owner = 'other', lease_until = '9' WHERE name = 'backup'`;
  await transaction(() => execute(hold));
  await closeDatabase();
  const busy = await run('schedule run backup --json');
  expect([busy.exit, busy.json.error.code]).toEqual([75, 'busy']);
  await home.run(['user', 'create', '--login', 'anna', '--password-stdin'], { input: 'correct horse battery\n' });
  for (const line of ['schedule list', 'schedule run purge', 'schedule set purge --keep 90']) {
    expect([line, (await run(`${line} --as anna`)).exit]).toEqual([line, 4]);
  }
});

test('doctor warns of a job that is late by twice its interval, and of none that is off', async () => {
  const planned = async (minutes: number): Promise<void> => {
    await openDatabase(loadConfig({ dataDir: home.dir }, {}).databaseFile);
    const next_at = new Date(Date.now() - minutes * 60_000).toISOString();
    for (const name of ['expiry', 'auto_transfer']) {
      const sql = `INSERT INTO schedule_runs (name, rule, tries, next_at) VALUES ($name, '', 0, $next_at)
        ON CONFLICT (name) DO UPDATE SET next_at = excluded.next_at`;
      await transaction(() => execute(sql, { name, next_at }));
    }
    await closeDatabase();
  };
  const told = async () => {
    const { exit, json } = await run('doctor --json --lang en');
    return [exit, json.items.find(({ check }: { check: string }) => check === 'schedule')];
  };
  // `expiry` runs every six hours; `auto_transfer` was switched off above.
  await planned(11 * 60);
  expect(await told()).toMatchObject([0, { status: 'ok' }]);
  await planned(13 * 60);
  const late = await told();
  expect(late).toMatchObject([0, { status: 'warn' }]);
  expect(JSON.stringify(late)).toMatch(/: expiry 78\d\. /);
});
