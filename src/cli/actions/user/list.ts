import { changeUserOf, disableUser, resetSecondFactor } from '../../../services/access/user-changes.ts';
import { findUser, listUsers } from '../../../services/access/users.ts';
import type { Role, UserListed } from '../../../shared/access/users.ts';
import { requireAdmin, type Context } from '../../context.ts';
import { columnsOf, type Result } from '../../output.ts';

const COLUMNS = columnsOf<UserListed>({
  id: true,
  login: true,
  role: true,
  telegram: true,
  active: true,
  created_at: true,
  second_factor: true,
  last_seen_at: true,
});

/** `user list`. */
export async function list(context: Context): Promise<Result> {
  requireAdmin((await context.open()).actor);
  const items = await listUsers();
  return { items, columns: COLUMNS, summary: { total: items.length } };
}

/** `user disable`: the user can no longer sign in. */
export async function disable(context: Context, _flags: object, login: string): Promise<Result> {
  requireAdmin((await context.open()).actor);
  const { id, login: name, active } = await disableUser(login);
  return { data: { id, login: name, active }, text: context.say('cli.user_disabled', { login: name }) };
}

/** `user enable`: the user can sign in again. */
export async function enable(context: Context, _flags: object, login: string): Promise<Result> {
  requireAdmin((await context.open()).actor);
  const { id, login: name, active } = await changeUserOf(login, { active: true });
  return { data: { id, login: name, active }, text: context.say('cli.user_enabled', { login: name }) };
}

/** `user role`: another role ends the sessions. */
export async function setRole(context: Context, _flags: object, login: string, role: Role): Promise<Result> {
  requireAdmin((await context.open()).actor);
  const { id, login: name } = await changeUserOf(login, { role });
  return { data: { id, login: name, role }, text: context.say('cli.user_role', { login: name, role }) };
}

/** `user reset-second-factor`: the password alone signs the user in. */
export async function resetFactor(context: Context, _flags: object, login: string): Promise<Result> {
  const { actor } = await context.open();
  requireAdmin(actor);
  const { id, login: name } = await findUser(login);
  await resetSecondFactor(actor, id);
  return { data: { id, login: name }, text: context.say('factor.removed') };
}
