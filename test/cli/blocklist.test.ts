// The decisions about lists on the command line.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAdminHome, type Home } from './cli.ts';

let home: Home;
beforeAll(async () => {
  home = await makeAdminHome();
});
afterAll(() => home.remove());

const names = (count: number): string => Array.from({ length: count }, (_, i) => `name-${i}.example\n`).join('');
const update = (count: number, ...flags: string[]) =>
  home.run(['blocklist', 'update', '--file', home.file('list.txt', names(count)), '--json', ...flags]);
const json = async (...args: string[]) => (await home.run([...args, '--json'])).json;

test('a truncated list is refused with instructions, the former one stays in use, and a person accepts it or rolls back', async () => {
  expect((await update(100)).exit).toBe(0);
  const refused = await update(60);
  expect(refused.json).toMatchObject({ ok: false, exit: 1, error: { code: 'list_in_doubt' } });
  expect(refused.json.error.message).toMatch(/60.*100.*seo-admin blocklist accept/);
  const status = await home.run(['blocklist', 'status']);
  expect(status.stdout).toContain('seo-admin blocklist accept');
  expect((await json('check', 'blocked', 'name-99.example')).items[0].status).toBe('blocked');
  expect(await json('blocklist', 'status')).toMatchObject({ doubt: { found: 60, expected: 100 }, former: null });

  expect(await json('blocklist', 'accept')).toMatchObject({ ok: true, entries: { exact: 60 } });
  expect((await json('check', 'blocked', 'name-99.example')).items[0].status).toBe('free');
  expect(await json('blocklist', 'rollback')).toMatchObject({ ok: true, entries: { exact: 100 } });
  expect((await json('check', 'blocked', 'name-99.example')).items[0].status).toBe('blocked');
  expect(await json('blocklist', 'rollback')).toMatchObject({ ok: false, error: { code: 'conflict' } });
  expect((await update(20, '--accept')).exit).toBe(0);
});

test('names are unknown while the index is damaged, and the answer says so', async () => {
  const { readFileSync, writeFileSync } = await import('node:fs');
  const path = `${home.dir}/blocklist/list.idx`;
  const bytes = readFileSync(path);
  for (let at = 4096; at < bytes.length; at += 512) bytes[at] = bytes[at]! ^ 1;
  writeFileSync(path, bytes);
  const run = await home.run(['check', 'blocked', 'name-1.example', 'free.example', '--json']);
  expect(run.json).toMatchObject({ ok: false, exit: 4, summary: { unknown: 2, free: 0 } });
  expect(run.json.error.message).toContain('повреждён');
});

test('the columns of the status are the same with a list and without', async () => {
  const empty = await makeAdminHome();
  const heading = async (one: Home) => (await one.run(['blocklist', 'status', '--csv'])).stdout.split('\r\n')[0];
  expect((await update(20, '--accept')).exit).toBe(0);
  expect(await heading(empty)).toBe(await heading(home));
  empty.remove();
});
