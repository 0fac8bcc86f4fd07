// A connection keeps its reading statements prepared: no answer, order, lock or closing may differ by that.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Connection } from '../../db/connection.ts';
import { openSqlite } from '../../db/sqlite.ts';

let folder: string;
let file: string;
let one: Connection;
let other: Connection;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'seo-admin-test-'));
  file = join(folder, 'x.sqlite');
  one = await openSqlite(file);
  await one.all('PRAGMA journal_mode = WAL');
  await one.run('CREATE TABLE names (id INTEGER PRIMARY KEY, name TEXT)');
  await one.run(`INSERT INTO names (name) VALUES ('a'), ('b')`);
  other = await openSqlite(file);
});
afterEach(async () => {
  await other.close();
  await one.close();
  rmSync(folder, { recursive: true, force: true });
});

const EVERY = 'SELECT * FROM names ORDER BY id';
const NAMED = 'SELECT id FROM names WHERE name = $name';

test('a read that is repeated sees what others have committed since, with the columns of now', async () => {
  expect(await one.all(EVERY)).toEqual([
    { id: 1, name: 'a' },
    { id: 2, name: 'b' },
  ]);
  await other.run(`UPDATE names SET name = 'c' WHERE id = 2`);
  await other.run('DELETE FROM names WHERE id = 1');
  await other.run('ALTER TABLE names ADD COLUMN note TEXT');
  expect(await one.all(EVERY)).toEqual([{ id: 2, name: 'c', note: null }]);
  await other.run('ALTER TABLE names DROP COLUMN name');
  expect(await one.all(EVERY)).toEqual([{ id: 2, note: null }]);
});

test('each call has its own values, also where two calls of one statement are begun together', async () => {
  const found = await Promise.all(['a', 'b', 'none', 'a'].map((name) => one.all(NAMED, { name })));
  expect(found).toEqual([[{ id: 1 }], [{ id: 2 }], [], [{ id: 1 }]]);
});

test('a call that gives no value, or not each, has none of the call before', async () => {
  const both = 'SELECT $one AS one, $other AS other';
  expect(await one.all(both, { one: 1, other: 2 })).toEqual([{ one: 1, other: 2 }]);
  expect(await one.all(both, { one: 3 })).toEqual([{ one: 3, other: null }]);
  expect(await one.all(both)).toEqual([{ one: null, other: null }]);
});

test('reads and writes that are begun together run in the order of the calls', async () => {
  await one.all(EVERY);
  const count = 'SELECT count(*) AS n FROM names';
  const done = await Promise.all([
    one.all(count),
    one.run(`INSERT INTO names (name) VALUES ('c')`),
    one.all(count),
    one.run('DELETE FROM names WHERE id > 1'),
    one.all(count),
    one.all(EVERY),
  ]);
  expect(done).toEqual([[{ n: 2 }], 1, [{ n: 3 }], 2, [{ n: 1 }], [{ id: 1, name: 'a' }]]);
});

test('a text that fails is told each time, and works once it is right', async () => {
  for (let time = 0; time < 2; time += 1) {
    await expect(one.all('SELECT note FROM names')).rejects.toThrow('no such column: note');
  }
  await other.run('ALTER TABLE names ADD COLUMN note TEXT');
  expect(await one.all('SELECT note FROM names')).toEqual([{ note: null }, { note: null }]);
});

test('a read that is kept bars no commit, no change of the table and no other process', async () => {
  await one.all(EVERY);
  await one.script('BEGIN IMMEDIATE');
  await one.all(EVERY);
  await one.run(`INSERT INTO names (name) VALUES ('c')`);
  await one.script('COMMIT');
  await other.all(EVERY);
  await other.run('VACUUM');
  await other.run('DROP TABLE names');
  await expect(one.all(EVERY)).rejects.toThrow('no such table: names');
});

test('a failure in the midst of a read does not hold its transaction', async () => {
  const bad = 'SELECT json(name) AS name FROM names ORDER BY id';
  await one.run(`UPDATE names SET name = '1' WHERE id = 1`);
  await expect(one.all(bad)).rejects.toThrow('malformed JSON');
  await other.run('UPDATE names SET name = 2');
  expect(await one.all(bad)).toEqual([{ name: '2' }, { name: '2' }]);
  await other.all('PRAGMA wal_checkpoint(TRUNCATE)');
});

test('of very many statements each is answered, and the connection closes without leaving its log', async () => {
  for (let at = 0; at < 300; at += 1) expect(await one.all(`SELECT ${at} AS n`)).toEqual([{ n: at }]);
  expect(await Promise.all([1, 299].map((at) => one.all(`SELECT ${at} AS n`)))).toEqual([[{ n: 1 }], [{ n: 299 }]]);
  await other.close();
  await one.close();
  expect(existsSync(`${file}-wal`)).toBe(false);
  [one, other] = [await openSqlite(file), await openSqlite(file)];
});

test('after the closing a read is refused instead of waiting for ever', async () => {
  await other.all(EVERY);
  await other.close();
  await expect(other.all(EVERY)).rejects.toThrow(/closed|not open/i);
  other = await openSqlite(file);
});
