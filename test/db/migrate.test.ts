import { afterEach, beforeEach, expect, test } from 'vitest';
import { closeDatabase, execute, openDatabase, transaction } from '../../db/index.ts';
import { appliedMigrations, migrate, migrations, pendingMigrations } from '../../db/migrate.ts';
import { hasTable } from '../../db/tables.ts';
import { emptyPlace, startDatabase, type TestDatabase } from '../support/database.ts';
import { storedSchema } from '../support/schema.ts';
import { startChild } from '../support/child.ts';

let database: TestDatabase;

beforeEach(async () => {
  database = await startDatabase();
});
afterEach(() => database.close());

const all = migrations.map(({ name }) => name);

test('a second migration does nothing', async () => {
  const before = await storedSchema();
  expect(await migrate()).toEqual([]);
  expect(await storedSchema()).toEqual(before);
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

test('a migration that fails leaves nothing behind', async () => {
  const broken = { name: '9998-broken', statements: ['CREATE TABLE half (id INTEGER)', 'CREATE TABLE nonsense )'] };
  migrations.push(broken);
  try {
    await expect(migrate()).rejects.toThrow('syntax error');
    expect(await hasTable('half')).toBe(false);
    expect(await appliedMigrations()).toEqual(all.filter((name) => name !== broken.name));
  } finally {
    migrations.pop();
  }
  expect(await migrate()).toEqual([]);
});

test('processes that start at once apply each migration once', { timeout: 120_000 }, async () => {
  const file = await emptyPlace(database.folder);
  const starters = Array.from({ length: 4 }, () => startChild('test/children/migrate.ts', [file]));
  const answers = await Promise.all(starters.map(({ output }) => output()));
  expect(answers.flatMap((answer) => JSON.parse(answer) as string[]).toSorted()).toEqual(all);
  await closeDatabase();
  await openDatabase(file);
  expect(await appliedMigrations()).toEqual(all);
});
