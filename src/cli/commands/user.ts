import { Option, type Command } from 'commander';
import type { UserView } from '../../shared/access/users.ts';
import { requireAdmin, type Context } from '../context.ts';
import { columnsOf, type Result } from '../output.ts';
import { parseInput } from '../parse.ts';
import { act } from '../run.ts';
import { readPassword, type SecretFlags } from '../secret.ts';
import type { HelpTexts } from '../texts/ru.ts';

interface CreateFlags extends SecretFlags {
  login: string;
  role: string;
  telegram?: string;
}

const COLUMNS = columnsOf<UserView>({
  id: true,
  login: true,
  role: true,
  telegram: true,
  active: true,
  created_at: true,
});

/** `user create|list|passwd|disable`, for administrators. */
export function define(noun: Command, help: HelpTexts): void {
  const withSecret = (command: Command): Command =>
    command.option('--password-stdin', help.password_stdin).option('--password-file <file>', help.password_file);
  withSecret(noun.command('create').description(help['user create']))
    .requiredOption('--login <login>', help['user.login'])
    .addOption(new Option('--role <role>', help['user.role']).choices(['admin', 'user']).default('user'))
    .option('--telegram <name>', help['user.telegram'])
    .action(act(create));
  noun.command('list').description(help['user list']).action(act(list));
  withSecret(noun.command('passwd').description(help['user passwd']).argument('<login>', help['user.login'])).action(
    act(setPassword),
  );
  noun
    .command('disable')
    .description(help['user disable'])
    .argument('<login>', help['user.login'])
    .action(act(disable));
}

async function users(context: Context) {
  const { actor } = await context.open();
  requireAdmin(actor);
  return import('../../services/access/users.ts');
}

async function create(context: Context, flags: CreateFlags): Promise<Result> {
  const { createUser } = await users(context);
  const { UserInput } = await import('../../shared/access/users.ts');
  const { login, role, telegram } = flags;
  const password = await readPassword(context, flags);
  const input = parseInput(UserInput, { login, role, telegram, password });
  const id = await createUser(input);
  return { data: { id, login: input.login, role: input.role }, text: context.say('users.created', { id }) };
}

async function list(context: Context): Promise<Result> {
  const { listUsers } = await users(context);
  const items = await listUsers();
  return { items, columns: COLUMNS, summary: { total: items.length } };
}

async function setPassword(context: Context, flags: SecretFlags, login: string): Promise<Result> {
  const { findUser, setPassword } = await users(context);
  const { Password } = await import('../../shared/access/users.ts');
  await findUser(login);
  const password = parseInput(Password, await readPassword(context, flags));
  const { id, login: name } = await setPassword(login, password);
  return { data: { id, login: name }, text: context.say('cli.password_set', { login: name }) };
}

async function disable(context: Context, _flags: object, login: string): Promise<Result> {
  const { disableUser } = await users(context);
  const { id, login: name, active } = await disableUser(login);
  return { data: { id, login: name, active }, text: context.say('cli.user_disabled', { login: name }) };
}
