// Logins and names are the same whatever the case of their letters, Cyrillic ones as well, on every database.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signIn, authenticate } from '../../../src/services/access/session.ts';
import { createUser, findUser } from '../../../src/services/access/users.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { createCloudflareGroup } from '../../../src/services/accounts/cloudflare-groups.ts';
import { teamRowNamed } from '../../../src/services/accounts/team.ts';
import { createProject, projectNamed } from '../../../src/services/portfolio/projects.ts';
import { startDatabase } from '../../support/database.ts';
import { PASSWORD } from '../../support/server.ts';

const key = Buffer.alloc(32, 1);
let database: Awaited<ReturnType<typeof startDatabase>>;
beforeAll(async () => {
  database = await startDatabase();
  await createUser({ login: 'Анна[1]*', password: PASSWORD, role: 'admin' });
});
afterAll(() => database.close());

test('a login in Cyrillic is found, signs in and is taken whatever its case', async () => {
  expect((await findUser('анна[1]*')).login).toBe('Анна[1]*');
  const token = await signIn(key, 'АННА[1]*', PASSWORD, '127.0.1.1');
  expect((await authenticate(key, token)).user.login).toBe('Анна[1]*');
  const again = createUser({ login: 'аннА[1]*', password: PASSWORD, role: 'user' });
  await expect(again).rejects.toMatchObject({ code: 'login_taken' });
  for (const other of ['Анна1*', 'Анна[1]', 'Анна[1]*х', '*', '?????[1]*']) {
    await expect(findUser(other)).rejects.toMatchObject({ kind: 'not_found' });
  }
});

// A database takes some of these for the same letters. The throttle, which counts tries by what was typed, does not.
test('a login that is written otherwise than by case is nobody’s', async () => {
  await createUser({ login: 'Sasha', password: PASSWORD, role: 'user' });
  for (const other of ['sa\u00ADsha', 'sasha\u200B', '\u017Fasha', 'sasha\0', 'ｓasha', 's'.repeat(60_000)]) {
    const login = signIn(key, other, PASSWORD, '127.0.1.2');
    await expect(login).rejects.toMatchObject({ kind: 'bad_login' });
  }
  expect((await authenticate(key, await signIn(key, 'SASHA', PASSWORD, '127.0.1.3'))).user.login).toBe('Sasha');
});

test('projects and rows of the team are found by their names whatever the case', async () => {
  await createProject(SYSTEM, { name: 'Север' });
  await createCloudflareGroup(SYSTEM, { name: 'Щука', accounts: [] });
  expect((await projectNamed(SYSTEM, 'сЕВЕР')).name).toBe('Север');
  expect((await teamRowNamed('cloudflare_groups', 'щука')).name).toBe('Щука');
});
