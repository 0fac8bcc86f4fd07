import { execute, select } from '../../../db/index.ts';
import { memberOf } from '../../../db/sql.ts';
import type { ExistingDomain } from '../../shared/portfolio/import-existing.ts';
import { CHANGED_FIELDS, type ImportView } from '../../shared/portfolio/imports.ts';
import { domains, type DomainRow } from '../../shared/portfolio/tables.ts';
import { bindings, OWN, VISIBLE, type Actor } from '../access/scope.ts';

/** An import with the login of its user. */
export type FoundImport = Omit<ImportView, 'undo_until'>;

const FOUND = `SELECT i.id, u.login AS user_login, i.source, i.created, i.updated, i.created_at, i.undone_at
  FROM imports i JOIN users u ON u.id = i.user_id`;

/** Returns an import of an actor's; undefined: there is none. */
export async function findImportRow(actor: Actor, id: number): Promise<FoundImport | undefined> {
  const [row] = await select<FoundImport>(`${FOUND} WHERE i.id = $id AND ${OWN.imports(actor)}`, {
    id,
    ...bindings(actor),
  });
  return row;
}

/** Returns a part of an actor's imports, newest first. */
export const listImportRows = (actor: Actor, part: { limit: number; offset: number }): Promise<FoundImport[]> =>
  select(`${FOUND} WHERE ${OWN.imports(actor)} ORDER BY i.id DESC LIMIT $limit OFFSET $offset`, {
    ...bindings(actor),
    ...part,
  });

/** Returns the number of an actor's imports. */
export async function countImports(actor: Actor): Promise<number> {
  const [row] = await select<{ n: number }>(
    `SELECT COUNT(*) AS n FROM imports i WHERE ${OWN.imports(actor)}`,
    bindings(actor),
  );
  return row?.n ?? 0;
}

/** A domain that a file names; `visible` 0: the actor may not see it. */
export type NamedDomain = ExistingDomain & { domain_name: string; visible: 0 | 1 };

/** Returns the domains that have one of the names, whoever they belong to. */
export const listDomainsNamed = (actor: Actor, names: readonly string[]): Promise<NamedDomain[]> =>
  select(
    `SELECT d.domain_name, d.id, d.user_id, d.project_id, d.server_id, COALESCE(p.user_id, d.user_id) AS holder, d.type,
       d.transfer_type, d.file_path, d.expired_at, d.registrars_id, d.updated_at, p.name AS project,
       CASE WHEN ${VISIBLE.domains(actor)} THEN 1 ELSE 0 END AS visible
     FROM json_each($names) n
     CROSS JOIN domains d ON d.domain_name = n.value AND d.deleted_at IS NULL
     LEFT JOIN projects p ON p.id = d.project_id`,
    { names: JSON.stringify(names), ...bindings(actor) },
  );

/** A row of a file. A null `project_id` or `user_id` leaves a domain that is there its own; a new one has an id of null. */
export type ImportedDomain = Pick<
  DomainRow,
  | 'domain_name'
  | 'unicode_name'
  | 'project_id'
  | 'type'
  | 'transfer_type'
  | 'file_path'
  | 'expired_at'
  | 'registrars_id'
> & { id: number | null; user_id: number | null };

const INSERTED = [
  'domain_name',
  'unicode_name',
  'project_id',
  'user_id',
  'type',
  'transfer_type',
  'file_path',
  'expired_at',
  'registrars_id',
] as const satisfies (keyof ImportedDomain)[];

// Cells are found by their place: by name takes twice the time.
const CELLS = ['id', ...INSERTED] as const;
const cell = (name: (typeof CELLS)[number]): string => memberOf('n.value', CELLS.indexOf(name), domains.columns[name]);
const packed = (rows: readonly ImportedDomain[]): string =>
  JSON.stringify(rows.map((row) => CELLS.map((name) => row[name])));

/** Inserts the domains that an import creates, available. */
export async function insertImported(rows: readonly ImportedDomain[], import_id: number, now: string): Promise<void> {
  await execute(
    `INSERT INTO domains (${INSERTED.join(', ')}, transfer_dns, status, import_id, created_at, updated_at)
     SELECT ${INSERTED.map(cell).join(', ')}, 'off', 'available', $import_id, $now, $now FROM json_each($rows) n`,
    { rows: packed(rows), import_id, now },
  );
}

/** Writes the domains that an import changes. */
export async function updateImported(rows: readonly ImportedDomain[], now: string): Promise<void> {
  await execute(
    `UPDATE domains SET project_id = COALESCE(${cell('project_id')}, project_id), user_id = COALESCE(${cell('user_id')}, user_id),
       type = ${cell('type')}, transfer_type = ${cell('transfer_type')}, file_path = ${cell('file_path')},
       expired_at = ${cell('expired_at')}, registrars_id = ${cell('registrars_id')}, updated_at = $now
     FROM json_each($rows) n WHERE domains.id = ${cell('id')}`,
    { rows: packed(rows), now },
  );
}

const field = (name: keyof DomainRow): string => memberOf('n.value', name, domains.columns[name]);

const OF_IMPORT = `(d.import_id = $id OR d.id IN (SELECT ${field('id')} FROM json_each($rows) n))`;

/** Returns the names of the domains that an import created, or changed (`rows`, JSON), and nobody has changed since `at`. */
export const listUntouchedNames = (id: number, rows: string, at: string): Promise<Pick<DomainRow, 'domain_name'>[]> =>
  select(`SELECT d.domain_name FROM domains d WHERE d.deleted_at IS NULL AND d.updated_at = $at AND ${OF_IMPORT}`, {
    id,
    rows,
    at,
  });

/** Returns the number of domains that an import created, or changed (`rows`, JSON), and that are still there. */
export async function countOfImport(id: number, rows: string): Promise<number> {
  const [row] = await select<{ n: number }>(
    `SELECT COUNT(*) AS n FROM domains d WHERE d.deleted_at IS NULL AND ${OF_IMPORT}`,
    { id, rows },
  );
  return row?.n ?? 0;
}

// A project or registrar that was deleted is not restored.
const RESTORED: Partial<Record<(typeof CHANGED_FIELDS)[number], string>> = {
  project_id: `(SELECT id FROM projects WHERE id = ${field('project_id')} AND deleted_at IS NULL)`,
  registrars_id: `CASE WHEN ${field('registrars_id')} IS NULL THEN registrars_id
    ELSE (SELECT id FROM registrars WHERE id = ${field('registrars_id')}) END`,
};
const EARLIER = CHANGED_FIELDS.map((name) => `${name} = ${RESTORED[name] ?? field(name)}`).join(', ');

/** Restores the rows (JSON) that an import changed and nobody has changed since `at`. Returns their number. */
export const restoreChanged = (rows: string, at: string): Promise<number> =>
  execute(
    `UPDATE domains SET ${EARLIER} FROM json_each($rows) n
     WHERE domains.id = ${field('id')} AND domains.updated_at = $at AND domains.deleted_at IS NULL`,
    { rows, at },
  );

/** Deletes the domains that an import created and nobody has changed since `at`. Returns their number. */
export const deleteCreated = (id: number, at: string, now: string): Promise<number> =>
  execute('UPDATE domains SET deleted_at = $now WHERE import_id = $id AND updated_at = $at AND deleted_at IS NULL', {
    id,
    at,
    now,
  });
