import { execute, select, transaction } from '../../../db/index.ts';
import type { ProjectRow } from '../../shared/portfolio/tables.ts';
import { insertRow } from '../../../db/rows.ts';
import { projects } from '../../shared/portfolio/tables.ts';
import type { DomainFilter } from '../../shared/portfolio/domains.ts';
import { AppError, notFound, unknownReference, noSuch } from '../../shared/errors.ts';
import type { ProjectChange, ProjectInput, ProjectView } from '../../shared/portfolio/projects.ts';
import { filters } from './filters.ts';
import { refuseMoving } from '../operations/moving.ts';
import { bindings, VISIBLE, type Actor } from '../access/scope.ts';
import { defaultOwner } from '../access/users.ts';

const count = (condition: string): string => `COUNT(d.id) FILTER (WHERE ${condition})`;
const filtered = (filter: DomainFilter): string => count(filters()[filter]);

/** Returns the caller's projects, by name, with the numbers of their domains. */
export async function listProjects(actor: Actor): Promise<ProjectView[]> {
  return select<ProjectView>(
    `SELECT p.id, p.name, u.login AS user_login, p.last_reserve, p.created_at,
       ${count("d.type = 'main'")} AS main_count, ${count("d.type = 'transfer'")} AS transfer_count,
       ${filtered('blocked')} AS blocked_count, ${filtered('broken')} AS broken_count
     FROM projects p
     LEFT JOIN users u ON u.id = p.user_id
     LEFT JOIN domains d ON d.project_id = p.id AND d.deleted_at IS NULL
     WHERE ${VISIBLE.projects(actor)}
     GROUP BY p.id ORDER BY p.name COLLATE NOCASE, p.id`,
    bindings(actor),
  );
}

/** Returns a project of the caller's. Throws AppError `not_found`. */
export async function findProject(actor: Actor, id: number): Promise<ProjectRow> {
  const [row] = await select<ProjectRow>(`SELECT p.* FROM projects p WHERE p.id = $id AND ${VISIBLE.projects(actor)}`, {
    id,
    ...bindings(actor),
  });
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

/** Returns a project by id or by name, as the command line takes it. Throws AppError `not_found`. */
export async function projectNamed(actor: Actor, text: string): Promise<ProjectRow> {
  const [row] = await select<ProjectRow>(
    `SELECT p.* FROM projects p WHERE (p.name = $text COLLATE NOCASE OR p.id = $text) AND ${VISIBLE.projects(actor)} ORDER BY p.id = $text DESC LIMIT 1`,
    { text, ...bindings(actor) },
  );
  if (!row) throw noSuch('project', text);
  return row;
}

/** Creates a project of the caller's. */
export async function createProject(actor: Actor, { name }: ProjectInput): Promise<{ id: number; name: string }> {
  const user_id = await defaultOwner(actor);
  const created_at = new Date().toISOString();
  const id = await transaction(() => insertRow(projects, { user_id, name, created_at, last_reserve: 'off' }));
  return { id, name };
}

/** Sets a project's name, and whether automatic transfer may use its last reserve. Throws AppError `not_found`. */
export async function updateProject(
  actor: Actor,
  id: number,
  { name, last_reserve }: ProjectChange,
): Promise<Pick<ProjectRow, 'id' | 'name' | 'last_reserve'>> {
  return transaction(async () => {
    const before = await findProject(actor, id);
    const after = { id, name, last_reserve: last_reserve ?? before.last_reserve };
    await execute('UPDATE projects SET name = $name, last_reserve = $last_reserve WHERE id = $id', after);
    return after;
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
    const rows = await select<{ id: number; domain_name: string; deleted_at: string | null }>(
      'SELECT id, domain_name, deleted_at FROM domains WHERE project_id = $id',
      { id },
    );
    await refuseMoving(rows.map(({ domain_name }) => domain_name));
    await execute('UPDATE projects SET deleted_at = $now, deleted_domains = $ids WHERE id = $id', {
      id,
      now,
      ids: JSON.stringify(rows.map((row) => row.id)),
    });
    // A domain without a project belongs to its own user: these stay with the project's owner.
    await execute(
      `UPDATE domains SET project_id = NULL, user_id = (SELECT user_id FROM projects WHERE id = $id), updated_at = $now
       WHERE project_id = $id`,
      { id, now },
    );
    return rows.filter(({ deleted_at }) => deleted_at === null).length;
  });
}

/**
 * Undoes `deleteProject`, with those of its domains that have got no other project or owner since. Throws AppError
 * `not_found`.
 */
export async function restoreProject(actor: Actor, id: number): Promise<{ id: number; name: string }> {
  return transaction(async () => {
    const [row] = await select<ProjectRow>(
      `SELECT p.* FROM projects p WHERE p.id = $id AND p.deleted_at IS NOT NULL${actor.role === 'admin' ? '' : ' AND p.user_id = $actor'}`,
      { id, ...bindings(actor) },
    );
    if (!row) throw notFound();
    await execute('UPDATE projects SET deleted_at = NULL, deleted_domains = NULL WHERE id = $id', { id });
    await execute(
      `UPDATE domains SET project_id = $id, updated_at = $now
       WHERE project_id IS NULL AND user_id = $owner AND id IN (SELECT value FROM json_each($ids))`,
      { id, owner: row.user_id, ids: row.deleted_domains ?? '[]', now: new Date().toISOString() },
    );
    return { id, name: row.name };
  });
}
