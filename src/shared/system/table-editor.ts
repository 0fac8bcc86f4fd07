import type { z } from 'zod';
import { Paging } from '../lists.ts';
import type { Kind } from '../table.ts';
import { Id } from '../text.ts';

/** Which rows of a table are asked for: those that hold a text, or the one with an id. */
export const TableQuery = Paging.extend({ id: Id.optional() });
export type TableQuery = z.infer<typeof TableQuery>;

/** A value of a row: a text, a number, a list, or nothing. Secrets are the mask. */
export type TableValue = string | number | boolean | null | readonly (string | number | { name?: string })[];

/** A row of the table editor: its id and a value for each column. */
export type TableRow = { id: number } & Record<string, TableValue>;

/** A column of the table editor. */
export interface TableColumn {
  name: string;
  kind: Kind;
  nullable: boolean;
  /** Whether a new row takes a value here, and whether an edit does. */
  adds: boolean;
  edits: boolean;
  /** The table whose ids stand here, if the editor has it. */
  references: string | null;
  /** The values that it takes, where they are few; null: any. */
  options: readonly string[] | null;
}

/** The names of rows that others refer to, by their table and id. */
export type TableNames = Record<string, Record<string, string>>;

/** A table of the editor, and what may be done with its rows. */
export interface TableInfo {
  name: string;
  adds: boolean;
  edits: boolean;
  deletes: boolean;
}
