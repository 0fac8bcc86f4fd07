import { listChosenIds } from './bulk-rows.ts';
import { isTaken, refusedFolders } from './folders.ts';
import { note } from '../../../db/audit.ts';
import { transaction } from '../../../db/index.ts';
import { findRow, updateRow } from '../../../db/rows.ts';
import { imports } from '../../shared/portfolio/tables.ts';
import type { ListOf, Paging } from '../../shared/lists.ts';
import { AppError, notFound } from '../../shared/errors.ts';
import { UNDO_DAYS, type ImportUndo, type ImportUndone, type ImportView } from '../../shared/portfolio/imports.ts';
import { refuseAtWork } from '../operations/moving.ts';
import type { Actor } from '../access/scope.ts';
import {
  countImports,
  countOfImport,
  deleteCreated,
  findImportRow,
  listImportRows,
  listUntouchedNames,
  restoreChanged,
  type FoundImport,
} from './import-rows.ts';
import { deleteEmptyProjects } from './project-rows.ts';
import { DAY_MS } from '../../shared/time.ts';

const undoUntil = (created_at: string): string => new Date(Date.parse(created_at) + UNDO_DAYS * DAY_MS).toISOString();

function toView(row: FoundImport): ImportView {
  const until = undoUntil(row.created_at);
  return { ...row, undo_until: row.undone_at === null && until > new Date().toISOString() ? until : null };
}

/** Returns an import of the caller's. Throws AppError `not_found`. */
export async function findImport(actor: Actor, id: number): Promise<ImportView> {
  const row = await findImportRow(actor, id);
  if (!row) throw notFound();
  return toView(row);
}

/**
 * Returns the caller's imports, newest first, for an administrator everybody's. Without `limit` 1,000 at most, and no
 * `total`.
 */
export async function listImports(actor: Actor, paging: Partial<Paging> = {}): Promise<ListOf<ImportView>> {
  const rows = await listImportRows(actor, { limit: paging.limit ?? 1000, offset: paging.offset ?? 0 });
  const data = rows.map(toView);
  if (paging.limit === undefined) return { data };
  return { data, total: await countImports(actor) };
}

/** Leaves out the rows whose former folder has gone to another domain since. */
async function withFreeFolders(actor: Actor, rows: ImportUndo['domains']): Promise<ImportUndo['domains']> {
  const now = new Map(
    (
      await listChosenIds(
        actor,
        rows.map(({ id }) => id),
      )
    ).map((row) => [row.id, row]),
  );
  const moved = rows.flatMap(({ id, file_path }) => {
    const row = now.get(id);
    if (!row || row.file_path === file_path) return [];
    return [{ place: { id, domain_name: row.domain_name, file_path, server_id: row.server_id }, holder: row.holder }];
  });
  const refused = moved.length === 0 ? new Map<number, AppError>() : await refusedFolders(actor, moved);
  return rows.filter(({ id }) => !isTaken(refused.get(id)));
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
    const row = await findRow(imports, id);
    const before = JSON.parse(row?.before ?? '{"domains":[],"projects":[]}') as ImportUndo;
    const rows = JSON.stringify(before.domains);
    const now = new Date().toISOString();
    await refuseAtWork((await listUntouchedNames(id, rows, at)).map(({ domain_name }) => domain_name));
    const free = JSON.stringify(await withFreeFolders(actor, before.domains));
    const restored = await restoreChanged(free, at);
    const deleted = await deleteCreated(id, at, now);
    const left = await countOfImport(id, rows);
    if (before.projects.length > 0) await deleteEmptyProjects(before.projects, now);
    await updateRow(imports, id, { undone_at: now });
    note({ action: 'update', object: 'imports', id, after: { deleted, restored }, covers: ['domains', 'projects'] });
    return { deleted, restored, kept: left - restored };
  });
}
