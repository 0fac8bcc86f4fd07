import { unguardCell } from '../csv.ts';
import { isHostname } from '../hostname.ts';
import type { ImportColumn, ImportField, ImportOptions, SourceRow } from './imports.ts';

// Headers as `fold` returns them, in Russian and English.
const ALIASES: Record<ImportField, string> = {
  domain_name: 'домен домены доменноеимя имядомена имя сайт хост domain domains domainname name host hostname site url',
  project: 'проект проекты project projectname',
  type: 'тип типдомена type domaintype',
  transfer_type: 'режим режимпереноса mode transfertype transfermode',
  expired_at:
    'истекает срок срокдо срокдействия датаокончания окончание оплачендо expires expiresat expireson expiry expirydate expiration expirationdate expired expiredat paidtill',
  registrars_id: 'регистратор registrar registrars registrarname registrarid registrarsid',
  file_path: 'путь путькфайлам path filepath',
};
const FIELD_OF = new Map(
  Object.entries(ALIASES).flatMap(([field, words]) =>
    words.split(' ').map((word) => [word, field as ImportField] as const),
  ),
);
// Known columns of our own export and of others that are ignored.
const LEFT_OUT = new Set(
  'создан добавлен датасоздания датадобавления дата статус ркн created createdat added addedat dateadded date status rkn unicodename registrartype httpstatuscode ошибка error строка line'.split(
    ' ',
  ),
);

const MAX_COLUMNS = 50;
const SAMPLES = 3;
// Number of rows searched for the column of hosts in a file without a header.
const LOOKED_AT = 20;

const fold = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('ё', 'е')
    .replace(/[\s_:-]+/g, '');

/** Returns the field that a header names, ignoring case, blanks, hyphens and underscores; null for an unknown one. */
export const fieldOfHeader = (text: string): ImportField | null => FIELD_OF.get(fold(text)) ?? null;

const isKnownHeader = (text: string): boolean => fieldOfHeader(text) !== null || LEFT_OUT.has(fold(text));

/** Returns the value of a cell: trimmed, without the quote that an export puts before a formula. */
export const valueOf = (cell: string | undefined): string => unguardCell((cell ?? '').trim()).trim();

/** A file as a table: its columns, the fields they are mapped to, and its rows without the header. */
export interface ImportTable {
  header: boolean;
  columns: ImportColumn[];
  mapping: (ImportField | null)[];
  /** Nothing says what its columns hold: names in them may belong to a list. */
  isUntitled: boolean;
  rows: readonly SourceRow[];
}

const looksLikeHeader = ({ cells }: SourceRow): boolean =>
  cells.some(isKnownHeader) && !cells.some((cell) => isHostname(valueOf(cell)));

// A wrong name, such as `ne_ok.ru`; a date, a number and a path are none.
const DOTTED = /^[^\s/\\@:]+\.[^\s/\\@:.]*\p{L}[^\s/\\@:.]*$/u;

const isNameLike = (value: string): boolean => isHostname(value) || DOTTED.test(value);

/** Returns the names of a cell: its parts between commas, semicolons and tabs, and their words where each is a name. */
const namesIn = (cell: string): string[] =>
  valueOf(cell)
    .split(/[,;\t]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .flatMap((part) => (part.split(/\s+/).every(isNameLike) ? part.split(/\s+/) : [part]));

/**
 * Whether rows are a pasted list with several names in a line: there are names beside the first of a line, and no column of several
 * cells holds mostly something else, as a table's would.
 */
function isListOfNames(rows: readonly SourceRow[]): boolean {
  const columns: { cells: number; names: number }[] = [];
  let beside = false;
  for (const { cells } of rows) {
    for (const [index, cell] of cells.entries()) {
      const [first, ...others] = namesIn(cell);
      if (first === undefined) continue;
      const hasNames = [first, ...others].some(isNameLike);
      beside ||= index === 0 ? others.some(isNameLike) : hasNames;
      const column = (columns[index] ??= { cells: 0, names: 0 });
      column.cells += 1;
      if (hasNames) column.names += 1;
    }
  }
  return beside && columns.every(({ cells, names }) => cells === 1 || names * 2 >= cells);
}

/** Whether a header names more than the one column of a list. */
const hasColumns = (header: SourceRow | undefined): boolean =>
  header === undefined || header.cells.slice(1).some((cell) => valueOf(cell) !== '');

const oneByRow = (rows: readonly SourceRow[]): SourceRow[] =>
  rows.flatMap(({ line, cells }) => cells.flatMap(namesIn).map((name) => ({ line, cells: [name] })));

/** Returns the names in those cells of a row that are mapped to no field. */
export const namesBeside = ({ cells }: SourceRow, mapping: ImportTable['mapping']): string[] =>
  cells.flatMap((cell, index) => (mapping[index] ? [] : namesIn(cell).filter(isHostname)));

/** Returns the column with the most hosts in the first rows, the leftmost of equals; -1 if none has any. */
function columnOfHosts(rows: readonly SourceRow[], width: number): number {
  let best = -1;
  let most = 0;
  for (let column = 0; column < width; column++) {
    const hosts = rows.slice(0, LOOKED_AT).filter(({ cells }) => isHostname(valueOf(cells[column]))).length;
    if (hosts > most) [best, most] = [column, hosts];
  }
  return best;
}

/** Maps each field to the first column whose header names it. */
function mappingOf(names: readonly string[], rows: readonly SourceRow[]): (ImportField | null)[] {
  const found = names.map(fieldOfHeader);
  const mapping = found.map((field, index) => (found.indexOf(field) === index ? field : null));
  if (!mapping.includes('domain_name')) {
    const column = columnOfHosts(rows, names.length);
    if (column !== -1) mapping[column] = 'domain_name';
  }
  return mapping;
}

/**
 * Recognises a file's header and columns, unless the options give them. Without a header the column with hosts is the name;
 * the lines of a pasted list, with a heading or without, become one name per row.
 */
export function readTable(
  source: readonly SourceRow[],
  { header, columns }: Pick<ImportOptions, 'header' | 'columns'>,
): ImportTable {
  const [first] = source;
  const hasHeader = header === 'on' || (header === 'auto' && first !== undefined && looksLikeHeader(first));
  const body = hasHeader ? source.slice(1) : source;
  const isUntitled = !columns && !(hasHeader && hasColumns(first));
  const isList = isUntitled && isListOfNames(body);
  const rows = isList ? oneByRow(body) : body;
  const width = Math.min(
    (hasHeader && !isList ? source : rows).reduce((most, { cells }) => Math.max(most, cells.length), 0),
    MAX_COLUMNS,
  );
  const names = Array.from({ length: width }, (_, index) => (hasHeader ? valueOf(first?.cells[index]) : ''));
  const samplesOf = (index: number): string[] =>
    rows
      .slice(0, LOOKED_AT)
      .map(({ cells }) => valueOf(cells[index]).slice(0, 80))
      .filter((value) => value !== '')
      .slice(0, SAMPLES);
  return {
    header: hasHeader,
    columns: names.map((name, index) => ({ name, samples: samplesOf(index) })),
    mapping: columns ? names.map((_, index) => columns[index] ?? null) : mappingOf(names, rows),
    isUntitled,
    rows,
  };
}
