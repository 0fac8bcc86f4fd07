// Migrations of SQLite files, some of older versions.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closeDatabase, execute, openDatabase, select, transaction } from '../../db/index.ts';
import { migrate } from '../../db/migrate.ts';
import { migrations } from '../../db/migrations/index.ts';
import { referencesTo } from '../../src/shared/tables.ts';
import { startDatabase, type TestDatabase } from '../support/database.ts';
import { startChild } from '../support/child.ts';

let database: TestDatabase;

beforeEach(async () => {
  database = await startDatabase();
});
afterEach(() => database.close());

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

test('attached names get the main domain that is there, after the domains that were there when they were attached', async () => {
  await closeDatabase();
  await openDatabase(`${database.file}.old`);
  const later = migrations.splice(migrations.findIndex(({ name }) => name === '0051-claims-of-attachments'));
  try {
    await migrate();
    await transaction(async () => {
      await execute(
        `INSERT INTO users (id, login, password, role, active, created_at) VALUES (1, 'a', '', 'user', 1, '')`,
      );
      await execute(
        `INSERT INTO domains (id, user_id, domain_name, unicode_name, file_path, type, transfer_type, transfer_dns, status,
           created_at, updated_at, deleted_at, name_claim)
         SELECT value ->> 0, 1, value ->> 1, value ->> 1, '/', 'main', 'auto', 'off', 'available', value ->> 2, '', value ->> 3, value ->> 4
         FROM json_each($rows)`,
        {
          rows: JSON.stringify([
            [3, 'main.com', '2026-01-01', null, 8],
            [4, 'gone.com', '2026-01-02', '2026-02-01', null],
            [7, 'late.com', '2026-01-04', null, null],
          ]),
        },
      );
      await execute(`INSERT INTO attachments (domain_name, forward_to, created_at) VALUES
        ('a.com', 'main.com', '2026-01-03'), ('b.com', 'gone.com', '2026-01-04'), ('c.com', 'never.com', '2025-01-01')`);
    });
  } finally {
    migrations.push(...later);
  }
  await migrate();
  expect(await select('SELECT domain_name, main_id, main_claim, name_claim FROM attachments ORDER BY id')).toEqual([
    { domain_name: 'a.com', main_id: 3, main_claim: 8, name_claim: 8 },
    { domain_name: 'b.com', main_id: 4, main_claim: 4, name_claim: 7 },
    { domain_name: 'c.com', main_id: null, main_claim: null, name_claim: 0 },
  ]);
});

test('processes that migrate one file at once leave it undamaged', { timeout: 120_000 }, async () => {
  const file = `${database.file}.new`;
  const starters = Array.from({ length: 4 }, () => startChild('test/children/migrate.ts', [file]));
  await Promise.all(starters.map(({ output }) => output()));
  await closeDatabase();
  await openDatabase(file);
  expect(await select('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
});

// Else the deletion of each row reads the whole of every table that refers to it.
test.each(['operations', 'domains', 'notices', 'search_queries'])(
  'rows that refer to a row of %s, which a purge deletes by the thousand, are found by an index',
  async (purged) => {
    const references = referencesTo(purged);
    expect(references.length).toBeGreaterThan(0);
    const indexed = await select<{ name: string; first: string }>(
      `SELECT m.name, i.name AS first FROM sqlite_master m, pragma_index_list(m.name) l, pragma_index_info(l.name) i
       WHERE m.type = 'table' AND l.partial = 0 AND i.seqno = 0
       UNION ALL SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table' AND c.pk = 1`,
    );
    const has = new Set(indexed.map(({ name, first }) => `${name}.${first}`));
    expect(references.map(({ table, column }) => `${table}.${column}`).filter((one) => !has.has(one))).toEqual([]);
  },
);
