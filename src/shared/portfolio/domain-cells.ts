import { line, message } from '../text.ts';

/** The fields of a list of domains that a value in a cell narrows: to that value alone, or to all but it. */
const CELL_FIELDS = [
  'project_id',
  'transfer_type',
  'type',
  'status',
  'http_status_code',
  'registrar_type',
  'user_login',
] as const;
export type CellField = (typeof CELL_FIELDS)[number];

/** A value of a field, '' for none; `not`: all but it. */
export interface Cell {
  field: CellField;
  not: boolean;
  value: string;
}

const NUMBERS: ReadonlySet<CellField> = new Set(['project_id', 'http_status_code'] as const);

/** Whether a field has numbers. */
export const isNumber = (field: CellField): boolean => NUMBERS.has(field);

const MOST = 10;
const ONE = /^(-?)([a-z_]+):(.*)$/;

function cellOf(text: string): Cell | undefined {
  const [, sign, name, encoded = ''] = ONE.exec(text) ?? [];
  const field = CELL_FIELDS.find((known) => known === name);
  if (field === undefined) return undefined;
  try {
    const value = decodeURIComponent(encoded);
    if (isNumber(field) && !/^\d{0,9}$/.test(value)) return undefined;
    return { field, not: sign === '-', value };
  } catch {
    return undefined;
  }
}

/** Returns the cells of a text, `type:main,-project_id:5`; what is not understood is left out. */
export const parseCells = (text: string): Cell[] =>
  text === '' ? [] : text.split(',').flatMap((part) => cellOf(part) ?? []);

/** The text of cells, which `parseCells` reads. */
export const cellsText = (cells: readonly Cell[]): string =>
  cells.map(({ field, not, value }) => `${not ? '-' : ''}${field}:${encodeURIComponent(value)}`).join(',');

/** The text of at most ten cells, of which each is understood: a filter that is half understood would find more than was meant. */
export const Cells = line(1000)
  // An encoded control character is none of a value either.
  .refine((text) => !/%[01]/.test(text), message('error.characters'))
  .refine((text) => {
    const count = text === '' ? 0 : text.split(',').length;
    return count <= MOST && parseCells(text).length === count;
  }, message('error.invalid_value'));
