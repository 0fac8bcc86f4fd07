// Two logins that differ in the case of Cyrillic letters: SQLite has taken them, PostgreSQL never did.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { executeUnaudited, transaction } from '../../../db/index.ts';
import { changeUserOf } from '../../../src/services/access/user-changes.ts';
import { createUser, findUser } from '../../../src/services/access/users.ts';
import { startDatabase } from '../../support/database.ts';
import { PASSWORD } from '../../support/server.ts';

let database: Awaited<ReturnType<typeof startDatabase>>;
beforeAll(async () => {
  database = await startDatabase();
});
afterAll(() => database.close());

test('each of two is found as it is written', async () => {
  await createUser({ login: 'борис', password: PASSWORD, role: 'user' });
  await createUser({ login: 'вера', password: PASSWORD, role: 'user' });
  await transaction(() => executeUnaudited('demo', `UPDATE users SET login = 'Борис' WHERE login = 'вера'`));
  for (const login of ['борис', 'Борис']) expect((await findUser(login)).login).toBe(login);
  await changeUserOf('Борис', { role: 'admin' });
  expect([(await findUser('борис')).role, (await findUser('Борис')).role]).toEqual(['user', 'admin']);
});
