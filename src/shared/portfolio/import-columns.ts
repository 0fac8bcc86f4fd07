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
  rows: readonly SourceRow[];
}

const looksLikeHeader = ({ cells }: SourceRow): boolean =>
  cells.some(isKnownHeader) && !cells.some((cell) => isHostname(valueOf(cell)));

/** Whether rows hold nothing but hosts, some of them several: a list pasted with commas or tabs between the names. */
const isListOfHosts = (rows: readonly SourceRow[]): boolean =>
  rows.some(({ cells }) => cells.length > 1) &&
  rows.every(({ cells }) => cells.every((cell) => cell.trim() === '' || isHostname(valueOf(cell))));

const oneByRow = (rows: readonly SourceRow[]): SourceRow[] =>
  rows.flatMap(({ line, cells }) =>
    cells.filter((cell) => cell.trim() !== '').map((cell) => ({ line, cells: [cell] })),
  );

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
 * rows of nothing but hosts become one host per row.
 */
export function readTable(
  source: readonly SourceRow[],
  { header, columns }: Pick<ImportOptions, 'header' | 'columns'>,
): ImportTable {
  const [first] = source;
  const hasHeader = header === 'on' || (header === 'auto' && first !== undefined && looksLikeHeader(first));
  const body = hasHeader ? source.slice(1) : source;
  const rows = !hasHeader && !columns && isListOfHosts(body) ? oneByRow(body) : body;
  const width = Math.min(
    (hasHeader ? source : rows).reduce((most, { cells }) => Math.max(most, cells.length), 0),
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
    rows,
  };
}
