// `budget` and `purchases off|on`: what an admin is told of the caps and of the switch.
import { afterAll, beforeAll, expect, test } from 'vitest';
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
