import { Option, type Command } from 'commander';
import { withPointing } from '../pointing.ts';
import { act, later } from '../run.ts';
import type { HelpTexts } from '../texts/ru.ts';

const records = later(() => import('../actions/dns/records.ts'));
const changes = later(() => import('../actions/dns/changes.ts'));

/** `dns list|set|apply`: the records of a domain's zone. */
export function define(noun: Command, help: HelpTexts): void {
  noun
    .command('list')
    .description(help['dns list'])
    .argument('<name>', help['domain.name'])
    .action(act(records('list')));
  withPointing(noun.command('set').description(help['dns set']).argument('<name>', help['domain.name']), help)
    .addOption(new Option('--tls <state>', help['dns.tls']).choices(['on', 'off']))
    .option('--update-ns', help['dns.update_ns'])
    .action(act(changes('set')));
  noun
    .command('apply')
    .description(help['dns apply'])
    .argument('<name>', help['domain.name'])
    .requiredOption('-f, --file <file>', help['dns.file'])
    .option('--override', help['dns.override'])
    .option('--dry-run', help.dry_run)
    .action(act(changes('apply')));
}
