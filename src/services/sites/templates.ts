import { createHash } from 'node:crypto';
import type { TemplateRow } from '../../shared/sites/tables.ts';
import { readFile } from 'node:fs/promises';
import { transaction } from '../../../db/index.ts';
import { insertRow, updateRow } from '../../../db/rows.ts';
import { templates } from '../../shared/sites/tables.ts';
import { readText } from '../../lib/text-file.ts';
import { readZip } from '../../lib/zip.ts';
import { AppError } from '../../shared/errors.ts';
import { isTextPath } from '../../shared/sites/site-content.ts';
import type { SiteFile } from '../../shared/sites/sites.ts';
import {
  isZipName,
  MAX_TEMPLATE_BYTES,
  PLACEHOLDERS,
  placeholdersIn,
  type Placeholder,
  type TemplateChange,
  type TemplateEntry,
  type TemplateInput,
  type TemplateScan,
  type TemplateView,
} from '../../shared/sites/templates.ts';
import type { Actor } from '../access/scope.ts';
import { findArchive, listTemplateRows, upsertArchive } from './rows.ts';
import { canEdit, findOwnTeamRow, findTeamRow } from '../accounts/team.ts';

const MAX_FILE_NAME = 200;
const INDEXES = new Set(['index.html', 'index.htm', 'index.php']);

/** An uploaded ZIP on disk, with the name that its sender gave it. */
export interface TemplateFile {
  path: string;
  name: string;
  type?: string;
  size: number;
}

/** Makes the download link of a template's ZIP; the command line gets none. */
type LinkOf = (id: number) => string;

interface Checked {
  archive: Buffer;
  scan: TemplateScan;
}

/** Throws the `invalid` error of an archive again with the form field that it came in; any other error as it is. */
function atField(error: unknown): never {
  if (!(error instanceof AppError) || error.kind !== 'invalid') throw error;
  const { key, params, code } = error;
  throw new AppError('invalid', key, params, { code, fields: { template_file: key }, cause: error });
}

function requireIndex(paths: string[]): void {
  if (paths.some((path) => INDEXES.has(path))) return;
  throw new AppError('invalid', 'template.no_index', {}, { code: 'bad_archive' });
}

function entryOf({ path, content }: SiteFile): TemplateEntry {
  const read = isTextPath(path) ? readText(content) : null;
  return { path, size: content.length, text: read !== null, placeholders: read ? placeholdersIn(read.text) : [] };
}

/**
 * Lists the content of a ZIP. Throws AppError `invalid` for one that breaks a rule of `readZip`, or has no index page.
 */
async function scanArchive(archive: Buffer): Promise<TemplateScan> {
  const entries: TemplateEntry[] = [];
  await readZip(archive, (file) => void entries.push(entryOf(file)), requireIndex);
  const found = new Set<Placeholder>(entries.flatMap(({ placeholders }) => placeholders));
  entries.sort((one, other) => (one.path < other.path ? -1 : 1));
  return { size: archive.length, placeholders: PLACEHOLDERS.filter((name) => found.has(name)), entries };
}

async function checkFile(file: TemplateFile): Promise<Checked> {
  try {
    if (!isZipName({ name: file.name, type: file.type ?? '' })) throw new AppError('invalid', 'template.only_zip');
    if (file.size > MAX_TEMPLATE_BYTES) {
      throw new AppError('invalid', 'error.too_large', { limit: `${MAX_TEMPLATE_BYTES / 1024 / 1024} MB` });
    }
    const archive = await readFile(file.path);
    return { archive, scan: await scanArchive(archive) };
  } catch (error) {
    return atField(error);
  }
}

/** Lists the content of an uploaded ZIP; stores nothing. Throws AppError `invalid` where it can't be a template. */
export const scanFile = async (file: TemplateFile): Promise<TemplateScan> => (await checkFile(file)).scan;

