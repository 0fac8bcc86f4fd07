// Findings of `doctor` about a data directory that can't be used.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeHome, type Home } from '../cli.ts';

let home: Home;
beforeEach(() => {
  home = makeHome();
});
afterEach(() => home.remove());

const finding = (json: { items: { check: string }[] }, check: string) =>
  json.items.find((item) => item.check === check);

test.each([
  ['lies below a file', (path: string) => join(path, 'data'), (path: string) => writeFileSync(path, '')],
  ['is a file', (path: string) => path, (path: string) => writeFileSync(path, '', { mode: 0o700 })],
  ['is a link that leads nowhere', (path: string) => path, (path: string) => symlinkSync('/nowhere/at/all', path)],
])('a data directory that %s is named in a finding', async (_, dirOf, make) => {
  const path = home.file('place', '');
  rmSync(path);
  make(path);
  const dir = dirOf(path);
  const { exit, json, stderr } = await home.run(['doctor', '--data-dir', dir, '--json', '--lang', 'en']);
  expect([exit, finding(json, 'data_dir')]).toEqual([
    1,
    { check: 'data_dir', status: 'fail', message: `no access to the data directory: ${dir}` },
  ]);
  expect(json.items.length).toBeGreaterThan(3);
  expect(stderr).not.toMatch(/^ +at /m);
});

test('a blocklist that is no folder is a finding, beside all others', async () => {
  mkdirSync(home.dir, { mode: 0o700 });
  writeFileSync(join(home.dir, 'blocklist'), '');
  const { exit, json } = await home.run(['doctor', '--json', '--lang', 'en']);
  expect([exit, finding(json, 'data_dir')]).toEqual([1, expect.objectContaining({ status: 'ok' })]);
  expect(finding(json, 'blocklist')).toMatchObject({ status: 'fail', message: expect.stringContaining(home.dir) });
});
