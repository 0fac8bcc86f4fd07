import { Argument, type Command } from 'commander';
import { act, later } from '../run.ts';
import type { HelpTexts } from '../texts/ru.ts';

const protect = later(() => import('../actions/protect.ts'));

/** `protect under-attack enable|disable`, `protect tls on|off`: for names, a project, or all domains. */
export function define(noun: Command, help: HelpTexts): void {
  const command = (name: 'under-attack' | 'tls', what: Argument): Command =>
    noun
      .command(name)
      .description(help[`protect ${name}`])
      .addArgument(what)
      .argument('[names...]', help.names)
      .option('-f, --file <file>', help.file)
      .option('--all', help.all)
      .option('-p, --project <name>', help.of_project)
      .option('--dry-run', help.dry_run);
  command('under-attack', new Argument('<action>', help['protect.action']).choices(['enable', 'disable'])).action(
    act(protect('underAttack')),
  );
  command('tls', new Argument('<state>', help['protect.state']).choices(['on', 'off'])).action(act(protect('tls')));
}
