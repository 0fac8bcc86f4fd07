import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeHome, PASSWORD, type Home } from '../cli.ts';

let home: Home;
beforeAll(() => {
  home = makeHome();
});
afterAll(() => home.remove());

const load = (count: number) => {
  const names = Array.from({ length: count }, (_, index) => `name-${index}.example\n`).join('');
  return home.run(['blocklist', 'update', '--file', home.file('list.txt', names)]);
};
const decisions = async () => {
  const { json } = await home.run(['audit', 'list', '--object', 'blocklist', '--json']);
  return (json.items as Record<string, unknown>[]).map(({ login, door, call, action, outcome }) => [
    login,
    door,
    call,
    action,
    outcome,
  ]);
};

test('decisions about the blocklist without a database make none, and are audited once there is one', async () => {
  expect((await load(100)).exit).toBe(0);
  expect(existsSync(join(home.dir, 'seo-admin.sqlite'))).toBe(false);
  await home.run(['init', '--admin-login', 'admin', '--password-stdin'], { input: `${PASSWORD}\n` });
  expect((await load(101)).exit).toBe(0);
  expect(await decisions()).toEqual([
    ['system', 'cli', 'blocklist update', 'update', 'done'],
    ['system', 'cli', 'blocklist update', 'update', 'done'],
  ]);
});

test('`blocklist accept` and `rollback` are audited in the name of `--as`, or of the host', async () => {
  expect((await load(10)).exit).toBe(1);
  expect((await home.run(['blocklist', 'accept', '--as', 'admin'])).exit).toBe(0);
  expect((await home.run(['blocklist', 'rollback'])).exit).toBe(0);
  expect((await decisions()).slice(0, 2)).toEqual([
    ['system', 'cli', 'blocklist rollback', 'restore', 'done'],
    ['admin', 'cli', 'blocklist accept', 'accept', 'done'],
  ]);
  expect((await home.run(['audit', 'verify', '--json'])).json).toMatchObject({ ok: true, exit: 0 });
});

test('`audit verify --known` tells what a restored backup lacks', async () => {
  const verify = async (...flags: string[]) => (await home.run(['audit', 'verify', '--json', ...flags])).json;
  const backup = join(home.dir, '..', 'copy.sqlite');
  expect((await home.run(['db', 'backup', backup])).exit).toBe(0);
  const before = await verify();
  await home.run(['project', 'create', 'Later', '--as', 'admin']);
  const { last_id, last_hash } = await verify();
  expect((await home.run(['db', 'restore', backup, '--yes'])).exit).toBe(0);
  expect(await verify()).toMatchObject({ ok: true, last_id: before.last_id, last_hash: before.last_hash });
  expect(await verify('--known', `${last_id}:${last_hash}`)).toMatchObject({
    ok: false,
    fault: { id: before.last_id + 1, kind: 'missing' },
  });
  await home.run(['project', 'create', 'Another', '--as', 'admin']);
  expect(await verify()).toMatchObject({ ok: true });
  expect(await verify('--known', `${last_id}:${last_hash}`)).toMatchObject({ fault: { kind: 'changed' } });
});
