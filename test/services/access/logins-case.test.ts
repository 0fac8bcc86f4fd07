// Logins and names are the same whatever the case of their letters, Cyrillic ones as well, on every database.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { executeUnaudited, transaction } from '../../../db/index.ts';
import { signIn, authenticate } from '../../../src/services/access/session.ts';
import { createUser, findUser } from '../../../src/services/access/users.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { createCloudflareGroup } from '../../../src/services/accounts/cloudflare-groups.ts';
import { teamRowNamed } from '../../../src/services/accounts/team.ts';
import { createProject, projectNamed } from '../../../src/services/portfolio/projects.ts';
import { UserInput } from '../../../src/shared/access/users.ts';
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

test('a login signs in as it was typed where its marks are apart from the letters, and is one for the throttle', async () => {
  const typed = 'Андреи\u0306';
  await createUser(UserInput.parse({ login: typed, password: PASSWORD }));
  for (const login of [typed, typed.normalize('NFC'), typed.toLowerCase()]) {
    expect((await authenticate(key, await signIn(key, login, PASSWORD, '127.0.1.4'))).user.login).toBe('Андрей');
  }
  expect((await findUser(typed)).login).toBe('Андрей');
  // A row of a former version.
  await transaction(() =>
    executeUnaudited('check', 'UPDATE users SET login = $typed WHERE login = $login', { typed, login: 'Андрей' }),
  );
  expect((await authenticate(key, await signIn(key, typed, PASSWORD, '127.0.1.4'))).user.login).toBe(typed);
  const wrong = (login: string) => signIn(key, login, 'a wrong password', '127.0.1.5').catch((error: unknown) => error);
  const kinds: unknown[] = [];
  for (let turn = 0; turn < 6; turn += 1) {
    kinds.push(await wrong(turn % 2 === 0 ? typed : typed.normalize('NFC')));
  }
  expect(kinds.at(-1)).toMatchObject({ kind: 'too_many' });
});

test.each([
  'admin\u200D',
  'ad\u200Cmin',
  'admin\u2800',
  'admin\uFE0F',
  'admin\u034F',
  'admin\u1160',
  'admin\u3164',
  'admin\u17B4',
  'admin\u180B',
  'admin\u{E0061}',
  'admin\u{E0100}',
  'admin\u{1D173}',
  'admin\u200B',
  'ad\u00ADmin',
])('a login with a character that is not seen is refused: %j', (login) => {
  const { error } = UserInput.safeParse({ login, password: PASSWORD });
  expect(error?.issues.map((issue) => issue.message)).toEqual(['error.characters']);
});

test('projects and rows of the team are found by their names whatever the case', async () => {
  await createProject(SYSTEM, { name: 'Север' });
  await createCloudflareGroup(SYSTEM, { name: 'Щука', accounts: [] });
  expect((await projectNamed(SYSTEM, 'сЕВЕР')).name).toBe('Север');
  expect((await teamRowNamed('cloudflare_groups', 'щука')).name).toBe('Щука');
});
