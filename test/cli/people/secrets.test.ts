// Secrets as files and other programs give them.
import { expect, test } from 'vitest';
import { closeDatabase, openDatabase, select } from '../../../db/index.ts';
import { verifyPassword } from '../../../src/lib/password.ts';
import { makeAdminHome, PASSWORD } from '../cli.ts';

test('a password has neither the byte order mark nor the line end of its file', async () => {
  const home = await makeAdminHome();
  const file = home.file('password.txt', `\uFEFF${PASSWORD}\r\n`);
  const create = (login: string, ...flags: string[]) => home.run(['user', 'create', '--login', login, ...flags]);
  expect((await create('one', '--password-file', file)).exit).toBe(0);
  expect(
    (await home.run(['user', 'create', '--login', 'two', '--password-stdin'], { input: `\uFEFF${PASSWORD}\n` })).exit,
  ).toBe(0);
  await openDatabase(`${home.dir}/seo-admin.sqlite`);
  const rows = await select<{ password: string }>(`SELECT password FROM users WHERE login IN ('one', 'two')`);
  await closeDatabase();
  expect(await Promise.all(rows.map(({ password }) => verifyPassword(PASSWORD, password)))).toEqual([true, true]);
  home.remove();
});
