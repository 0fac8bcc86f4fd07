// `budget` and `purchases approve|off|on`: what an admin is told of the caps and of the switch, and asked before an order.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeDatabase, openDatabase } from '../../../db/index.ts';
import { loadConfig } from '../../../src/lib/config.ts';
import { addPurchase } from '../../services/triage/world.ts';
import { makeAdminHome, type Home, type Run } from '../cli.ts';

let home: Home;
beforeAll(async () => {
  home = await makeAdminHome();
});
afterAll(() => home.remove());

const run = (line: string): Promise<Run> => home.run([...line.split(' '), '--lang', 'en']);
const MINUTE = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\dZ`;

test('budget show names what a cap is about', async () => {
  await run('project create Coffee');
  await run('budget set --currency RUB --project-day Coffee=1000.00 --user-day admin=500.00');
  const { json } = await run('budget show --json');
  expect(json.items).toMatchObject([
    { scope: 'project', scope_name: 'Coffee' },
    { scope: 'user', scope_name: 'admin' },
  ]);
});

test('purchases off and budget show say who has switched purchases and when', async () => {
  expect((await run('budget show --json')).json.summary).toMatchObject({
    state: 'on',
    switched_at: null,
    switched_by: null,
  });
  const off = await run('purchases off --as admin');
  expect(off.stdout).toMatch(new RegExp(`^Purchases are off\nSwitched by admin, ${MINUTE}\n$`));
  expect((await run('budget show')).stderr).toMatch(new RegExp(`Purchases are off\nSwitched by admin, ${MINUTE}`));
  expect((await run('purchases on --json')).json).toMatchObject({ state: 'on', switched_by: 'system' });
});

test('a wrong sum is told with the flag that it is of', async () => {
  for (const [words, flag] of [
    ['--global-day 5 --per-domain -1', '--per-domain'],
    ['--user-day admin=5 --user-day admin=x', '--user-day'],
    ['--project-day 5', '--project-day'],
  ] as const) {
    const { exit, json, stderr } = await run(`budget set --currency RUB ${words} --json`);
    expect([exit, Object.keys(json.error.fields)]).toEqual([2, [flag]]);
    expect(stderr).toBe(`seo-admin: ${flag}: An amount is a decimal number such as 1500.00\n`);
  }
});

test('purchases approve plans and asks before: the order is sent then', async () => {
  await openDatabase(loadConfig({ dataDir: home.dir }, {}).databaseFile);
  await addPurchase({ kind: 'register', domain_name: 'new.ru', state: 'awaiting_approval' });
  await closeDatabase();
  const approve = (...flags: string[]): Promise<Run> =>
    run(`purchases approve 1 --as admin --json ${flags.join(' ')}`.trim());
  expect((await approve('--dry-run')).json).toMatchObject({ exit: 0, dry_run: true, state: 'awaiting_approval' });
  const asked = await approve();
  expect([asked.exit, asked.json.error.code]).toEqual([2, 'usage']);
  expect((await run('purchases show 1 --json')).json.state).toBe('awaiting_approval');
  expect((await approve('--yes')).json).toMatchObject({ exit: 0, state: 'reserved' });
  expect((await approve('--dry-run')).json).toMatchObject({ exit: 1, error: { code: 'conflict' } });
});
