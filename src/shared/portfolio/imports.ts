import { z } from 'zod';
import { DOMAIN_TYPES, TRANSFER_TYPES, type DomainRow } from './domains.ts';
import type { Said } from '../i18n/index.ts';
import { line } from '../text.ts';

/** The imports table. `before` is JSON (`ImportUndo`): what an undo needs. */
export interface ImportRow {
  id: number;
  user_id: number;
  source: string;
  created: number;
  updated: number;
  before: string;
  created_at: string;
  undone_at: string | null;
}

/** The columns of a domain that an import can change. */
export const CHANGED_FIELDS = [
  'project_id',
  'user_id',
  'type',
  'transfer_type',
  'file_path',
  'expired_at',
  'updated_at',
] as const satisfies (keyof DomainRow)[];

/** What an import keeps for its undo: the rows it changed, as they were, and the ids of the projects it made. */
export interface ImportUndo {
  domains: Pick<DomainRow, 'id' | (typeof CHANGED_FIELDS)[number]>[];
  projects: number[];
}

/** For so long an import can be undone. */
export const UNDO_DAYS = 30;
export const MAX_IMPORT_ROWS = 100_000;
export const MAX_IMPORT_BYTES = 20 * 1024 * 1024;

/** What a column of a file can hold. `project` is the name of one. */
export const IMPORT_FIELDS = ['domain_name', 'project', 'type', 'transfer_type', 'expired_at', 'file_path'] as const;
export type ImportField = (typeof IMPORT_FIELDS)[number];

/** What becomes of a name that the portfolio has: left alone, its empty fields filled, or what the file gives written. */
export const IMPORT_MODES = ['skip', 'fill', 'overwrite'] as const;
export type ImportMode = (typeof IMPORT_MODES)[number];

const isField = (word: string): word is ImportField => IMPORT_FIELDS.some((field) => field === word);

/**
 * How a file is read. `columns` says field by field what its columns hold (`domain_name,,project`); without it that is
 * recognised, as is whether the first row is a header. `type`, `transfer_type` and `project` are for new rows that say
 * nothing of their own. `create_projects` off makes an unknown project an error.
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
});
export type ImportOptions = z.infer<typeof ImportOptions>;

/** A row of a file: the line on which it begins, counted from 1, and its cells as they stand there. */
export interface SourceRow {
  line: number;
  cells: string[];
}

export type ImportEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1251';
export type ImportDelimiter = ',' | ';' | '\t';

export type ImportAction = 'create' | 'update' | 'skip' | 'error';
export type ImportCounts = Record<ImportAction, number>;

/** What is said of a row, and of which of its fields. */
export interface RowMessage extends Said {
  field: ImportField;
}

/** A field that would be written, and what stands there now; null is empty. */
export interface FieldChange {
  field: ImportField;
  from: string | null;
  to: string;
}

/** A row of a file with what an import does about it. `domain_name` is clean, or null where the cell holds no host. */
export interface StagedView extends SourceRow {
  action: ImportAction;
  domain_name: string | null;
  changes: FieldChange[];
  messages: RowMessage[];
}

/** Rows that share a message: how many, and the first of their lines. The message is the first row's. */
export interface MessageGroup {
  action: ImportAction;
  message: RowMessage;
  count: number;
  lines: number[];
}

/** A column of a file: its header, empty where there is none, and its first values. */
export interface ImportColumn {
  name: string;
  samples: string[];
}

/** What an import would do. `rows` are the first 200, then every row with an error up to 5,000. */
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

/** An import in the list of them. It can be undone until `undo_until`; null: not any more. */
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

/** What an import has done. `import` is null where there was nothing to write; `errors` are at most 5,000. */
export interface ImportResult {
  import: ImportView | null;
  counts: ImportCounts;
  groups: MessageGroup[];
  errors: StagedView[];
}

/** What an undo has done. `kept` rows were changed after the import and stay as they are. */
export interface ImportUndone {
  deleted: number;
  restored: number;
  kept: number;
}
