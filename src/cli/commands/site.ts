import type { Command } from 'commander';
import { act, later } from '../run.ts';
import type { HelpTexts } from '../texts/ru.ts';

const deploying = later(() => import('../actions/site/deploy.ts'));
const showing = later(() => import('../actions/site/show.ts'));

/** `site deploy|show`: the sites of domains on their servers. */
export function define(noun: Command, help: HelpTexts): void {
  noun
    .command('deploy')
    .description(help['site deploy'])
    .argument('<name>', help['domain.name'])
    .option('--template <template>', help['site.template'])
    .option('--html <file>', help['site.html'])
    .option('--dry-run', help.dry_run)
    .action(act(deploying('deploy')));
  noun
    .command('show')
    .description(help['site show'])
    .argument('<name>', help['domain.name'])
    .action(act(showing('show')));
}
