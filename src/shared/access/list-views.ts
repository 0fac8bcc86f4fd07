import { z } from 'zod';
import { line, message } from '../text.ts';

/** The lists of the interface whose columns and views a person keeps; those of accounts have the names of their kinds. */
export const LISTS = [
  'sites',
  'project_domains',
  'operations',
  'log',
  'purchases',
  'cloudflare',
  'server',
  'registrar',
  'xmlriver',
  'arsenkin',
] as const;
export type ListName = (typeof LISTS)[number];

/** The heights of rows. */
const DENSITIES = ['regular', 'compact'] as const;
export type Density = (typeof DENSITIES)[number];

/** As many columns a list may have. */
const MOST_COLUMNS = 40;

const ColumnId = z.string().regex(/^[a-z][a-z0-9_]{0,39}$/, message('error.invalid_value'));

/** A person's settings of a list in an edit. Absent fields keep their value. `columns` null: those of the program, by their room. */
export const ListSettingsInput = z.object({
  columns: z
    .array(ColumnId)
    .min(1, message('error.required'))
    .max(MOST_COLUMNS, message('error.invalid_value'))
    .refine((ids) => new Set(ids).size === ids.length, message('error.invalid_value'))
    .nullable()
    .optional(),
  density: z.enum(DENSITIES, message('error.invalid_value')).optional(),
});
export type ListSettingsInput = z.output<typeof ListSettingsInput>;

const ViewName = line(60).min(1, message('error.required'));
/** The query of an address, without its question mark. */
const Query = line(2000);

/** A view to be kept: the query of the address that shows it, under a name. */
export const ListViewInput = z.object({
  list: z.enum(LISTS, message('error.invalid_value')),
  name: ViewName,
  query: Query,
});
export type ListViewInput = z.output<typeof ListViewInput>;

/** A change of a view; what is absent stays. */
export const ListViewChange = z.object({ name: ViewName.optional(), query: Query.optional() });
export type ListViewChange = z.output<typeof ListViewChange>;

/** A view that a person has kept. */
export interface ListView {
  id: number;
  name: string;
  query: string;
}

/** A person's settings of a list, and his views of it, sorted by name. `columns` null: those of the program, by their room. */
export interface ListSettings {
  columns: string[] | null;
  density: Density;
  views: ListView[];
}