// The name is shown and goes into a header: the last part of a path, without invisible characters and quotes.
const fileNameOf = (name: string): string =>
  (name.split(/[/\\]/).at(-1) ?? '')
    .replace(/[\p{C}"]|^[.-]+/gu, '')
    .trim()
    .slice(-MAX_FILE_NAME) || 'template.zip';

const columnsOf = (name: string, { archive, scan }: Checked): Partial<TemplateRow> => ({
  file_name: fileNameOf(name),
  sha256: createHash('sha256').update(archive).digest('hex'),
  size: scan.size,
  files: scan.entries.length,
  placeholders: JSON.stringify(scan.placeholders),
});

/** Returns the columns that describe a ZIP in its template's row. Throws as `scanFile`. */
export const describeArchive = async (name: string, archive: Buffer): Promise<Partial<TemplateRow>> =>
  columnsOf(name, { archive, scan: await scanArchive(archive) });

async function views(actor: Actor, linkOf: LinkOf | null, only?: number): Promise<TemplateView[]> {
  const rows = await listTemplateRows(only);
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    file_path: row.has_archive && linkOf ? linkOf(row.id) : null,
    file_name: row.file_name,
    size: row.size,
    files: row.files,
    placeholders: JSON.parse(row.placeholders) as Placeholder[],
    domains: row.domains,
    created_at: row.created_at,
    updated_at: row.updated_at || row.created_at,
    can_edit: canEdit(actor, row),
  }));
}

/** Returns every template, by name. */
export const listTemplates = (actor: Actor, linkOf: LinkOf | null): Promise<TemplateView[]> => views(actor, linkOf);

/** Returns a template as in the list. Throws AppError `not_found`. */
export async function findTemplate(actor: Actor, id: number, linkOf: LinkOf | null): Promise<TemplateView> {
  await findTeamRow('templates', id);
  const [view] = await views(actor, linkOf, id);
  if (!view) throw new Error(`template ${id} is not there`);
  return view;
}

/** Adds a template that belongs to the actor. Throws `invalid` without a file, or for one that can't be a site. */
export async function createTemplate(
  actor: Actor,
  input: TemplateInput,
  file: TemplateFile | undefined,
  linkOf: LinkOf | null,
): Promise<TemplateView> {
  if (!file) {
    const fields = { template_file: 'template.file_required' };
    throw new AppError('invalid', 'template.file_required', {}, { fields });
  }
  const checked = await checkFile(file);
  return transaction(async () => {
    const now = new Date().toISOString();
    const columns = { ...input, ...columnsOf(file.name, checked) };
    const id = await insertRow(templates, { ...columns, user_id: actor.id, created_at: now, updated_at: now });
    await upsertArchive(id, checked.archive);
    return findTemplate(actor, id, linkOf);
  });
}

/**
 * Edits a template; what is absent stays, and so does the old ZIP where the new one is refused. Throws AppError
 * `not_found`, `forbidden`, and as `createTemplate` for the file.
 */
export async function updateTemplate(
  actor: Actor,
  id: number,
  change: TemplateChange,
  file: TemplateFile | undefined,
  linkOf: LinkOf | null,
): Promise<TemplateView> {
  // Before the file is read, which costs more than a refusal.
  await findOwnTeamRow(actor, 'templates', id);
  const checked = file && (await checkFile(file));
  const columns = { ...change, ...(file && checked ? columnsOf(file.name, checked) : {}) };
  return transaction(async () => {
    await findOwnTeamRow(actor, 'templates', id);
    if (Object.keys(columns).length > 0) {
      const updated_at = new Date().toISOString();
      await updateRow(templates, id, { ...columns, updated_at });
    }
    if (checked) await upsertArchive(id, checked.archive);
    return findTemplate(actor, id, linkOf);
  });
}

/** Returns the ZIP of a template as it was uploaded, and its name. Throws AppError `not_found` where there is none. */
export async function archiveOf(id: number): Promise<{ name: string; content: Buffer }> {
  const row = await findArchive(id);
  if (!row) throw new AppError('not_found', 'template.no_path');
  const { archive, file_name: name } = row;
  // Node's own SQLite returns a Uint8Array, which lacks the methods of a Buffer.
  return { name, content: Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength) };
}

/** Lists the content of a template's ZIP. Throws AppError `not_found` where there is none. */
export const scanTemplate = async (id: number): Promise<TemplateScan> => scanArchive((await archiveOf(id)).content);

/** Returns the files of a template, checked again. Throws AppError `not_found` where it has no ZIP. */
export async function openTemplate(id: number): Promise<SiteFile[]> {
  const files: SiteFile[] = [];
  const { content } = await archiveOf(id);
  await readZip(content, (file) => void files.push(file), requireIndex);
  return files;
}
