import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeDatabase, execute, openDatabase, transaction } from '../../../db/index.ts';
import { loadConfig } from '../../../src/lib/config.ts';
import { makeAdminHome, PASSWORD, type Home } from '../cli.ts';

let home: Home;
beforeAll(async () => {
  home = await makeAdminHome();
  await home.run(['user', 'create', '--login', 'bob', '--password-stdin'], { input: PASSWORD });
  await home.run(['project', 'create', 'One', '--as', 'bob']);
  await home.run(['domain', 'add', 'a.example', 'b.example', '--as', 'bob', '--project', 'One']);
});
afterAll(() => home.remove());

const items = async (...args: string[]) => {
  const { exit, json } = await home.run(['audit', 'list', '--json', ...args]);
  expect(exit).toBe(0);
  return json.items as Record<string, unknown>[];
};

test('every command that writes is audited in the name of `--as`, or of the host', async () => {
  const rows = (await items()).map(({ login, door, call, action, object }) => [login, door, call, action, object]);
  expect(rows).toEqual([
    ['bob', 'cli', 'domain add', 'create', 'domains'],
    ['bob', 'cli', 'project create', 'create', 'projects'],
    ['system', 'cli', 'user create', 'create', 'users'],
    ['system', 'cli', 'init', 'create', 'users'],
  ]);
});

test('`audit list` selects, and shows what was written', async () => {
  expect(await items('--user', 'BOB', '--object', 'domains')).toMatchObject([
    { after: { names: ['a.example', 'b.example'], type: 'main' }, before: null, outcome: 'done' },
  ]);
  expect(await items('--since', '2999-01-01')).toEqual([]);
  expect(await items('--limit', '1', '--offset', '1')).toMatchObject([{ object: 'projects', object_name: 'One' }]);
  expect(await items('--door', 'api')).toEqual([]);
  const { stdout } = await home.run(['audit', 'list', '--lang', 'en', '--format', 'plain']);
  expect(stdout).toContain('project');
  expect(stdout).not.toContain('scrypt');
});

test('`audit list` and `audit verify` are for administrators', async () => {
  for (const verb of ['list', 'verify']) {
    const { exit, json } = await home.run(['audit', verb, '--as', 'bob', '--json']);
    expect([exit, json.error.code]).toEqual([4, 'forbidden']);
  }
});

test('wrong flags are refused', async () => {
  for (const flags of [
    ['list', '--since', 'yesterday'],
    ['list', '--door', 'window'],
    ['list', '--id', 'x'],
    ['verify', '--known', '7'],
  ]) {
    expect((await home.run(['audit', ...flags])).exit).toBe(2);
  }
});

test('`audit verify` ends with 1 and names the row that was changed', async () => {
  const intact = await home.run(['audit', 'verify', '--json']);
  expect(intact.json).toMatchObject({ ok: true, exit: 0, rows: 4, last_id: 4 });
  const known = `${intact.json.last_id}:${intact.json.last_hash}`;
  expect((await home.run(['audit', 'verify', '--known', known])).exit).toBe(0);
  await openDatabase(loadConfig({ dataDir: home.dir }, {}).databaseFile);
  await transaction(async () => {
    await execute('DROP TRIGGER audit_no_update');
    await execute(`UPDATE audit SET login = 'system' WHERE id = 3`);
  });
  await closeDatabase();
  const broken = await home.run(['audit', 'verify', '--json', '--lang', 'en']);
  expect(broken.json).toMatchObject({
    ok: false,
    exit: 1,
    fault: { id: 3, kind: 'changed' },
    error: { code: 'audit_broken', message: 'The audit is broken: row 3 was changed' },
  });
  expect((await home.run(['audit', 'list', '--user', 'bob', '--json'])).json.items).toHaveLength(1);
});
