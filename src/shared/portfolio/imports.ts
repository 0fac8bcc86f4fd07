import { z } from 'zod';
import type { DomainRow } from './tables.ts';
import { DOMAIN_TYPES, TRANSFER_TYPES } from './domains.ts';
import type { Message } from '../i18n/index.ts';
import { line, OptionalId } from '../text.ts';

/** The columns of a domain that an import can change. */
export const CHANGED_FIELDS = [
  'project_id',
  'user_id',
  'type',
  'transfer_type',
  'file_path',
  'expired_at',
  'registrars_id',
  'updated_at',
] as const satisfies (keyof DomainRow)[];

/**
 * Data for the undo of an import: the rows it changed, as they were before, and the ids of the projects it created. A
 * `registrars_id` of 0 was none; imports of older versions have no such field, and changed none.
 */
export interface ImportUndo {
  domains: Pick<DomainRow, 'id' | (typeof CHANGED_FIELDS)[number]>[];
  projects: number[];
}

/** An import can be undone for so many days. */
export const UNDO_DAYS = 30;
export const MAX_IMPORT_ROWS = 100_000;
export const MAX_IMPORT_BYTES = 20 * 1024 * 1024;

/** Fields that a column of a file can hold. `project` is a project's name, `registrars_id` a registrar's id or name. */
export const IMPORT_FIELDS = [
  'domain_name',
  'project',
  'type',
  'transfer_type',
  'expired_at',
  'registrars_id',
  'file_path',
] as const;
export type ImportField = (typeof IMPORT_FIELDS)[number];

/** Handling of a name that the portfolio has: skip it, fill its empty fields, or overwrite it with the file's values. */
export const IMPORT_MODES = ['skip', 'fill', 'overwrite'] as const;
export type ImportMode = (typeof IMPORT_MODES)[number];

const isField = (word: string): word is ImportField => IMPORT_FIELDS.some((field) => field === word);

/**
 * Options of an import. `columns` lists the fields of the file's columns (`domain_name,,project`); without it they are
 * recognised, as is a header. `type`, `transfer_type` and `project` are defaults for new rows without own values; `project_id`
 * stands for a `project` whose name others have as well.
 * `create_projects` off makes an unknown project an error.
 */
export const ImportOptions = z.object({
  mode: z.enum(IMPORT_MODES).default('skip'),
  create_projects: z.enum(['on', 'off']).default('on'),
  header: z.enum(['auto', 'on', 'off']).default('auto'),
  columns: z
    .string()
    .max(2000)
    .transform((list) => list.split(',').map((word) => (isField(word.trim()) ? (word.trim() as ImportField) : null)))
    .optional(),
  type: z.enum(DOMAIN_TYPES).default('main'),
  transfer_type: z.enum(TRANSFER_TYPES).default('auto'),
  project: line(200).default(''),
  project_id: OptionalId,
});
export type ImportOptions = z.infer<typeof ImportOptions>;

/** A row of a file: the line on which it begins, counted from 1, and its raw cells. */
export interface SourceRow {
  line: number;
  cells: string[];
}

export type ImportEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1251';
export type ImportDelimiter = ',' | ';' | '\t';

export type ImportAction = 'create' | 'update' | 'skip' | 'error';
export type ImportCounts = Record<ImportAction, number>;

/** A message about a field of a row. */
export interface RowMessage extends Message {
  field: ImportField;
}

/** A field to write, with its present value; null is empty. */
export interface FieldChange {
  field: ImportField;
  from: string | null;
  to: string;
}

/** A row of a file with the action of an import. `domain_name` is clean, or null if the cell holds no host. */
export interface StagedView extends SourceRow {
  action: ImportAction;
  domain_name: string | null;
  changes: FieldChange[];
  messages: RowMessage[];
}

/** Rows that share a message: their number, and the first of their lines. The message is the first row's. */
export interface MessageGroup {
  action: ImportAction;
  message: RowMessage;
  count: number;
  lines: number[];
}

/** A column of a file: its header, empty if there is none, and its first values. */
export interface ImportColumn {
  name: string;
  samples: string[];
}

/** Preview of an import. `rows` are the first 200, then every row with an error up to 5,000. */
export interface ImportPreview {
  encoding: ImportEncoding;
  delimiter: ImportDelimiter;
  header: boolean;
  columns: ImportColumn[];
  mapping: (ImportField | null)[];
  counts: ImportCounts;
  groups: MessageGroup[];
  rows: StagedView[];
  new_projects: string[];
}

/** An import in a list. It can be undone until `undo_until`; null: no longer. */
export interface ImportView {
  id: number;
  user_login: string;
  source: string;
  created: number;
  updated: number;
  created_at: string;
  undone_at: string | null;
  undo_until: string | null;
}

/** Result of an import. `import` is null if there was nothing to write; `errors` are at most 5,000. */
export interface ImportResult {
  import: ImportView | null;
  counts: ImportCounts;
  groups: MessageGroup[];
  errors: StagedView[];
}

/** Result of an undo. `kept` rows were changed after the import and stay as they are. */
export interface ImportUndone {
  deleted: number;
  restored: number;
  kept: number;
}
