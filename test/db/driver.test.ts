import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { isSafeSqlite, sqliteDriver } from '../../db/driver.ts';
import { adaptSyncSqlite } from '../../db/sync-driver.ts';

const folder = mkdtempSync(join(tmpdir(), 'seo-admin-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const asked = process.env['SEO_ADMIN_SQLITE_DRIVER'];
afterEach(() => {
  if (asked === undefined) delete process.env['SEO_ADMIN_SQLITE_DRIVER'];
  else process.env['SEO_ADMIN_SQLITE_DRIVER'] = asked;
});

/** Runs the child that exercises the whole database API, with these modules blocked. */
function runWithout(modules: string[]): string {
  const hook = join(folder, 'hook.cjs');
  writeFileSync(
    hook,
    `const Module = require('node:module');
    const load = Module._load;
    Module._load = (request, ...rest) => {
      if (${JSON.stringify(modules)}.includes(request)) throw new Error('not here: ' + request);
      return load(request, ...rest);
    };`,
  );
  const file = join(mkdtempSync(join(folder, 'data-')), 'x.sqlite');
  const words = ['--require', hook, '--import', 'tsx', 'test/children/portfolio.ts', file];
  const env = { ...process.env, SEO_ADMIN_SQLITE_DRIVER: '' };
  return execFileSync(process.execPath, words, { encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'pipe'] });
}

test('SQLite versions with the WAL bug are distinguished from those without', () => {
  expect(['3.51.3', '3.52.0', '4.0.0'].map(isSafeSqlite)).toEqual([true, true, true]);
  expect(['0', '3.51.2', '3.50.9', '2.99.99'].map(isSafeSqlite)).toEqual([false, false, false, false]);
});

test('an unknown driver is refused with the name of its setting', () => {
  process.env['SEO_ADMIN_SQLITE_DRIVER'] = 'sqlite4';
  expect(() => sqliteDriver()).toThrow(
    expect.objectContaining({
      key: 'config.bad_value',
      params: { name: 'SEO_ADMIN_SQLITE_DRIVER', where: 'env', value: 'sqlite4' },
    }),
  );
});

test('booleans are bound as numbers, by position and by name, because Node 22 binds no booleans', async () => {
  const bound: unknown[][] = [];
  class Strict {
    prepare() {
      const take = (...values: unknown[]): never[] => {
        bound.push(values);
        return [];
      };
      return {
        all: take,
        run: (...values: unknown[]) => Object.assign(take(...values), { lastInsertRowid: 0, changes: 0 }),
      };
    }
    exec(): void {}
    close(): void {}
  }
  const { Database } = adaptSyncSqlite(Strict) as {
    Database: new (
      path: string,
      mode: number,
      done: () => void,
    ) => {
      all: (sql: string, bound: object, done: () => void) => void;
      run: (sql: string, bound: object, done: () => void) => void;
    };
  };
  const opened = await new Promise<InstanceType<typeof Database>>((resolve) => {
    const database: InstanceType<typeof Database> = new Database('x', 0, () => resolve(database));
  });
  await new Promise<void>((done) => opened.all('', [true, 'a', null], done));
  await new Promise<void>((done) => opened.run('', { $on: true, $off: false, $n: 2 }, done));
  expect(bound).toEqual([[1, 'a', null], [{ $on: 1, $off: 0, $n: 2 }]]);
});

test('an error has its SQLite code, whichever way the statement is run', async () => {
  interface Raw {
    run: (sql: string, done: (error: (Error & { code?: string }) | null) => void) => void;
    all: Raw['run'];
    exec: Raw['run'];
  }
  const { Database } = sqliteDriver() as { Database: new (path: string, mode: number, done: () => void) => Raw };
  const path = join(mkdtempSync(join(folder, 'codes-')), 'x.sqlite');
  const open = (): Promise<Raw> =>
    new Promise((resolve) => {
      // Read, write, create.
      const database: Raw = new Database(path, 6, () => resolve(database));
    });
  const codeOf = (database: Raw, way: keyof Raw, sql: string): Promise<string | null> =>
    new Promise((resolve) => database[way](sql, (error) => resolve(error && (error.code ?? 'none'))));
  const [one, other] = [await open(), await open()];
  await codeOf(
    one,
    'exec',
    'PRAGMA journal_mode = WAL; CREATE TABLE names (name TEXT UNIQUE); PRAGMA busy_timeout = 1',
  );
  await codeOf(other, 'exec', 'PRAGMA busy_timeout = 1');
  expect(await codeOf(one, 'run', `INSERT INTO names VALUES ('a')`)).toBeNull();
  for (const way of ['run', 'all', 'exec'] as const) {
    expect(await codeOf(one, way, `INSERT INTO names VALUES ('a') RETURNING name`)).toBe('SQLITE_CONSTRAINT');
  }
  await codeOf(one, 'exec', 'BEGIN IMMEDIATE');
  for (const way of ['run', 'all', 'exec'] as const) {
    expect([way, await codeOf(other, way, 'BEGIN IMMEDIATE')]).toEqual([way, 'SQLITE_BUSY']);
  }
});

test('the whole database works without the sqlite3 package', () => {
  expect(JSON.parse(runWithout(['sqlite3']))).toEqual({
    applied: expect.any(Number),
    type: 'transfer',
    taken: 'domain_taken',
    constraint: 'SQLITE_CONSTRAINT',
    active: [true],
    all: 201,
    archive: true,
    integrity: [{ integrity_check: 'ok' }],
  });
});

test('the error names the command to run where no driver is installed', () => {
  expect(() => runWithout(['sqlite3', 'node:sqlite', '@photostructure/sqlite'])).toThrow('database.no_driver');
});
