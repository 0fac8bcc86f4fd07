import { transaction } from '../../../db/index.ts';
import { findRow, updateRow } from '../../../db/rows.ts';
import { hashPassword } from '../../lib/password.ts';
import { randomCode } from '../../lib/token.ts';
import { users, type UserRow } from '../../shared/access/tables.ts';
import type { UserChange, UserView } from '../../shared/access/users.ts';
import { AppError, notFound } from '../../shared/errors.ts';
import { deleteChallengesOf } from './factor-rows.ts';
import { removeFactors, removePasskeysOf } from './factors.ts';
import { listAdmins } from './rows.ts';
import type { Actor, StillMay } from './scope.ts';
import type { Signed } from './session.ts';
import { noteSignOut } from './devices.ts';
import { deleteSessionsBut } from './session-rows.ts';
import { limitTokensOf, revokeTokensOf } from './tokens.ts';
import { findUser } from './users.ts';

/** Returns a user's row as it is in this transaction. Throws AppError `not_found`. */
async function userRow(id: number): Promise<UserRow> {
  const row = await findRow(users, id);
  if (!row) throw notFound();
  return row;
}

/** Throws AppError `conflict` for the last administrator who can sign in. Inside the transaction that changes the user. */
async function refuseLastAdmin({ id }: UserRow): Promise<void> {
  const admins = await listAdmins();
  if (admins.length === 1 && admins[0]?.id === id) throw new AppError('conflict', 'user.last_admin');
}

/** Ends sessions and half-made sign-ins of a user; returns how many sessions. Inside a transaction. */
async function signOutEverywhere(id: number): Promise<number> {
  await deleteChallengesOf(id);
  return deleteSessionsBut(id, null);
}

/**
 * Changes the role of a user, or whether the user can sign in; both end the sessions. Tokens of a former administrator get an end. Throws AppError `not_found`, `conflict`
 * where no administrator who can sign in would be left, and what `still` throws.
 */
export const changeUser = (id: number, { role, active }: UserChange, still?: StillMay): Promise<void> =>
  transaction(async () => {
    await still?.();
    const user = await userRow(id);
    const values = { role: role ?? user.role, active: active ?? Boolean(user.active) };
    if (values.role === user.role && Number(values.active) === user.active) return;
    if (values.role !== 'admin' || !values.active) await refuseLastAdmin(user);
    await updateRow(users, id, values);
    if (values.role !== 'admin') await limitTokensOf(id);
    await signOutEverywhere(id);
  });

/** As `changeUser`, of the user of a login, who is returned. */
export async function changeUserOf(login: string, change: UserChange): Promise<UserView> {
  const user = await findUser(login);
  await changeUser(user.id, change);
  return { ...user, ...change };
}

/** Disables a user from the next request on and ends their sessions. Throws as `changeUser`. */
export const disableUser = (login: string): Promise<UserView> => changeUserOf(login, { active: false });

/** Ends another way into what a user has, which a service below this one keeps. Called inside a transaction. */
export type EndWay = (user: Pick<UserRow, 'id' | 'login'>) => Promise<void>;

async function storePassword(id: number, hash: string, endOthers: readonly EndWay[]): Promise<void> {
  await transaction(async () => {
    const user = await userRow(id);
    await updateRow(users, id, { password: hash });
    await revokeTokensOf(id);
    await removePasskeysOf(user);
    for (const end of endOthers) await end(user);
    await signOutEverywhere(id);
  });
}

/**
 * Sets a password, signs the user out everywhere, revokes the API tokens and removes the passkeys: each of them opens the account alone. A door
 * passes what else does (`endChatOf`, `endFeedOf`). Throws AppError `not_found`.
 */
export async function setPassword(login: string, password: string, ...endOthers: EndWay[]): Promise<UserView> {
  const user = await findUser(login);
  await storePassword(user.id, await hashPassword(password), endOthers);
  return user;
}

/** Throws AppError `conflict` where administrators would do to themselves what asks them for their password elsewhere. */
function refuseOneself(actor: Actor, id: number): void {
  if (actor.id === id) throw new AppError('conflict', 'people.not_oneself');
}

/** As `setPassword`, with a generated one, which is returned. Throws also `conflict` for the actor's own. */
export async function resetPassword(
  { actor, still }: Pick<Signed, 'actor' | 'still'>,
  id: number,
  ...endOthers: EndWay[]
): Promise<string> {
  refuseOneself(actor, id);
  const password = randomCode();
  await storePassword(id, await hashPassword(password), [still, ...endOthers]);
  return password;
}

/** Ends every session of a user; returns how many. Throws AppError `not_found`. */
export const signOutUser = (id: number): Promise<number> =>
  transaction(async () => {
    const user = await userRow(id);
    const ended = await signOutEverywhere(id);
    noteSignOut(user, ended);
    return ended;
  });

/** Removes every second factor of a user and ends the sessions. Throws AppError `not_found`. */
export async function resetSecondFactor(actor: Actor, id: number, still?: StillMay): Promise<void> {
  refuseOneself(actor, id);
  await transaction(async () => {
    await still?.();
    await removeFactors(await userRow(id));
    await signOutEverywhere(id);
  });
}
