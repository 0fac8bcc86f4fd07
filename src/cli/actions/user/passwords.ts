import { setPassword } from '../../../services/access/user-changes.ts';
import { endChatOf } from '../../../services/notices/telegram-link.ts';
import { endFeedOf } from '../../../services/portfolio/expiry-feeds.ts';
import { createUser, findUser } from '../../../services/access/users.ts';
import { Password, UserInput } from '../../../shared/access/users.ts';
import { requireAdmin, type Context } from '../../context.ts';
import type { Result } from '../../output.ts';
import { parseInput } from '../../parse.ts';
import { readPassword, type SecretFlags } from '../../secret.ts';

interface CreateFlags extends SecretFlags {
  login: string;
  role: string;
  telegram?: string;
}

/** `user create`. */
export async function create(context: Context, flags: CreateFlags): Promise<Result> {
  requireAdmin((await context.open()).actor);
  const { login, role, telegram } = flags;
  const password = await readPassword(context, flags);
  const input = parseInput(UserInput, { login, role, telegram, password });
  const id = await createUser(input);
  return { data: { id, login: input.login, role: input.role }, text: context.say('users.created', { id }) };
}

/** `user passwd`: sets a password, which ends the sessions of the user. */
export async function passwd(context: Context, flags: SecretFlags, login: string): Promise<Result> {
  requireAdmin((await context.open()).actor);
  await findUser(login);
  const password = parseInput(Password, await readPassword(context, flags));
  const { id, login: name } = await setPassword(login, password, endChatOf, endFeedOf);
  return { data: { id, login: name }, text: context.say('cli.password_set', { login: name }) };
}
