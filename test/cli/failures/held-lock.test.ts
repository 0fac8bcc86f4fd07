// Commands while another process holds the write lock of the database.
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { holdWriteLock } from '../../support/database.ts';
import { makeAdminHome, type Home } from '../cli.ts';

let home: Home;
let release: (() => Promise<void>) | undefined;

beforeAll(async () => {
  home = await makeAdminHome();
  const { exit, stderr } = await home.run(['domain', 'add', 'one.example']);
  if (exit !== 0) throw new Error(stderr);
  release = await holdWriteLock(join(home.dir, 'seo-admin.sqlite'));
});

afterAll(async () => {
  await release?.();
  home.remove();
});

test.each([
  'domain list',
  'domain show one.example',
  'project list',
  'operation list',
  'user list',
  'audit list',
  'schedule list',
  'db status',
  '--as admin domain list',
])('%s reads while another process holds the write lock', async (words) => {
  const { exit, stdout } = await home.run([...words.split(' '), '--json']);
  expect([exit, stdout]).toEqual([0, expect.stringContaining('"ok":true')]);
});

test('an operation that is not there is not found while another process holds the write lock', async () => {
  const { exit, json } = await home.run(['operation', 'show', '77', '--json']);
  expect([exit, json.error.code]).toEqual([1, 'not_found']);
});
