import { afterEach, beforeEach, expect, test } from 'vitest';
import { closeDatabase, execute, openDatabase, select, transaction } from '../../db/index.ts';
import { appliedMigrations, migrate, migrations, pendingMigrations } from '../../db/migrate.ts';
import { startDatabase } from '../support/database.ts';
import { startChild } from '../support/child.ts';

let database: Awaited<ReturnType<typeof startDatabase>>;

beforeEach(async () => {
  database = await startDatabase();
});
afterEach(() => database.close());

const all = migrations.map(({ name }) => name);
const schema = () => select<{ sql: string }>('SELECT sql FROM sqlite_master ORDER BY name');

test('a second migration does nothing', async () => {
  const before = await schema();
  expect(await migrate()).toEqual([]);
  expect(await schema()).toEqual(before);
  expect([await appliedMigrations(), await pendingMigrations()]).toEqual([all, []]);
});

test('names come in order, each once', () => {
  expect(all).toEqual([...new Set(all)].toSorted());
  for (const name of all) expect(name).toMatch(/^\d{4}-[a-z-]+$/);
});

test('a database of a newer version is refused', async () => {
  await transaction(() => execute(`INSERT INTO migrations VALUES ('9999-from-the-future', 'x')`));
  await expect(migrate()).rejects.toMatchObject({ key: 'database.newer', params: { names: '9999-from-the-future' } });
});

test('attached names are taken over from the stored operations', async () => {
  await closeDatabase();
  await openDatabase(`${database.file}.old`);
  const later = migrations.splice(migrations.findIndex(({ name }) => name === '0005-attachments'));
  try {
    await migrate();
    const item = (n: number, state: string, data: object) => ({ n, state, data: JSON.stringify(data) });
    const rows = [
      item(1, 'done', { domain: 'old.com', forward_to: 'main.com', account_id: 7 }),
      item(2, 'noop', { domain: 'other.com', forward_to: 'main.com', account_id: 99 }),
      item(3, 'failed', { domain: 'not.com', forward_to: 'main.com', account_id: 7 }),
      item(4, 'done', { domain: 'main.com', forward_to: null, account_id: 7 }),
    ];
    await transaction(async () => {
      await execute(
        `INSERT INTO cloudflare_accounts (id, name, email, api_key, created_at) VALUES (7, 'Seven', '', '', '2026')`,
      );
      await execute(`INSERT INTO operations (id, kind, subject, input, state, total, steps, message, created_at)
        VALUES (1, 'dns_change', 's', '{}', 'succeeded', 4, '[]', '{}', '2026')`);
      await execute(
        `INSERT INTO operation_items (operation_id, item, lane, data, state, acts, changed_at)
         SELECT 1, value ->> 'n', 'l', value ->> 'data', value ->> 'state', '[]', '2026' FROM json_each($rows)`,
        { rows: JSON.stringify(rows) },
      );
    });
  } finally {
    migrations.push(...later);
  }
  await migrate();
  expect(await select('SELECT domain_name, forward_to, cloudflare_account_id FROM attachments ORDER BY id')).toEqual([
    { domain_name: 'old.com', forward_to: 'main.com', cloudflare_account_id: 7 },
    { domain_name: 'other.com', forward_to: 'main.com', cloudflare_account_id: null },
  ]);
});

test('a migration that fails leaves nothing behind', async () => {
  const broken = { name: '9998-broken', statements: ['CREATE TABLE half (id INTEGER)', 'CREATE TABLE nonsense ('] };
  migrations.push(broken);
  try {
    await expect(migrate()).rejects.toThrow('SQLITE_ERROR');
    expect(await select(`SELECT 1 FROM sqlite_master WHERE name = 'half'`)).toEqual([]);
    expect(await appliedMigrations()).toEqual(all.filter((name) => name !== broken.name));
  } finally {
    migrations.pop();
  }
  expect(await migrate()).toEqual([]);
});

test('processes that start at once apply each migration once', { timeout: 120_000 }, async () => {
  const file = `${database.file}.new`;
  const starters = Array.from({ length: 4 }, () => startChild('test/children/migrate.ts', [file]));
  const answers = await Promise.all(starters.map(({ output }) => output()));
  expect(answers.flatMap((answer) => JSON.parse(answer) as string[]).toSorted()).toEqual(all);
  await closeDatabase();
  await openDatabase(file);
  expect(await appliedMigrations()).toEqual(all);
  expect(await select('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
});
