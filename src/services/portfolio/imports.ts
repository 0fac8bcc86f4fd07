import { readFile, stat } from 'node:fs/promises';
import { transaction } from '../../../db/index.ts';
import { readCsv, type CsvText } from '../../lib/csv.ts';
import { AppError, unknownReference } from '../../shared/errors.ts';
import { readTable, type ImportTable } from '../../shared/portfolio/import-columns.ts';
import { projectFinder, type Existing, type ExistingProject } from '../../shared/portfolio/import-existing.ts';
import { readRows, type Draft } from '../../shared/portfolio/import-rows.ts';
import {
  groupMessages,
  stageImport,
  withoutRefused,
  type Staged,
  type StagedRow,
} from '../../shared/portfolio/import-stage.ts';
import {
  MAX_IMPORT_BYTES,
  type ImportOptions,
  type ImportPreview,
  type ImportResult,
  type StagedView,
} from '../../shared/portfolio/imports.ts';
import { refusedFolders } from './folders.ts';
import { listDomainsNamed } from './import-rows.ts';
import { listProjects, writeImport } from './import-writing.ts';
import { listProjectNames } from './project-rows.ts';
import { listRegistrarNames } from './registrar-rows.ts';
import type { Actor } from '../access/scope.ts';
import { defaultOwner } from '../access/users.ts';

/** A file to be imported: on disk, or its bytes. `name` is shown in the list of imports; '' for pasted text. */
export type ImportFile = { name: string } & ({ path: string } | { bytes: Uint8Array });

const SHOWN_ROWS = 200;
const SHOWN_ERRORS = 5000;

async function readImport(file: ImportFile, options: ImportOptions): Promise<CsvText & { table: ImportTable }> {
  const size = 'path' in file ? (await stat(file.path)).size : file.bytes.length;
  if (size > MAX_IMPORT_BYTES) {
    throw new AppError('too_large', 'import.file_too_large', { limit: MAX_IMPORT_BYTES / 1024 / 1024 });
  }
  const text = readCsv('path' in file ? await readFile(file.path) : file.bytes);
  if (text.rows.length === 0) throw new AppError('invalid', 'import.empty');
  return { ...text, table: readTable(text.rows, options) };
}

/** Returns the project of new rows that was chosen by its id. Throws AppError `refused` for one that the actor may not see. */
async function findChosen(actor: Actor, { project_id }: ImportOptions): Promise<ExistingProject | undefined> {
  if (project_id == null) return undefined;
  const chosen = (await listProjectNames(actor)).find(({ id }) => id === project_id);
  if (!chosen) throw unknownReference('project_id');
  return chosen;
}

const withProject = (options: ImportOptions, chosen: ExistingProject | undefined): ImportOptions =>
  chosen ? { ...options, project: chosen.name } : options;

/**
 * Reads the domains whose names are in a file. A domain that the actor may not see is `taken`: each name exists once.
 */
async function findExisting(
  actor: Actor,
  drafts: readonly Draft[],
  owner: number,
  chosen: ExistingProject | undefined,
): Promise<Existing> {
  const names = new Set(drafts.flatMap(({ domain_name }) => (domain_name === null ? [] : [domain_name])));
  const rows = await listDomainsNamed(actor, [...names]);
  const domains = rows.map((row) => [row.domain_name, row.visible ? row : 'taken'] as const);
  const [projects, registrars] = [await listProjects(actor, chosen), await listRegistrarNames()];
  return { domains: new Map(domains), projects, registrars, owner };
}

/** Stages a file; rows that would give a domain a folder that its holder may not take become errors. */
async function stage(
  actor: Actor,
  drafts: readonly Draft[],
  existing: Existing,
  options: ImportOptions,
): Promise<Staged> {
  const staged = stageImport(drafts, existing, options);
  const find = projectFinder(existing);
  const wanted = staged.rows.flatMap(({ target, changes }) => {
    const known = target && existing.domains.get(target.domain_name);
    if (!known || known === 'taken' || !changes.some(({ field }) => field === 'file_path')) return [];
    const { id, domain_name, file_path } = { ...target, id: known.id };
    const project = target.project === null ? undefined : find(target.project);
    const holder = project && project !== 'many' ? project.user_id : known.holder;
    return [{ place: { id, domain_name, file_path, server_id: known.server_id }, holder }];
  });
  return withoutRefused(staged, wanted.length > 0 ? await refusedFolders(actor, wanted) : new Map());
}

const toView = ({ line, cells, action, domain_name, changes, messages }: StagedRow): StagedView => ({
  line,
  cells,
  action,
  domain_name,
  changes,
  messages,
});

/**
 * Returns what an import would do; writes nothing. Throws AppError `invalid` or `too_large` for a file that can't be
 * read.
 */
export async function previewImport(actor: Actor, file: ImportFile, options: ImportOptions): Promise<ImportPreview> {
  const { encoding, delimiter, table } = await readImport(file, options);
  const drafts = readRows(table);
  const chosen = await findChosen(actor, options);
  const existing = await findExisting(actor, drafts, await defaultOwner(actor), chosen);
  const { rows, counts, new_projects } = await stage(actor, drafts, existing, withProject(options, chosen));
  const errors = rows.slice(SHOWN_ROWS).filter(({ action }) => action === 'error');
  return {
    encoding,
    delimiter,
    header: table.header,
    columns: table.columns,
    mapping: table.mapping,
    counts,
    groups: groupMessages(rows),
    rows: [...rows.slice(0, SHOWN_ROWS), ...errors.slice(0, SHOWN_ERRORS)].map(toView),
    new_projects,
  };
}

// A file name that a browser sends may hold anything.
const nameOf = (file: ImportFile): string => file.name.replace(/\p{Cc}|[\u2028\u2029]/gu, '').slice(0, 200);

/**
 * Does what `previewImport` says, in one transaction: rows with faults are left out and returned, the others are
 * written. New rows belong to their project's owner, those without a project to the actor.
 */
export async function commitImport(actor: Actor, file: ImportFile, options: ImportOptions): Promise<ImportResult> {
  const drafts = readRows((await readImport(file, options)).table);
  const owner = await defaultOwner(actor);
  return transaction(async () => {
    const chosen = await findChosen(actor, options);
    const existing = await findExisting(actor, drafts, owner, chosen);
    const staged = await stage(actor, drafts, existing, withProject(options, chosen));
    const view = await writeImport(actor, { source: nameOf(file), chosen }, staged, existing);
    const errors = staged.rows.filter(({ action }) => action === 'error').slice(0, SHOWN_ERRORS);
    return { import: view, counts: staged.counts, groups: groupMessages(staged.rows), errors: errors.map(toView) };
  });
}
