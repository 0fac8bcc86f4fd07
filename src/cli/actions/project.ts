import {
  createProject,
  deleteProject,
  listProjects,
  projectNamed,
  updateProject,
} from '../../services/portfolio/projects.ts';
import { ProjectInput, type ProjectView } from '../../shared/portfolio/projects.ts';
import type { Context } from '../context.ts';
import { columnsOf, type Result } from '../output.ts';
import { parseInput } from '../parse.ts';

const COLUMNS = columnsOf<ProjectView>({
  id: true,
  name: true,
  user_login: true,
  main_count: true,
  transfer_count: true,
  blocked_count: true,
  broken_count: true,
  keyword_count: false,
  last_reserve: false,
  created_at: false,
});

/** `project list`. */
export async function list(context: Context): Promise<Result> {
  const { actor } = await context.open();
  const items = await listProjects(actor);
  return { items, columns: COLUMNS, summary: { total: items.length } };
}

/** `project create`. */
export async function create(context: Context, _flags: object, name: string): Promise<Result> {
  const { actor } = await context.open();
  const project = await createProject(actor, parseInput(ProjectInput, { name }));
  return { data: project, text: context.say('cli.project_created', project) };
}

/** `project rename`. */
export async function rename(context: Context, _flags: object, which: string, name: string): Promise<Result> {
  const { actor } = await context.open();
  const input = parseInput(ProjectInput, { name });
  const { id } = await projectNamed(actor, which);
  const project = await updateProject(actor, id, input);
  return { data: project, text: context.say('cli.project_renamed', project) };
}

/** `project remove`. No confirmation: the domains stay, and the project can be restored for 30 days. */
export async function remove(context: Context, _flags: object, which: string): Promise<Result> {
  const { actor } = await context.open();
  const { id, name } = await projectNamed(actor, which);
  const domains = await deleteProject(actor, id);
  return { data: { id, name, domains }, text: context.say('cli.project_removed', { name, domains }) };
}
