import { createUser, hasNoUsers, listUsers } from '../../services/access/users.ts';
import { UserInput } from '../../shared/access/users.ts';
import { requireHost, usageError, type Context } from '../context.ts';
import type { Result } from '../output.ts';
import { parseInput } from '../parse.ts';
import { canAsk, readPassword } from '../secret.ts';
import { askLine } from '../terminal/prompts.ts';

interface InitFlags {
  adminLogin?: string;
  adminPasswordFile?: string;
  adminPasswordStdin?: boolean;
  passwordStdin?: boolean;
}

/** `init`: creates what is missing. Without users it needs a login, and a password for it. */
export async function initialise(context: Context, flags: InitFlags): Promise<Result> {
  await requireHost(context);
  const { config, migrated } = await context.open();
  const login = await adminLogin(context, flags, await hasNoUsers());
  const known = (await listUsers()).find((user) => user.login.toLowerCase() === login?.toLowerCase());
  const created = login !== undefined && !known ? await createAdmin(context, flags, login) : undefined;
  const outcome = context.say(created ? 'cli.initialised' : 'cli.already_initialised', { dir: config.dataDir });
  return {
    data: {
      data_dir: config.dataDir,
      migrated,
      admin: created ?? known?.login ?? null,
      created: created !== undefined,
    },
    text: `${outcome}\n${context.say('cli.next_steps')}`,
  };
}

/** Returns the login of the flag; without one, prompts for it if there are no users yet. */
async function adminLogin(context: Context, flags: InitFlags, isEmpty: boolean): Promise<string | undefined> {
  if (flags.adminLogin !== undefined || !isEmpty) return flags.adminLogin;
  if (!canAsk(context)) throw usageError('cli.needs_flag', { flag: '--admin-login, --admin-password-file' });
  return (await askLine(context.asked, context.say('cli.ask_login'))).trim() || 'admin';
}

async function createAdmin(context: Context, flags: InitFlags, login: string): Promise<string> {
  const password = await readPassword(context, {
    passwordStdin: flags.passwordStdin ?? flags.adminPasswordStdin ?? false,
    ...(flags.adminPasswordFile === undefined ? {} : { passwordFile: flags.adminPasswordFile }),
  });
  const input = parseInput(UserInput, { login, password, role: 'admin' });
  await createUser(input);
  return input.login;
}
