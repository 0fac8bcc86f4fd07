import { execute, select, transaction } from '../../../db/index.ts';
import type { UserRow } from '../../shared/access/tables.ts';
import { insertRow } from '../../../db/rows.ts';
import { users } from '../../shared/access/tables.ts';
import { hashPassword } from '../../lib/password.ts';
import { AppError } from '../../shared/errors.ts';
import type { UserInput, UserView } from '../../shared/access/users.ts';
import type { Actor } from './scope.ts';

const VIEW = 'id, login, telegram, role, active, created_at';

/** Converts a row's `active`, which is 0 or 1 in SQLite, to a boolean. */
const toView = (row: Omit<UserView, 'active'> & { active: unknown }): UserView => ({
  ...row,
  active: Boolean(row.active),
});

/** Returns every user, oldest first, without password hashes. */
export async function listUsers(): Promise<UserView[]> {
  return (await select<UserView>(`SELECT ${VIEW} FROM users ORDER BY id`)).map(toView);
}

/** Whether there is no user yet: then the first-run link is valid. */
export async function hasNoUsers(): Promise<boolean> {
  return (await select('SELECT 1 FROM users LIMIT 1')).length === 0;
}

/** Returns the user of a login, whatever its case. Throws AppError `not_found`. */
export async function findUser(login: string): Promise<UserView> {
  const [row] = await select<UserView>(`SELECT ${VIEW} FROM users WHERE login = $login COLLATE NOCASE`, { login });
  if (!row) throw new AppError('not_found', 'user.unknown', { login });
  return toView(row);
}

async function refuseTaken(login: string): Promise<void> {
  const taken = await select('SELECT 1 FROM users WHERE login = $login COLLATE NOCASE', { login });
  if (taken.length > 0) {
    throw new AppError(
      'conflict',
      'user.login_taken',
      { login },
      { code: 'login_taken', fields: { login: 'user.login_taken' } },
    );
  }
}

/** Creates a user and returns its id. Throws AppError `conflict` where the login is taken, whatever its case. */
export async function createUser(input: UserInput): Promise<number> {
  await refuseTaken(input.login);
  const password = await hashPassword(input.password);
  return transaction(() => insertUser(input, password));
}

/**
 * Inserts a user with a password that is hashed already and returns its id. Only inside a transaction. Throws as
 * `createUser`.
 */
export async function insertUser(input: Omit<UserInput, 'password'>, password: string): Promise<number> {
  await refuseTaken(input.login);
  return insertRow(users, {
    login: input.login,
    password,
    telegram: input.telegram || null,
    role: input.role,
    active: true,
    created_at: new Date().toISOString(),
  });
}

/** Sets a password and signs the user out everywhere. Throws AppError `not_found`. */
export async function setPassword(login: string, password: string): Promise<UserView> {
  const user = await findUser(login);
  const hash = await hashPassword(password);
  await transaction(async () => {
    await execute('UPDATE users SET password = $hash WHERE id = $id', { hash, id: user.id });
    await execute('DELETE FROM sessions WHERE user_id = $id', { id: user.id });
  });
  return user;
}

/**
 * Disables a user from the next request on and ends their sessions. Throws AppError `not_found`, `conflict` for the
 * last administrator who can sign in.
 */
export async function disableUser(login: string): Promise<UserView> {
  const user = await findUser(login);
  await transaction(async () => {
    if (user.role === 'admin' && user.active) {
      const [admins] = await select<{ count: number }>(
        `SELECT COUNT(*) AS count FROM users WHERE role = 'admin' AND active = 1`,
      );
      if ((admins?.count ?? 0) <= 1) throw new AppError('conflict', 'user.last_admin');
    }
    await execute('UPDATE users SET active = 0 WHERE id = $id', { id: user.id });
    await execute('DELETE FROM sessions WHERE user_id = $id', { id: user.id });
  });
  return { ...user, active: false };
}

/** Sets the caller's own Telegram name; returns 0 where it was that already, else 1. */
export async function updateTelegram(actor: Actor, telegram: string): Promise<number> {
  return transaction(() =>
    execute('UPDATE users SET telegram = $telegram WHERE id = $id AND telegram IS NOT $telegram', {
      telegram: telegram || null,
      id: actor.id,
    }),
  );
}

/** Returns the actor that `--as LOGIN` names. Throws AppError `not_found`, or `forbidden` for a disabled user. */
export async function actorOf(login: string): Promise<Actor> {
  const { id, role, active, ...user } = await findUser(login);
  if (!active) throw new AppError('forbidden', 'error.forbidden');
  return { id, role, login: user.login };
}

/**
 * Returns the owner of what an actor creates: the actor, or for the command line without `--as` the first active
 * administrator. Throws AppError `not_configured` where there is none.
 */
export async function defaultOwner(actor: Actor): Promise<number> {
  if (actor.id !== null) return actor.id;
  const [admin] = await select<Pick<UserRow, 'id'>>(
    `SELECT id FROM users WHERE role = 'admin' AND active = 1 ORDER BY id LIMIT 1`,
  );
  if (!admin) throw new AppError('not_configured', 'user.none');
  return admin.id;
}
