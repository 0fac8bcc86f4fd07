import { Option, type Command } from 'commander';
import { act, later } from '../../run.ts';
import type { HelpTexts } from '../../texts/ru.ts';

const init = later(() => import('../../actions/init.ts'));

/** `init`: creates the data directory, key, database and first administrator. Idempotent. */
export function define(noun: Command, help: HelpTexts): void {
  noun
    .option('--admin-login <login>', help['init.login'])
    .option('--admin-password-file <file>', help.password_file)
    .option('--password-stdin', help.password_stdin)
    .addOption(new Option('--admin-password-stdin').hideHelp())
    .action(act(init('initialise')));
}
