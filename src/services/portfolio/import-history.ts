import { execute, select, transaction } from '../../../db/index.ts';
import type { ImportRow } from '../../shared/portfolio/tables.ts';
import type { ListOf, Paging } from '../../shared/lists.ts';
import { AppError, notFound } from '../../shared/errors.ts';
import {
  CHANGED_FIELDS,
  UNDO_DAYS,
  type ImportUndo,
  type ImportUndone,
  type ImportView,
} from '../../shared/portfolio/imports.ts';
import { refuseAtWork } from '../operations/moving.ts';
import { bindings, isAdmin, type Actor } from '../access/scope.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

type FoundImport = Omit<ImportView, 'undo_until'>;

const FOUND = `SELECT i.id, u.login AS user_login, i.source, i.created, i.updated, i.created_at, i.undone_at
  FROM imports i JOIN users u ON u.id = i.user_id`;
const own = (actor: Actor): string => (isAdmin(actor) ? '1' : 'i.user_id = $actor');

const undoUntil = (created_at: string): string => new Date(Date.parse(created_at) + UNDO_DAYS * DAY_MS).toISOString();

function toView(row: FoundImport): ImportView {
  const until = undoUntil(row.created_at);
  return { ...row, undo_until: row.undone_at === null && until > new Date().toISOString() ? until : null };
}

/** Returns an import of the caller's. Throws AppError `not_found`. */
export async function findImport(actor: Actor, id: number): Promise<ImportView> {
  const [row] = await select<FoundImport>(`${FOUND} WHERE i.id = $id AND ${own(actor)}`, { id, ...bindings(actor) });
  if (!row) throw notFound();
  return toView(row);
}

/**
 * Returns the caller's imports, newest first, for an administrator everybody's. Without `limit` 1,000 at most, and no
 * `total`.
 */
export async function listImports(actor: Actor, paging: Partial<Paging> = {}): Promise<ListOf<ImportView>> {
  const rows = await select<FoundImport>(
    `${FOUND} WHERE ${own(actor)} ORDER BY i.id DESC LIMIT $limit OFFSET $offset`,
    { ...bindings(actor), limit: paging.limit ?? 1000, offset: paging.offset ?? 0 },
  );
  const data = rows.map(toView);
  if (paging.limit === undefined) return { data };
  const [count] = await select<{ total: number }>(
    `SELECT COUNT(*) AS total FROM imports i WHERE ${own(actor)}`,
    bindings(actor),
  );
  return { data, total: count?.total ?? 0 };
}

const field = (name: string): string => `json_extract(n.value, '$.${name}')`;

// A row that was changed since has another `updated_at` and stays. A project that was deleted is not restored.
const RESTORE = `UPDATE domains SET ${CHANGED_FIELDS.map((name) =>
  name === 'project_id'
    ? `project_id = (SELECT id FROM projects WHERE id = ${field(name)} AND deleted_at IS NULL)`
    : `${name} = ${field(name)}`,
).join(', ')}
  FROM json_each($rows) n WHERE domains.id = ${field('id')} AND domains.updated_at = $at AND domains.deleted_at IS NULL`;

const CHANGED_SINCE = `SELECT COUNT(*) AS count FROM domains d WHERE d.deleted_at IS NULL
  AND (d.import_id = $id OR d.id IN (SELECT ${field('id')} FROM json_each($rows) n))`;

const UNTOUCHED = `SELECT d.domain_name AS name FROM domains d WHERE d.deleted_at IS NULL AND d.updated_at = $at
  AND (d.import_id = $id OR d.id IN (SELECT ${field('id')} FROM json_each($rows) n))`;

/** Deletes the projects that an import created and that are empty. */
async function dropProjects(ids: readonly number[], now: string): Promise<void> {
  if (ids.length === 0) return;
  const made = '(SELECT value FROM json_each($ids))';
  const bind = { ids: JSON.stringify(ids) };
  await execute(
    `UPDATE projects SET deleted_at = $now, deleted_domains = '[]' WHERE id IN ${made} AND deleted_at IS NULL
       AND NOT EXISTS (SELECT 1 FROM domains d WHERE d.project_id = projects.id AND d.deleted_at IS NULL)`,
    { ...bind, now },
  );
  // Their deleted domains would otherwise be restored into a project that nobody sees.
  await execute(
    `UPDATE domains SET project_id = NULL
     WHERE project_id IN (SELECT id FROM projects WHERE id IN ${made} AND deleted_at IS NOT NULL)`,
    bind,
  );
}

/**
 * Undoes an import within 30 days: deletes what it created, restores what it changed. Rows that were changed since stay
 * and are counted. Throws AppError `not_found`; `conflict` for an import that is undone already or too old; `conflict`
 * or `busy` while a domain of it is being worked on.
 */
export async function undoImport(actor: Actor, id: number): Promise<ImportUndone> {
  return transaction(async () => {
    const { undone_at, undo_until, created_at: at } = await findImport(actor, id);
    if (undone_at !== null) throw new AppError('conflict', 'import.undone');
    if (undo_until === null) throw new AppError('conflict', 'import.undo_late', { days: UNDO_DAYS });
    const [row] = await select<Pick<ImportRow, 'before'>>('SELECT before FROM imports WHERE id = $id', { id });
    const before = JSON.parse(row?.before ?? '{"domains":[],"projects":[]}') as ImportUndo;
    const rows = JSON.stringify(before.domains);
    const now = new Date().toISOString();
    await refuseAtWork((await select<{ name: string }>(UNTOUCHED, { id, rows, at })).map(({ name }) => name));
    const restored = await execute(RESTORE, { rows, at });
    const deleted = await execute(
      'UPDATE domains SET deleted_at = $now WHERE import_id = $id AND updated_at = $at AND deleted_at IS NULL',
      { id, at, now },
    );
    const [left] = await select<{ count: number }>(CHANGED_SINCE, { id, rows });
    await dropProjects(before.projects, now);
    await execute('UPDATE imports SET undone_at = $now WHERE id = $id', { id, now });
    return { deleted, restored, kept: (left?.count ?? 0) - restored };
  });
}
