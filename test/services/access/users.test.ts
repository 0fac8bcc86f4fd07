import { afterEach, beforeEach, expect, test } from 'vitest';
import { execute, select, transaction } from '../../../db/index.ts';
import { authenticate, createSetupToken, setUp, signIn } from '../../../src/services/access/session.ts';
import { disableUser, setPassword } from '../../../src/services/access/user-changes.ts';
import { actorOf, createUser, defaultOwner, findUser, listUsers } from '../../../src/services/access/users.ts';
import { SYSTEM } from '../../../src/services/access/scope.ts';
import { startDatabase } from '../../support/database.ts';
import { PASSWORD } from '../../support/server.ts';

const key = Buffer.alloc(32, 1);
let database: Awaited<ReturnType<typeof startDatabase>>;

beforeEach(async () => {
  database = await startDatabase();
});
afterEach(() => database.close());

const add = (login: string, role: 'admin' | 'user' = 'user') => createUser({ login, password: PASSWORD, role });
const admins = async () => (await listUsers()).filter(({ role, active }) => role === 'admin' && active);

test('the last administrator who can sign in stays', async () => {
  for (const login of ['one', 'two', 'three']) await add(login, 'admin');
  await add('user');
  await disableUser('user');
  const results = await Promise.allSettled(['one', 'two', 'three'].map((login) => disableUser(login)));
  const refused = results.filter(({ status }) => status === 'rejected');
  expect(refused).toMatchObject([{ reason: { kind: 'conflict', key: 'user.last_admin' } }]);
  expect(await admins()).toHaveLength(1);
});

test('a new password replaces the old one and ends all sessions', async () => {
  await add('ann');
  const token = await signIn(key, 'ann', PASSWORD, '127.0.1.1');
  await setPassword('ANN', 'another password');
  await expect(authenticate(key, token)).rejects.toMatchObject({ kind: 'bad_token' });
  await expect(signIn(key, 'ann', PASSWORD, '127.0.1.1')).rejects.toMatchObject({ kind: 'bad_login' });
  expect((await authenticate(key, await signIn(key, 'ann', 'another password', '127.0.1.1'))).user.login).toBe('ann');
});

test('a disabled user can neither sign in nor act', async () => {
  await add('root', 'admin');
  await add('ann');
  const token = await signIn(key, 'ann', PASSWORD, '127.0.1.2');
  await disableUser('ann');
  await expect(authenticate(key, token)).rejects.toMatchObject({ kind: 'bad_token' });
  await expect(signIn(key, 'ann', PASSWORD, '127.0.1.2')).rejects.toMatchObject({ kind: 'bad_login' });
  await expect(actorOf('ann')).rejects.toMatchObject({ kind: 'forbidden' });
});

test('a changed role ends the session, up as well as down', async () => {
  await add('ann');
  const token = await signIn(key, 'ann', PASSWORD, '127.0.1.3');
  await transaction(() => execute(`UPDATE users SET role = 'admin'`));
  await expect(authenticate(key, token)).rejects.toMatchObject({ kind: 'bad_token' });
});

test('the stored data is not enough to sign in', async () => {
  await add('ann');
  const token = await signIn(key, 'ann', PASSWORD, '127.0.1.4');
  const stored = JSON.stringify([await select('SELECT * FROM users'), await select('SELECT * FROM sessions')]);
  const { sid } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sid: string };
  for (const secret of [PASSWORD, sid, token]) expect(stored).not.toContain(secret);
});

test('expired sessions are deleted', async () => {
  await add('ann');
  await signIn(key, 'ann', PASSWORD, '127.0.1.5');
  await transaction(() => execute(`UPDATE sessions SET expires_at = '2020-01-01T00:00:00.000Z'`));
  await signIn(key, 'ann', PASSWORD, '127.0.1.5');
  expect(await select('SELECT 1 FROM sessions')).toHaveLength(1);
});

test('a first-run link exists as long as there are no users', async () => {
  await expect(defaultOwner(SYSTEM)).rejects.toMatchObject({ key: 'user.none' });
  const token = await createSetupToken();
  await setUp(key, { token, login: 'root', password: PASSWORD }, '127.0.1.6');
  expect(await defaultOwner(SYSTEM)).toBe((await findUser('ROOT')).id);
  await expect(createSetupToken()).rejects.toMatchObject({ key: 'setup.closed' });
  await expect(findUser('nobody')).rejects.toMatchObject({ kind: 'not_found' });
});
