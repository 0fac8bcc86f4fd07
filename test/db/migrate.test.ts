import { afterEach, beforeEach, expect, test } from 'vitest';
import { closeDatabase, execute, openDatabase, transaction } from '../../db/index.ts';
import { appliedMigrations, migrate, pendingMigrations } from '../../db/migrate.ts';
import { migrations } from '../../db/migrations/index.ts';
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

// From here on a new version migrates while processes of the one before work on (`db/README.md`).
const EXPANDING_SINCE = '0038-triage';
// A migration that takes something away names the release that no longer used it: `'0050-without-x': '0.4.0 reads no x'`.
const CONTRACTING: Record<string, string> = {};

// Triggers that refuse nothing: a process of the version before writes as ever.
const QUIET = new Set([
  '0050-claims-of-hosts',
  '0051-claims-of-attachments',
  '0052-claims-of-renamed-rows',
  '0053-claims-set-right',
  '0056-order-of-work',
]);

/** Returns what of a statement a process of the version before can't go on with: what it reads is gone, or what it writes is refused. */
function takenBy(statement: string, made: ReadonlySet<string>): string[] {
  const [, table = ''] = /(?:ALTER TABLE|\bON) "?(\w+)/i.exec(statement) ?? [];
  const rules: [RegExp, boolean][] = [
    [/\b(?:DROP|RENAME|TRUNCATE)\b/i, true],
    [/\bALTER COLUMN\b/i, true],
    [/\bADD COLUMN\b(?=.*\bNOT NULL\b)(?!.*\bDEFAULT\b)/is, true],
    [/\b(?:ADD CONSTRAINT|CREATE UNIQUE INDEX|CREATE TRIGGER)\b/i, !made.has(table)],
  ];
  return rules.filter(([pattern, isTaken]) => isTaken && pattern.test(statement)).map(() => statement);
}

test('migrations only add to what the version before uses: its processes go on while a new one migrates', () => {
  const newest = migrations.slice(migrations.findIndex(({ name }) => name === EXPANDING_SINCE));
  expect(newest.length).toBeGreaterThan(4);
  const taken = newest.flatMap(({ name, statements, postgres = [] }) => {
    const all = [...statements, ...postgres];
    const made = new Set(all.map((one) => /CREATE TABLE (?:IF NOT EXISTS )?"?(\w+)/i.exec(one)?.[1] ?? ''));
    return name in CONTRACTING || QUIET.has(name) ? [] : all.flatMap((one) => takenBy(one, made));
  });
  expect(taken).toEqual([]);
  for (const bad of [
    'ALTER TABLE domains DROP COLUMN status',
    'ALTER TABLE domains RENAME COLUMN status TO state',
    'ALTER TABLE domains ADD COLUMN x TEXT NOT NULL',
    'CREATE UNIQUE INDEX one ON domains (status)',
  ]) {
    expect(takenBy(bad, new Set())).toEqual([bad]);
  }
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
