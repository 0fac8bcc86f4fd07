import { note } from '../../../db/audit.ts';
import { transaction } from '../../../db/index.ts';
import { insertRow, updateRow } from '../../../db/rows.ts';
import { projects, type ProjectRow } from '../../shared/portfolio/tables.ts';
import { AppError, notFound, unknownReference, noSuch } from '../../shared/errors.ts';
import { refuseStale, type Was } from '../../shared/stale.ts';
import type { ProjectChange, ProjectInput, ProjectView } from '../../shared/portfolio/projects.ts';
import {
  findDeletedProject,
  findProjectRow,
  listDomainsOf,
  listProjectsNamed,
  listProjectViews,
  releaseDomains,
  takeDomains,
} from './project-rows.ts';
import { refuseMoving } from '../operations/moving.ts';
import type { Actor } from '../access/scope.ts';
import { defaultOwner } from '../access/users.ts';

/** Returns the caller's projects, by name, with the numbers of their domains and keywords. */
export const listProjects = (actor: Actor): Promise<ProjectView[]> => listProjectViews(actor);

/** Returns a project of the caller's with its numbers, by its id or its name, whatever its case. Throws AppError `not_found`. */
export async function findProjectView(actor: Actor, ref: string): Promise<ProjectView> {
  // No name has control characters, and PostgreSQL refuses one of them in any text.
  if (/\p{Cc}/u.test(ref)) throw notFound();
  const [row] = await listProjectsNamed(actor, ref, /^[1-9]\d{0,14}$/.test(ref) ? Number(ref) : null);
  const [view] = row ? await listProjectViews(actor, row.id) : [];
  if (!view) throw notFound();
  return view;
}

/** Returns a project of the caller's. Throws AppError `not_found`. */
export async function findProject(actor: Actor, id: number): Promise<ProjectRow> {
  const row = await findProjectRow(actor, id);
  if (!row) throw notFound();
  return row;
}

/**
 * Returns a project that a body or an option names by id. Throws AppError `refused` alike for an unknown project and
 * for another user's.
 */
export async function refersToProject(actor: Actor, id: number, field = 'project_id'): Promise<ProjectRow> {
  try {
    return await findProject(actor, id);
  } catch (error) {
    throw error instanceof AppError && error.kind === 'not_found' ? unknownReference(field) : error;
  }
}

/** Returns a project by id or by name, as the command line takes it. Throws AppError `not_found`, and `refused` where several have the name. */
export async function projectNamed(actor: Actor, text: string): Promise<ProjectRow> {
  const id = /^\d{1,15}$/.test(text) ? Number(text) : null;
  const rows = await listProjectsNamed(actor, text, id);
  const [row] = rows;
  if (!row) throw noSuch('project', text);
  if (rows.length > 1 && row.id !== id) {
    throw new AppError('refused', 'team.many', { name: text, ids: rows.map((one) => one.id).join(', ') });
  }
  return row;
}

/** Creates a project of the caller's. */
export async function createProject(actor: Actor, { name }: ProjectInput): Promise<{ id: number; name: string }> {
  const user_id = await defaultOwner(actor);
  const created_at = new Date().toISOString();
  const id = await transaction(() => insertRow(projects, { user_id, name, created_at, last_reserve: 'off' }));
  return { id, name };
}

/**
 * Sets a project's name, and whether automatic transfer may use its last reserve; what is absent stays. Throws AppError `not_found`, and
 * as `refuseStale`.
 */
export async function updateProject(
  actor: Actor,
  id: number,
  { name, last_reserve, was }: ProjectChange & { was?: Was },
): Promise<Pick<ProjectRow, 'id' | 'name' | 'last_reserve'>> {
  return transaction(async () => {
    const before = await findProject(actor, id);
    refuseStale(was, { name: before.name, last_reserve: before.last_reserve }, { name, last_reserve });
    const after = { name: name ?? before.name, last_reserve: last_reserve ?? before.last_reserve };
    await updateRow(projects, id, after);
    return { id, ...after };
  });
}

/**
 * Deletes a project; its domains stay, without a project. The row stays for 30 days and remembers them, so that
 * `restoreProject` gives them back. Returns how many domains it had. Throws AppError `not_found`, and `conflict` while
 * one of them is being moved.
 */
export async function deleteProject(actor: Actor, id: number): Promise<number> {
  return transaction(async () => {
    await findProject(actor, id);
    const now = new Date().toISOString();
    const rows = await listDomainsOf(id);
    await refuseMoving(rows.map(({ domain_name }) => domain_name));
    await updateRow(projects, id, { deleted_at: now, deleted_domains: JSON.stringify(rows.map((row) => row.id)) });
    // A domain without a project belongs to its own user: these stay with the project's owner.
    await releaseDomains(id, now);
    if (rows.length > 0) {
      const ids = rows.map((row) => row.id);
      note({ action: 'update', object: 'domains', ids, before: { project_id: id }, after: { project_id: null } });
    }
    return rows.filter(({ deleted_at }) => deleted_at === null).length;
  });
}

/**
 * Undoes `deleteProject`, with those of its domains that have got no other project or owner since. Throws AppError
 * `not_found`.
 */
export async function restoreProject(actor: Actor, id: number): Promise<{ id: number; name: string }> {
  return transaction(async () => {
    const row = await findDeletedProject(actor, id);
    if (!row) throw notFound();
    await updateRow(projects, id, { deleted_at: null, deleted_domains: null });
    const ids = await takeDomains(id, row.user_id, row.deleted_domains ?? '[]', new Date().toISOString());
    if (ids.length > 0) {
      note({ action: 'update', object: 'domains', ids, before: { project_id: null }, after: { project_id: id } });
    }
    return { id, name: row.name };
  });
}
