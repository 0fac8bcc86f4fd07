import type { Command } from 'commander';
import { act, later } from '../run.ts';
import type { HelpTexts } from '../texts/ru.ts';

const template = later(() => import('../actions/template.ts'));

/** `template list|add|edit|remove|scan|download`: the ZIP templates of sites. */
export function define(noun: Command, help: HelpTexts): void {
  const which = (verb: 'edit' | 'remove' | 'download'): Command =>
    noun.command(verb).description(help[`template ${verb}`]).argument('<template>', help['team.which']);
  noun
    .command('list')
    .description(help['template list'])
    .action(act(template('list')));
  noun
    .command('add')
    .description(help['template add'])
    .argument('[file]', help['template.file'])
    .option('--name <name>', help['template.name'])
    .option('-f, --file <file>', help['template.file'])
    .option('--dry-run', help.dry_run)
    .action(act(template('add')));
  which('edit')
    .option('--name <name>', help['team.new_name'])
    .option('-f, --file <file>', help['template.file'])
    .option('--dry-run', help.dry_run)
    .action(act(template('edit')));
  which('remove')
    .option('--dry-run', help.dry_run)
    .action(act(template('remove')));
  noun
    .command('scan')
    .description(help['template scan'])
    .argument('<template>', help['template.scanned'])
    .action(act(template('scan')));
  which('download')
    .option('-o, --output <file>', help['template.output'])
    .action(act(template('download')));
}
