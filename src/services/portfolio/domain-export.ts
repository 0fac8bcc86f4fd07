import { z } from 'zod';
import { writeCsv } from '../../shared/csv.ts';
import type { Paging } from '../../shared/lists.ts';
import type { Selection } from '../../shared/portfolio/domain-selection.ts';
import { DOMAIN_FIELDS, type DomainView } from '../../shared/portfolio/domains.ts';
import { message } from '../../shared/text.ts';
import { choose } from './bulk.ts';
import { domainParts } from './domain-lists.ts';
import { listDetails, type DomainSelection } from './list-rows.ts';
import type { Actor } from '../access/scope.ts';

/** The fields of a file in their order, as the names of `DOMAIN_FIELDS` with commas: `unicode_name,status`. */
export const ExportFields = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(z.enum(DOMAIN_FIELDS, message('error.invalid_value'))).max(DOMAIN_FIELDS.length));

/** The format of an export: a Russian Excel opens `semicolon` with a byte order mark as a table. */
export const ExportStyle = z.object({
  delimiter: z.enum(['comma', 'semicolon']).default('comma'),
  bom: z.enum(['on', 'off']).default('off'),
});
export type ExportStyle = z.infer<typeof ExportStyle>;

// Midnight is written as a day, as people read and type it; any other time stays whole, so that an import loses
// nothing.
const day = (iso: string | null): string => (iso ?? '').replace(/T00:00:00\.000Z$/, '');

type Columns = Readonly<Record<string, (row: DomainView) => string>>;

// An import recognises these headers, or leaves them out on purpose.
const COLUMNS: Columns = {
  domain_name: (row) => row.domain_name,
  unicode_name: (row) => row.unicode_name,
  project: (row) => row.project_name ?? '',
  type: (row) => row.type,
  transfer_type: (row) => row.transfer_type,
  expired_at: (row) => day(row.expired_at),
  file_path: (row) => row.file_path,
  registrars_id: (row) => String(row.registrars_id ?? ''),
  registrar_type: (row) => row.registrar_type ?? '',
  status: (row) => row.status,
  http_status_code: (row) => String(row.http_status_code ?? ''),
  created_at: (row) => row.created_at,
};

/** The cell of a field as it is; a day instead of a midnight, and nothing for what is not known. */
const cellOf =
  (field: keyof DomainView) =>
  (row: DomainView): string =>
    field === 'expired_at' ? day(row.expired_at) : String(row[field] ?? '');

/** Returns the columns of a file: those of the fields that are asked for, in their order. */
const columnsOf = (fields: readonly (keyof DomainView)[] | undefined): Columns =>
  fields ? Object.fromEntries(fields.map((field) => [field, cellOf(field)])) : COLUMNS;

// So many domains are read and written at once; whatever else waits has its turn in between.
const PART = 2_000;

async function csvOf(
  parts: AsyncIterable<readonly DomainView[]>,
  style: ExportStyle,
  columns: Columns = COLUMNS,
): Promise<string> {
  const delimiter = style.delimiter === 'comma' ? ',' : ';';
  const cells = Object.values(columns);
  let csv = writeCsv([Object.keys(columns)], { delimiter, bom: style.bom === 'on' });
  for await (const part of parts) {
    const rows = part.map((row) => cells.map((cell) => cell(row)));
    csv += writeCsv(rows, { delimiter, bom: false });
  }
  return csv;
}

/**
 * Returns the caller's domains as CSV (RFC 4180, with formulas made harmless), filtered as a list is. Importing it
 * again changes nothing. With `fields` the file has those columns, and the order of the list.
 */
export async function exportDomains(
  actor: Actor,
  selection: DomainSelection & Pick<Paging, 'search' | 'sort'> = {},
  style: ExportStyle = { delimiter: 'comma', bom: 'off' },
  fields?: readonly (keyof DomainView)[],
): Promise<string> {
  const { search, sort, ...narrowed } = selection;
  return csvOf(domainParts(actor, narrowed, { search, sort }, PART), style, columnsOf(fields));
}

/** Returns the names of a selection in punycode, by id; those that are not the actor's are left out. */
export const chosenNames = async (actor: Actor, selection: Selection): Promise<string[]> =>
  (await choose(actor, selection)).rows.map(({ domain_name }) => domain_name);

async function* detailParts(actor: Actor, names: readonly string[]): AsyncGenerator<DomainView[]> {
  for (let at = 0; at < names.length; at += PART) yield await listDetails(actor, names.slice(at, at + PART));
}

/** Returns a selection as `exportDomains` returns a list. */
export const exportChosen = async (actor: Actor, selection: Selection, style: ExportStyle): Promise<string> =>
  csvOf(detailParts(actor, await chosenNames(actor, selection)), style);
