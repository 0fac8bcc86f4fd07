import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeDatabase, execute, openDatabase, transaction } from '../../../db/index.ts';
import { loadConfig } from '../../../src/lib/config.ts';
import { makeAdminHome, type Home } from '../cli.ts';

let home: Home;
beforeAll(async () => {
  home = await makeAdminHome();
  await run('project create', 'Rome trips');
  await run('domain add alone.example fine.example xn--e1afmkfd.example');
  await run('domain add blocked.example --project', 'Rome trips');
});
afterAll(() => home.remove());

const run = (line: string, ...more: string[]) => home.run([...line.split(' '), ...more, '--lang', 'en']);

async function make(sql: string): Promise<void> {
  await openDatabase(loadConfig({ dataDir: home.dir }, {}).databaseFile);
  try {
    await transaction(() => execute(sql));
  } finally {
    await closeDatabase();
  }
}

test('a portfolio without trouble is one sentence, and fails on nothing', async () => {
  const { stdout, exit } = await run('status --fail-on any');
  expect([exit, stdout]).toEqual([0, expect.stringContaining('Nothing waits for a decision. Names: 4')]);
  expect((await run('status --json')).json).toMatchObject({ ok: true, items: [], summary: { total: 0, all: 4 } });
});

test('items that need somebody are told by weight, with the command to type next', async () => {
  await make(`UPDATE domains SET status = 'blocked' WHERE domain_name IN ('alone.example', 'blocked.example')`);
  await make(
    `UPDATE domains SET http_status_code = 503, last_http_check_at = '${new Date().toISOString()}' WHERE domain_name = 'xn--e1afmkfd.example'`,
  );
  const { stdout } = await run('status');
  const lines = stdout.trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(20);
  expect(lines[0]).toBe('3 items wait for a decision. Names in trouble: 3 of 4');
  expect(lines[1]).toBe('Blocked, no reserve is ready · 2');
  expect(stdout).toContain('$ seo-admin domain show alone.example');
  expect(stdout).toContain(`$ seo-admin autobuy run --project 'Rome trips'`);
  expect(lines.findIndex((line) => line.startsWith('Do not answer · 1'))).toBeGreaterThan(2);
  expect(stdout).toContain('$ seo-admin why xn--e1afmkfd.example');
  expect(lines.at(-1)).toBe('Within a day: answer again 0, unblocked 0, moved 0');

  const { json } = await run('status --json');
  expect(json.summary.counts).toMatchObject({ no_reserve: { items: 2 }, blocked: { items: 0 }, down: { items: 1 } });
  expect(json.items.map(({ kind }: { kind: string }) => kind)).toEqual(['no_reserve', 'no_reserve', 'down']);
});

test('`--fail-on` ends with 3 where there is something of that kind alone', async () => {
  const exits = ['no_reserve', 'down', 'any', 'ends', 'purchase'].map(
    async (kind) => (await run(`status --fail-on ${kind} --quiet`)).exit,
  );
  expect(await Promise.all(exits)).toEqual([3, 3, 3, 0, 0]);
  expect((await run('status --fail-on trouble')).exit).toBe(2);
});

test('a user is told of his own names alone', async () => {
  await home.run(['user', 'create', '--login', 'ivan', '--password-stdin'], { input: 'correct horse battery' });
  const { json } = await home.run(['status', '--as', 'ivan', '--json']);
  expect(json).toMatchObject({ items: [], summary: { total: 0, all: 0 } });
});
