import { transaction } from '../../../db/index.ts';
import { findRow, insertRow, updateRow } from '../../../db/rows.ts';
import { users, type UserRow } from '../../shared/access/tables.ts';
import { hashPassword } from '../../lib/password.ts';
import { AppError, notFound } from '../../shared/errors.ts';
import { foldLogin } from '../../shared/access/logins.ts';
import type { UserInput, UserListed, UserView } from '../../shared/access/users.ts';
import { hasUsers, listAdmins, listUsersSpelled } from './rows.ts';
import type { Actor, StillMay } from './scope.ts';
import { listUserRows } from './user-rows.ts';

/** Leaves out the password's hash, and turns `active` into a boolean. */
const toView = ({ id, login, telegram, role, active, created_at }: Omit<UserRow, 'password'>): UserView => ({
  id,
  login,
  telegram,
  role,
  active: Boolean(active),
  created_at,
});

/** Returns every user, oldest first, without password hashes. */
export async function listUsers(): Promise<UserListed[]> {
  return (await listUserRows()).map((row) =>
    Object.assign(toView(row), { second_factor: row.factors > 0, last_seen_at: row.last_seen_at }),
  );
}

/** Whether there is no user yet: then the first-run link is valid. */
export async function hasNoUsers(): Promise<boolean> {
  return !(await hasUsers());
}

/** Returns the user of a login, whatever its case, with the password's hash; undefined: there is none. */
export async function findUserByLogin(login: string): Promise<UserRow | undefined> {
  const composed = login.normalize('NFC');
  const rows = await listUsersSpelled(login);
  // Logins are stored composed, those of former versions as they were typed.
  if (composed !== login) rows.push(...(await listUsersSpelled(composed)));
  // A database takes more letters for the same ones than the throttle does, which counts tries by this form. And SQLite has taken logins
  // that differ in the case of Cyrillic letters: who has this very one comes first.
  const folded = foldLogin(login);
  return rows.find((row) => row.login === login) ?? rows.find((row) => foldLogin(row.login) === folded);
}

/** Returns the user of a login, whatever its case. Throws AppError `not_found`. */
export async function findUser(login: string): Promise<UserView> {
  const row = await findUserByLogin(login);
  if (!row) throw new AppError('not_found', 'user.unknown', { login });
  return toView(row);
}

async function refuseTaken(login: string): Promise<void> {
  if ((await listUsersSpelled(login)).length > 0) {
    throw new AppError(
      'conflict',
      'user.login_taken',
      { login },
      { code: 'login_taken', fields: { login: 'user.login_taken' } },
    );
  }
}

/** Creates a user and returns its id. Throws AppError `conflict` where the login is taken, whatever its case, and what `still` throws. */
export async function createUser(input: UserInput, still?: StillMay): Promise<number> {
  await refuseTaken(input.login);
  const password = await hashPassword(input.password);
  return transaction(async () => {
    await still?.();
    return insertUser(input, password);
  });
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

/** Sets the Telegram name of a user, none for an empty one; returns 0 where it was that already, else 1. Throws AppError `not_found`. */
export async function setTelegram(id: number, telegram: string): Promise<number> {
  return transaction(async () => {
    const user = await findRow(users, id);
    if (!user) throw notFound();
    const wanted = telegram || null;
    if (user.telegram === wanted) return 0;
    await updateRow(users, id, { telegram: wanted });
    return 1;
  });
}

/** Sets the caller's own Telegram name; returns 0 where it was that already, else 1. */
export const updateTelegram = async ({ id }: Actor, telegram: string): Promise<number> =>
  id === null ? 0 : setTelegram(id, telegram);

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
  const [admin] = await listAdmins();
  if (!admin) throw new AppError('not_configured', 'user.none');
  return admin.id;
}
