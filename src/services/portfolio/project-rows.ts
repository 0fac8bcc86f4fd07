import { execute, select } from '../../../db/index.ts';
import { isSpelled, spellingOf } from '../../../db/sql.ts';
import { byName } from '../../shared/lists.ts';
import type { DomainFilter } from '../../shared/portfolio/domains.ts';
import type { ProjectView } from '../../shared/portfolio/projects.ts';
import type { DomainRow, ProjectRow } from '../../shared/portfolio/tables.ts';
import { bindings, OWN, VISIBLE, type Actor } from '../access/scope.ts';
import { filters } from './filters.ts';

const count = (condition: string): string => `COUNT(d.id) FILTER (WHERE ${condition})`;
const filtered = (filter: DomainFilter): string => count(filters()[filter]);

/** Returns the projects that an actor may see, or one of them, by name, with the numbers of their domains and keywords. */
export async function listProjectViews(actor: Actor, id: number | null = null): Promise<ProjectView[]> {
  const rows = await select<ProjectView>(
    `SELECT p.id, p.name, u.login AS user_login, p.last_reserve, p.created_at,
       ${count("d.type = 'main'")} AS main_count, ${count("d.type = 'transfer'")} AS transfer_count,
       ${filtered('blocked')} AS blocked_count, ${filtered('broken')} AS broken_count,
       (SELECT COUNT(*) FROM keywords k WHERE k.project_id = p.id) AS keyword_count
     FROM projects p
     LEFT JOIN users u ON u.id = p.user_id
     LEFT JOIN domains d ON d.project_id = p.id AND d.deleted_at IS NULL
     WHERE ${VISIBLE.projects(actor)} ${id === null ? '' : 'AND p.id = $id'}
     GROUP BY p.id, u.login`,
    { ...bindings(actor), ...(id !== null && { id }) },
  );
  return rows.toSorted(byName);
}

/** A project by its id, name and owner. */
export type ProjectName = Pick<ProjectRow, 'id' | 'user_id' | 'name'>;

/** Returns the names of the projects that an actor may see, by id. */
export const listProjectNames = (actor: Actor): Promise<ProjectName[]> =>
  select(
    `SELECT p.id, p.user_id, p.name FROM projects p WHERE ${VISIBLE.projects(actor)} ORDER BY p.id`,
    bindings(actor),
  );

/** Returns a project that an actor may see; undefined: there is none. */
export async function findProjectRow(actor: Actor, id: number): Promise<ProjectRow | undefined> {
  const [row] = await select<ProjectRow>(`SELECT p.* FROM projects p WHERE p.id = $id AND ${VISIBLE.projects(actor)}`, {
    id,
    ...bindings(actor),
  });
  return row;
}

/** Returns the projects that an actor may see with an id, which comes first, or with a name, whatever its case; names are not unique. */
export const listProjectsNamed = (actor: Actor, name: string, id: number | null): Promise<ProjectRow[]> =>
  select(
    `SELECT p.* FROM projects p WHERE (${isSpelled('p.name', '$name')} OR p.id = $id) AND ${VISIBLE.projects(actor)}
     ORDER BY CASE WHEN p.id = $id THEN 0 ELSE 1 END, p.id`,
    { name: spellingOf(name), id, ...bindings(actor) },
  );

/** Returns a deleted project of an actor's; undefined: there is none. */
export async function findDeletedProject(actor: Actor, id: number): Promise<ProjectRow | undefined> {
  const [row] = await select<ProjectRow>(
    `SELECT p.* FROM projects p WHERE p.id = $id AND p.deleted_at IS NOT NULL AND ${OWN.projects(actor)}`,
    { id, ...bindings(actor) },
  );
  return row;
}

/** Returns the domains of a project, deleted ones as well. */
export const listDomainsOf = (project_id: number): Promise<Pick<DomainRow, 'id' | 'domain_name' | 'deleted_at'>[]> =>
  select('SELECT id, domain_name, deleted_at FROM domains WHERE project_id = $project_id', { project_id });

/** Takes the domains out of a project and gives them to its owner. */
export async function releaseDomains(project_id: number, now: string): Promise<void> {
  await execute(
    `UPDATE domains SET project_id = NULL, user_id = (SELECT user_id FROM projects WHERE id = $project_id), updated_at = $now
     WHERE project_id = $project_id`,
    { project_id, now },
  );
}

/** Puts those of the domains into a project that are in none and belong to `owner`, and returns their ids; `ids` is JSON. */
export async function takeDomains(project_id: number, owner: number, ids: string, now: string): Promise<number[]> {
  const taken = await select<{ id: number }>(
    `UPDATE domains SET project_id = $project_id, updated_at = $now
     WHERE project_id IS NULL AND user_id = $owner AND id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids)) RETURNING id`,
    { project_id, owner, ids, now },
  );
  return taken.map(({ id }) => id);
}

/** Inserts projects of an owner's and returns their ids. */
export const insertProjects = async (owner: number, names: readonly string[], now: string): Promise<number[]> =>
  (
    await select<{ id: number }>(
      `INSERT INTO projects (user_id, name, created_at) SELECT $owner, value, $now FROM json_each($names) RETURNING id`,
      { owner, now, names: JSON.stringify(names) },
    )
  ).map(({ id }) => id);

const LISTED = 'IN (SELECT CAST(value AS INTEGER) FROM json_each($ids))';

/** Deletes those of the projects that have no domain, and takes deleted domains out of them: nobody would see them again. */
export async function deleteEmptyProjects(ids: readonly number[], now: string): Promise<void> {
  const bind = { ids: JSON.stringify(ids) };
  await execute(
    `UPDATE projects SET deleted_at = $now, deleted_domains = '[]' WHERE id ${LISTED} AND deleted_at IS NULL
       AND NOT EXISTS (SELECT 1 FROM domains d WHERE d.project_id = projects.id AND d.deleted_at IS NULL)`,
    { ...bind, now },
  );
  await execute(
    `UPDATE domains SET project_id = NULL
     WHERE project_id IN (SELECT id FROM projects WHERE id ${LISTED} AND deleted_at IS NOT NULL)`,
    bind,
  );
}
