import type { Command } from 'commander';
import type { ProjectView } from '../../shared/portfolio/projects.ts';
import type { Context } from '../context.ts';
import { columnsOf, type Result } from '../output.ts';
import { parseInput } from '../parse.ts';
import { act } from '../run.ts';
import type { HelpTexts } from '../texts/ru.ts';

const COLUMNS = columnsOf<ProjectView>({
  id: true,
  name: true,
  user_login: true,
  main_count: true,
  transfer_count: true,
  blocked_count: true,
  broken_count: true,
  last_reserve: false,
  created_at: false,
});

/** `project list|create|rename|remove`. A project is named by its name or its id. */
export function define(noun: Command, help: HelpTexts): void {
  noun.command('list').description(help['project list']).action(act(list));
  noun
    .command('create')
    .description(help['project create'])
    .argument('<name>', help['project.name'])
    .action(act(create));
  noun
    .command('rename')
    .description(help['project rename'])
    .argument('<project>', help['project.which'])
    .argument('<name>', help['project.new_name'])
    .action(act(rename));
  noun
    .command('remove')
    .description(help['project remove'])
    .argument('<project>', help['project.which'])
    .action(act(remove));
}

async function list(context: Context): Promise<Result> {
  const { actor } = await context.open();
  const { listProjects } = await import('../../services/portfolio/projects.ts');
  const items = await listProjects(actor);
  return { items, columns: COLUMNS, summary: { total: items.length } };
}

async function create(context: Context, _flags: object, name: string): Promise<Result> {
  const { actor } = await context.open();
  const [{ createProject }, { ProjectInput }] = await Promise.all([
    import('../../services/portfolio/projects.ts'),
    import('../../shared/portfolio/projects.ts'),
  ]);
  const project = await createProject(actor, parseInput(ProjectInput, { name }));
  return { data: project, text: context.say('cli.project_created', project) };
}

async function rename(context: Context, _flags: object, which: string, name: string): Promise<Result> {
  const { actor } = await context.open();
  const [{ projectNamed, updateProject }, { ProjectInput }] = await Promise.all([
    import('../../services/portfolio/projects.ts'),
    import('../../shared/portfolio/projects.ts'),
  ]);
  const input = parseInput(ProjectInput, { name });
  const { id } = await projectNamed(actor, which);
  const project = await updateProject(actor, id, input);
  return { data: project, text: context.say('cli.project_renamed', project) };
}

/** No confirmation: the domains stay, and the project can be restored for 30 days. */
async function remove(context: Context, _flags: object, which: string): Promise<Result> {
  const { actor } = await context.open();
  const { deleteProject, projectNamed } = await import('../../services/portfolio/projects.ts');
  const { id, name } = await projectNamed(actor, which);
  const domains = await deleteProject(actor, id);
  return { data: { id, name, domains }, text: context.say('cli.project_removed', { name, domains }) };
}
