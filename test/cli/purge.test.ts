// An installation without a server: expired rows are purged by the commands that cron runs.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeDatabase, execute, openDatabase, select, transaction } from '../../db/index.ts';
import { loadConfig } from '../../src/lib/config.ts';
import { makeAdminHome, type Home } from './cli.ts';

const ago = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();
const CHECK = ['check', 'blocked', '--all', '--fail-on-blocked', '--json'];

let home: Home;
beforeAll(async () => {
  home = await makeAdminHome();
  await home.run(['blocklist', 'update', '--file', home.file('list.txt', 'blocked.ru\n')]);
  await home.run(['domain', 'add', '--file', home.file('names.txt', 'blocked.ru\nfree.ru')]);
  await openDatabase(loadConfig({ dataDir: home.dir }, {}).databaseFile);
});
afterAll(async () => {
  await closeDatabase();
  home.remove();
});

/** Inserts expired rows; `purged` is the time of the last purge. */
const age = (purged: string) =>
  transaction(async () => {
    await execute(
      `INSERT INTO sessions (user_id, sid_hash, address, created_at, last_seen_at, expires_at)
       VALUES (1, $sid, '', $at, $at, $at)`,
      { sid: crypto.randomUUID(), at: ago(2) },
    );
    await execute(
      `INSERT INTO operations (kind, subject, input, state, total, steps, message, created_at, changed_at, finished_at)
       VALUES ('check', 'old', '{}', 'succeeded', 0, '[]', '{"key":"check.started"}', $at, $at, $at)`,
      { at: ago(91) },
    );
    await execute(`UPDATE installation SET value = $purged WHERE name = 'purged_at'`, { purged });
  });
const left = async () => [
  (await select('SELECT 1 FROM sessions')).length,
  (await select(`SELECT 1 FROM operations WHERE subject = 'old'`)).length,
];

test('cron commands purge once a day, after their own work, and their answers stay the same', async () => {
  const first = await home.run(CHECK);
  await age(ago(0));
  const early = await home.run(CHECK);
  expect(await left()).toEqual([1, 1]);
  await transaction(() => execute(`UPDATE installation SET value = $at WHERE name = 'purged_at'`, { at: ago(1) }));
  const due = await home.run(CHECK);
  expect(await left()).toEqual([0, 0]);
  for (const { exit, stderr, json } of [first, early, due]) {
    expect([exit, stderr, json.summary]).toEqual([3, first.stderr, first.json.summary]);
  }
});

test('a clock set back does not stop the purge, and other commands purge nothing', async () => {
  await age(ago(-3));
  await home.run(['domain', 'list', '--json']);
  expect(await left()).toEqual([1, 1]);
  await home.run(CHECK);
  expect(await left()).toEqual([0, 0]);
});

test('a failed purge changes neither the answer nor the exit code', async () => {
  await age(ago(1));
  await transaction(() =>
    execute(`CREATE TRIGGER no_purge BEFORE DELETE ON sessions BEGIN SELECT RAISE(ABORT, 'not now'); END`),
  );
  const { exit, stderr, json } = await home.run(CHECK);
  expect([exit, stderr.includes('not now'), json.ok]).toEqual([3, false, true]);
  await transaction(() => execute('DROP TRIGGER no_purge'));
});

test('a failed purge is repeated by the next command', async () => {
  await age(ago(1));
  await transaction(() =>
    execute(`CREATE TRIGGER no_purge BEFORE DELETE ON sessions BEGIN SELECT RAISE(ABORT, 'not now'); END`),
  );
  await home.run(CHECK);
  await transaction(() => execute('DROP TRIGGER no_purge'));
  await home.run(CHECK);
  expect(await left()).toEqual([0, 0]);
});

test('a command that refuses the database purges nothing', async () => {
  await age(ago(1));
  await transaction(() =>
    execute(`INSERT INTO migrations (name, applied_at) VALUES ('9999-later', $at)`, { at: ago(0) }),
  );
  const { exit } = await home.run(CHECK);
  expect([exit, await left()]).toEqual([4, [1, 1]]);
  await transaction(() => execute(`DELETE FROM migrations WHERE name = '9999-later'`));
});

test('a signal ends a purge at once, although the work before it would have ended in order', async () => {
  await age(ago(1));
  const endless =
    'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100000000) SELECT count(*) FROM n';
  await transaction(() => execute(`CREATE TRIGGER slow BEFORE DELETE ON sessions BEGIN ${endless}; END`));
  const { process: child, ended } = home.start(['check', 'blocked', '--all', '--json']);
  const noted = `SELECT 1 FROM installation WHERE name = 'purged_at' AND value > $since`;
  while ((await select(noted, { since: ago(0.5) })).length === 0)
    await new Promise((resolve) => setTimeout(resolve, 50));
  child.kill('SIGTERM');
  const { exit, json } = await ended;
  expect([exit, json.ok]).toEqual([null, true]);
  await transaction(() => execute('DROP TRIGGER slow'));
});
