import type { Command } from 'commander';
import { act, later } from '../run.ts';
import type { HelpTexts } from '../texts/ru.ts';

const project = later(() => import('../actions/project.ts'));

/** `project list|create|rename|remove`. A project is named by its name or its id. */
export function define(noun: Command, help: HelpTexts): void {
  noun
    .command('list')
    .description(help['project list'])
    .action(act(project('list')));
  noun
    .command('create')
    .description(help['project create'])
    .argument('<name>', help['project.name'])
    .action(act(project('create')));
  noun
    .command('rename')
    .description(help['project rename'])
    .argument('<project>', help['project.which'])
    .argument('<name>', help['project.new_name'])
    .action(act(project('rename')));
  noun
    .command('remove')
    .description(help['project remove'])
    .argument('<project>', help['project.which'])
    .action(act(project('remove')));
}
