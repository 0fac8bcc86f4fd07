import { readdirSync, truncateSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeDatabase, execute, openDatabase, select, transaction } from '../../db/index.ts';
import { loadConfig } from '../../src/lib/config.ts';
import { makeAdminHome, type Home } from './cli.ts';

let home: Home;
beforeAll(async () => {
  home = await makeAdminHome();
});
afterAll(() => home.remove());

const inDatabase = async <T>(work: () => Promise<T>): Promise<T> => {
  await openDatabase(loadConfig({ dataDir: home.dir }, {}).databaseFile);
  try {
    return await work();
  } finally {
    await closeDatabase();
  }
};
const applied = () => inDatabase(() => select<{ name: string }>('SELECT name FROM migrations ORDER BY name'));

test('`db status` and `db backup` migrate nothing, with --as neither', async () => {
  const all = await applied();
  const last = all.at(-1)?.name ?? '';
  await inDatabase(() => transaction(() => execute('DELETE FROM migrations WHERE name = $last', { last })));
  for (const as of [[], ['--as', 'admin']]) {
    const { exit, json } = await home.run(['db', 'status', '--json', ...as]);
    expect([exit, json.pending]).toEqual([0, [last]]);
    expect((await home.run(['db', 'backup', `${home.dir}/copy${as.length}.sqlite`, ...as])).exit).toBe(0);
    expect(await applied()).toEqual(all.slice(0, -1));
  }
  const restore = `INSERT INTO migrations (name, applied_at) VALUES ($last, '2026-01-01T00:00:00.000Z')`;
  await inDatabase(() => transaction(() => execute(restore, { last })));
});

test('`db status` and `db migrate` are refused to users who are no administrators', async () => {
  const created = await home.run(['user', 'create', '--login', 'bob', '--password-stdin'], {
    input: 'correct horse battery',
  });
  expect(created.exit).toBe(0);
  for (const words of [
    ['db', 'status'],
    ['db', 'migrate'],
  ]) {
    expect((await home.run([...words, '--as', 'bob', '--json'])).json.error.code).toBe('forbidden');
  }
});

test('`db drill` proves a backup; one that is killed leaves nothing behind once the next has run; a damaged one is refused', async () => {
  const folder = `${home.dir}/backups`;
  const drafts = () => readdirSync(folder).filter((name) => name.includes('.part'));
  expect((await home.run(['db', 'drill', '--json'])).json.error.code).toBe('no_backup');
  expect((await home.run(['schedule', 'run', 'backup', '--yes'])).exit).toBe(0);
  const killed = await home.run(['db', 'drill'], { env: { SEO_ADMIN_CRASH_AT: 'drill:restored', NODE_ENV: 'test' } });
  expect([killed.exit, drafts().length]).not.toEqual([0, 0]);
  const { exit, json } = await home.run(['db', 'drill', '--json']);
  expect([exit, json.compared, json.rows > 0, drafts()]).toEqual([0, true, true, []]);
  truncateSync(json.file, 4_096);
  const damaged = await home.run(['db', 'drill', json.file, '--json']);
  expect([damaged.exit, damaged.json.error.code]).toEqual([1, 'backup_damaged']);
});
