// Transactions on a SQLite file.
import { copyFileSync, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { closeDatabase, execute, openDatabase, select, transaction } from '../../db/index.ts';
import { startChild } from '../support/child.ts';
import { addOne, useCounter, value } from './counter.ts';

const database = useCounter();

test('the settings for durability hold on the shared connection and in a transaction', async () => {
  const settings = async () => {
    const names = ['journal_mode', 'synchronous', 'foreign_keys'];
    const rows = await Promise.all(names.map((name) => select<Record<string, unknown>>(`PRAGMA ${name}`)));
    return rows.map(([row]) => Object.values(row ?? {})[0]);
  };
  expect(await settings()).toEqual(['wal', 2, 1]);
  expect(await transaction(settings)).toEqual(['wal', 2, 1]);
});

test('a commit that fails leaves nothing, and the next transaction works', async () => {
  const failing = transaction(async () => {
    await execute('PRAGMA defer_foreign_keys = ON');
    await addOne();
    await execute(`INSERT INTO sites (domain_id, template_id, html_name, html, updated_at) VALUES (7, 7, '', '', '')`);
  });
  await expect(failing).rejects.toThrow('FOREIGN KEY');
  expect(await value()).toBe(0);
  await transaction(addOne);
  expect(await value()).toBe(1);
});

test('nothing is written after the file was deleted or replaced, and no empty database is made', async () => {
  const refused = { kind: 'unavailable', key: 'error.database' };
  renameSync(database().file, `${database().file}.away`);
  await expect(transaction(addOne)).rejects.toMatchObject(refused);
  expect(existsSync(database().file)).toBe(false);
  copyFileSync(`${database().file}.away`, database().file);
  await expect(transaction(addOne)).rejects.toMatchObject(refused);
  rmSync(database().file);
  renameSync(`${database().file}.away`, database().file);
  await transaction(addOne);
  expect(await value()).toBe(1);
});

test('the log of a large transaction gives its room back to the disk', async () => {
  const log = (): number => statSync(`${database().file}-wal`).size;
  await transaction(async () => {
    await execute('CREATE TABLE large (bytes BLOB)');
    await execute('INSERT INTO large VALUES (zeroblob(40000000))');
  });
  expect(log()).toBeGreaterThan(40_000_000);
  await transaction(addOne);
  await transaction(addOne);
  expect(log()).toBeLessThan(17_000_000);
  expect(await value()).toBe(2);
});

test('a driver that would lose acknowledged writes does not start', async () => {
  const setting = { kind: 'not_configured', key: 'database.setting' };
  await closeDatabase();
  // An in-memory database can't be in WAL mode.
  await expect(openDatabase(':memory:')).rejects.toMatchObject({ ...setting, params: { name: 'journal_mode' } });
  await closeDatabase();
  await openDatabase(database().file);
});

test('a copy of the closed file is the whole database', async () => {
  await transaction(addOne);
  await closeDatabase();
  copyFileSync(database().file, `${database().file}.copy`);
  await openDatabase(`${database().file}.copy`);
  expect(await value()).toBe(1);
});
test('several processes that write at once leave the file undamaged', async () => {
  const children = [1, 2].map(() => startChild('test/children/count.ts', [database().file, '100']));
  const own = Array.from({ length: 100 }, () => transaction(addOne));
  await Promise.all([...children.map(({ output }) => output()), ...own]);
  expect(await select('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
});
