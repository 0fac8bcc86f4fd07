import { Argument, Option, type Command } from 'commander';
import { act, later } from '../run.ts';
import type { HelpTexts } from '../texts/ru.ts';

const listing = later(() => import('../actions/user/list.ts'));
const passwords = later(() => import('../actions/user/passwords.ts'));

/** `user create|list|passwd|disable|enable|role|reset-second-factor`, for administrators. */
export function define(noun: Command, help: HelpTexts): void {
  const withSecret = (command: Command): Command =>
    command.option('--password-stdin', help.password_stdin).option('--password-file <file>', help.password_file);
  withSecret(noun.command('create').description(help['user create']))
    .requiredOption('--login <login>', help['user.login'])
    .addOption(new Option('--role <role>', help['user.role']).choices(['admin', 'user']).default('user'))
    .option('--telegram <name>', help['user.telegram'])
    .action(act(passwords('create')));
  noun
    .command('list')
    .description(help['user list'])
    .action(act(listing('list')));
  withSecret(noun.command('passwd').description(help['user passwd']).argument('<login>', help['user.login'])).action(
    act(passwords('passwd')),
  );
  noun
    .command('disable')
    .description(help['user disable'])
    .argument('<login>', help['user.login'])
    .action(act(listing('disable')));
  noun
    .command('enable')
    .description(help['user enable'])
    .argument('<login>', help['user.login'])
    .action(act(listing('enable')));
  noun
    .command('role')
    .description(help['user role'])
    .argument('<login>', help['user.login'])
    .addArgument(new Argument('<role>', help['user.role']).choices(['admin', 'user']))
    .action(act(listing('setRole')));
  noun
    .command('reset-second-factor')
    .description(help['user reset-second-factor'])
    .argument('<login>', help['user.login'])
    .action(act(listing('resetFactor')));
}
