import { Option, type Command } from 'commander';
import { fieldsOf, secretFieldOf, type Field } from '../../shared/accounts/kind.ts';
import { kindOf, type Kind } from '../../shared/accounts/kinds.ts';
import { act, later, type Work } from '../run.ts';
import type { HelpTexts } from '../texts/ru.ts';

const account = later(() => import('../actions/account.ts'));

/** Returns the text of a kind's help under its own word, or the one for all kinds. */
const helpOf =
  (noun: string, help: HelpTexts) =>
  (name: string): string => {
    const texts: Readonly<Record<string, string | undefined>> = help;
    return texts[`${noun}${name}`] ?? texts[`account${name}`] ?? '';
  };

/** Returns the word for an account of a kind in a usage line: the last of its table's name, in the singular. */
const wordOf = ({ table }: Kind): string => table.name.replace(/^.*_/, '').replace(/s$/, '');

const SECRETS = {
  key: ['--key-stdin', '--key-file <file>', 'key_stdin', 'key_file'],
  password: ['--password-stdin', '--password-file <file>', 'password_stdin', 'password_file'],
  token: ['--token-stdin', '--token-file <file>', 'token_stdin', 'token_file'],
} as const;

const optionOf = ({ flag }: Field): string => `--${flag} <${flag.replace(/^.*-/, '')}>`;

/** `<kind> list|add|edit|remove|test`. An account is named by its name or its id; its secret is never shown. */
export function define(noun: Command, help: HelpTexts): void {
  const kind: Kind = kindOf(noun.name());
  const text = helpOf(kind.noun, help);
  const word = wordOf(kind);
  const run = (name: Parameters<typeof account>[0]): Work => {
    const work = account(name);
    return (context, flags, ...args) => work(context, { kind, flags } as never, ...args);
  };
  const secret = kind.fields[secretFieldOf(kind) as never] as Field;
  const [stdin, file, stdinHelp, fileHelp] = SECRETS[secret.flag as keyof typeof SECRETS];
  const withFields = (command: Command, isNew: boolean): Command => {
    command.option(stdin, help[stdinHelp]).option(file, help[fileHelp]);
    if (secret.flag === 'key') {
      // Other names of the same, which the help does not repeat.
      for (const flags of SECRETS.token.slice(0, 2)) command.addOption(new Option(flags).hideHelp());
    }
    if (!isNew) command.option('--name <name>', help['team.new_name']);
    for (const [, field] of fieldsOf(kind)) {
      const about = text(`.${field.flag.replaceAll('-', '_')}`);
      if (field.kind === 'secret') continue;
      if (isNew && field.empty !== undefined) command.requiredOption(optionOf(field), about);
      else command.option(optionOf(field), about);
    }
    return command.option('--dry-run', help.dry_run);
  };
  noun
    .command('list')
    .description(text(' list'))
    .action(act(run('list')));
  withFields(noun.command('add').description(text(' add')).argument('<name>', help['team.name']), true).action(
    act(run('add')),
  );
  withFields(noun.command('edit').description(text(' edit')).argument(`<${word}>`, help['team.which']), false).action(
    act(run('edit')),
  );
  noun
    .command('remove')
    .description(text(' remove'))
    .argument(`<${word}>`, help['team.which'])
    .option('--dry-run', help.dry_run)
    .action(act(run('remove')));
  noun
    .command('test')
    .description(text(' test'))
    .argument(`[${word}s...]`, help['team.which'])
    .option('--all', text('.all'))
    .action(act(run('test')));
}
