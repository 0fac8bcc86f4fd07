import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAdminHome, PASSWORD, type Home } from '../cli.ts';

let home: Home;
beforeAll(async () => {
  home = await makeAdminHome();
});
afterAll(() => home.remove());

const load = (names: string[]) =>
  home.run(['blocklist', 'update', '--accept', '--file', home.file('list.txt', `${names.join('\n')}\n`)]);

test('a check of all domains says that the result of one user is held, and where it is decided', async () => {
  expect((await home.run(['user', 'create', '--login', 'bob', '--password-stdin'], { input: PASSWORD })).exit).toBe(0);
  const [bobs, others] = ['bob', 'other'].map((who) => Array.from({ length: 40 }, (_, at) => `${who}-${at}.example`));
  expect((await home.run(['domain', 'add', ...bobs!.slice(0, 6), '--as', 'bob'])).exit).toBe(0);
  expect((await home.run(['domain', 'add', ...others!, '--as', 'admin'])).exit).toBe(0);
  const base = Array.from({ length: 50 }, (_, at) => `listed-${at}.example`);
  await load(base);
  const check = () => home.run(['check', 'blocked', '--all', '--lang', 'en']);
  expect((await check()).stderr).not.toContain('wait');
  await load([...base, ...bobs!.slice(0, 6)]);
  const { exit, stderr } = await check();
  expect(exit).toBe(0);
  expect(stderr).toMatch(/1 result waits for a decision, and the domains stay as they were meanwhile: #\d+\. Apply/);
});
