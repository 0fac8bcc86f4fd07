// Without the sqlite3 package Node's own SQLite serves; it is new enough from Node 26 on, which npm has as a package.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'seo-admin-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// Makes the sqlite3 package unreachable, as on a machine where it could not be built.
const hook = join(folder, 'no-sqlite3.cjs');
writeFileSync(
  hook,
  `const Module = require('node:module');
  const load = Module._load;
  Module._load = (request, ...rest) => {
    if (request === 'sqlite3') throw new Error('no sqlite3 here');
    return load(request, ...rest);
  };`,
);

const EXPECTED = {
  applied: expect.any(Number),
  type: 'transfer',
  taken: 'domain_taken',
  constraint: 'SequelizeUniqueConstraintError',
  active: [true],
  all: 201,
  archive: true,
  integrity: [{ integrity_check: 'ok' }],
};

const run = (node: string, file: string, options: string[]): unknown =>
  JSON.parse(execFileSync(node, [...options, 'test/children/portfolio.ts', join(folder, file)], { encoding: 'utf8' }));

test('the database behaves the same on both drivers', () => {
  execFileSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', folder, 'node@26'], {
    stdio: 'ignore',
  });
  const node = join(folder, 'node_modules', 'node', 'bin', 'node');
  expect(run(process.execPath, 'package.sqlite', ['--import', 'tsx'])).toEqual(EXPECTED);
  const without = ['--require', hook, '--import', 'tsx'];
  expect(run(node, 'node.sqlite', without)).toEqual(EXPECTED);
});

test('where neither is there, it says what to do', () => {
  const without = ['--require', hook, '--no-experimental-sqlite', '--import', 'tsx'];
  const node = join(folder, 'node_modules', 'node', 'bin', 'node');
  expect(() => run(node, 'none.sqlite', without)).toThrow('database.no_driver');
});
