import type { Asked } from './terminal/asked.ts';
import { areTimes, clip, fitColumns, isFinding, NAMES, shortCell, widthOf, type Layout } from './terminal/fit.ts';

/** The documented exit codes. */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 75 | 129 | 130 | 143;

/** An item that failed, listed beside those that succeeded. */
export interface ItemError {
  domain?: string;
  keyword?: string;
  code: string;
  message: string;
}

/** Returns the error as a line: its message, preceded by the item unless the message contains it. */
export const lineOf = ({ domain, keyword, message }: ItemError): string => {
  const item = domain ?? keyword ?? '';
  return message.includes(item) ? message : `${item}: ${message}`;
};

/** Formats a value that is no plain text; `row` is the item it is of. */
type Show = (value: unknown, row: Record<string, unknown>) => string;

/** A field of a list: `title` is its heading for people, null: only CSV and TSV have it; `minor` ones go first from a narrow terminal. */
export interface Column {
  field: string;
  title: string | null;
  show?: Show;
  minor?: boolean;
}

/**
 * Declares the fields of a list's items, in the order of the CSV header, which depends on this alone: `true` shows a field to
 * people under its own name, a text under that title, `false` not at all. A field that an item lacks is an empty cell.
 */
export const columnsOf = <Item extends object>(
  fields: Record<keyof Item & string, boolean | string | { title: string; show: Show }>,
): Column[] =>
  Object.entries<boolean | string | { title: string; show: Show }>(fields).map(([field, shown]) =>
    typeof shown === 'object'
      ? { field, title: shown.title, show: shown.show }
      : { field, title: shown === true ? field : shown || null },
  );

/** Declares fields that people don't see, in the order of the CSV header. */
export const hidden = (fields: readonly string[]): Column[] => fields.map((field) => ({ field, title: null }));

/** Returns the same columns, of which people see only the given fields. */
export const showOnly = (columns: readonly Column[], ...fields: string[]): Column[] =>
  columns.map((column) => (fields.includes(column.field) ? column : { ...column, title: null }));

/** Returns the same columns, of which the given fields are the first to go from a narrow terminal, the last one first. */
export const minorOf = (columns: readonly Column[], ...fields: string[]): Column[] =>
  columns.map((column) => (fields.includes(column.field) ? { ...column, minor: true } : column));

/** A failure for programs: `code` is stable, `message` is for people. */
export interface Failure {
  exit: ExitCode;
  code: string;
  message: string;
  fields?: Record<string, string>;
}

/**
 * The result of a command. `columns` declare the fields of `items`; `data` are further fields of the document; `text`
 * is the output for people if it is no list; `csv` is finished CSV; `itemsJson` are items as finished JSON, in parts;
 * `note` returns a sentence for stderr. `next` are the words of the command that people type next.
 */
export interface Result {
  exit?: ExitCode;
  items?: object[];
  itemsJson?: Iterable<Buffer>;
  columns?: Column[];
  summary?: object;
  errors?: ItemError[];
  data?: object;
  text?: string;
  csv?: string;
  note?: () => string;
  next?: string;
  failure?: Failure;
}

// C0, DEL, C1 and characters that change the writing direction: data must not control a terminal.
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/g;

/** Replaces the characters that control a terminal; in a text of several lines those of each. */
export const harmless = (text: string): string => text.replace(CONTROLS, '\uFFFD');
export const harmlessLines = (text: string): string => text.split('\n').map(harmless).join('\n');

const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value;
  return value === null || value === undefined ? '' : JSON.stringify(value);
};

// JSON leaves DEL, C1 and line separators unescaped.
const json = (value: unknown): string =>
  JSON.stringify(value).replace(
    // oxlint-disable-next-line no-control-regex
    /[\u007F-\u009F\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

// A spreadsheet would take such a text for a formula; a number is none, whatever its sign.
const guard = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

const csvCell = (value: unknown): string => {
  const text = harmless(typeof value === 'string' ? guard(value) : textOf(value));
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

const rowsOf = (result: Result): Record<string, unknown>[] =>
  (result.items ?? (result.data ? [result.data] : [])) as Record<string, unknown>[];

/** The fields of a list are its declared columns; a single document has its own. */
const fieldsOf = (result: Result): string[] =>
  result.columns?.map(({ field }) => field) ?? [...new Set(rowsOf(result).flatMap((row) => Object.keys(row)))];

function separated(result: Result, separator: string, cell: (value: unknown) => string, heading: boolean): string {
  const fields = fieldsOf(result);
  const lines = rowsOf(result).map((row) => fields.map((field) => cell(row[field])).join(separator));
  if (heading && fields.length > 0) lines.unshift(fields.join(separator));
  const end = separator === ',' ? '\r\n' : '\n';
  return lines.map((line) => `${line}${end}`).join('');
}

// Findings (3) are a result, not a failure.
const isOk = (exit: ExitCode): boolean => exit === 0 || exit === 3;

function envelope(command: string, { exit = 0, data, failure, ...result }: Result): object {
  const { items = result.itemsJson && [], summary, errors } = result;
  const error = failure && { code: failure.code, message: failure.message, fields: failure.fields };
  const schema = command && `seo-admin/${command.replaceAll(' ', '.')}@1`;
  // Without failed items, an `errors` field of `data` stays.
  return {
    ...(schema ? { schema } : {}),
    ok: isOk(exit),
    exit,
    ...data,
    items,
    summary,
    ...(errors && { errors }),
    error,
  };
}

function ndjson(command: string, result: Result): string {
  const { items: _items, ...rest } = envelope(command, result) as Result;
  const lines = rowsOf({ items: result.items }).map((item) => json({ type: 'item', ...item }));
  return [...lines, json({ type: 'summary', ...rest }), ''].join('\n');
}

/**
 * Formats the result of a command (its words, as in `user create`) for stdout; `paint` colours a table cell. On a terminal there is a `layout`,
 * into which tables are fitted.
 */
export function write(command: string, result: Result, { format }: Asked, paint: Paint, layout?: Layout): string {
  if (format === 'json') return `${json(envelope(command, result))}\n`;
  if (format === 'ndjson') return ndjson(command, result);
  if (result.failure && !result.items && !result.data) return '';
  if (result.csv !== undefined) return result.csv;
  if (format === 'csv') return separated(result, ',', csvCell, true);
  const cell = (value: unknown): string => harmless(textOf(value));
  if (format === 'tsv' || format === 'plain') return separated(result, '\t', cell, format === 'tsv');
  if (result.text !== undefined) return result.text === '' ? '' : `${harmlessLines(result.text)}\n`;
  return table(command, result, paint, layout);
}

// Items serialized at once: a long list as one string would take several times its memory.
const ITEMS_AT_ONCE = 500;

/** Yields the output of `write`; in pieces for a long JSON document or one with `itemsJson`. */
export function* inPieces(
  command: string,
  result: Result,
  asked: Asked,
  paint: Paint,
  layout?: Layout,
): Generator<string | Buffer> {
  const { items = [], itemsJson } = result;
  if (itemsJson === undefined && (asked.format !== 'json' || items.length <= ITEMS_AT_ONCE)) {
    yield write(command, result, asked, paint, layout);
    return;
  }
  const document = write(command, { ...result, items: [] }, asked, paint);
  const empty = '"items":[]';
  // The first match is the right one: no typed text stands before it.
  const at = document.indexOf(empty);
  yield `${document.slice(0, at)}"items":`;
  if (itemsJson !== undefined) yield* itemsJson;
  else {
    for (let start = 0; start < items.length; start += ITEMS_AT_ONCE) {
      const some = json(items.slice(start, start + ITEMS_AT_ONCE));
      yield `${start === 0 ? '[' : ','}${some.slice(1, -1)}`;
    }
    yield ']';
  }
  yield document.slice(at + empty.length);
}

/** Colours a cell by its field and text, which may be shortened; `whole` is all of it. */
export type Paint = (field: string, text: string, whole: string) => string;

function table(command: string, result: Result, paint: Paint, layout: Layout | undefined): string {
  const found = rowsOf(result);
  if (found.length === 0) return '';
  const isCheck = layout !== undefined && command.startsWith('check ');
  // Findings of a check come first; the order stays otherwise.
  const rows = isCheck ? found.toSorted((one, other) => Number(isFinding(other)) - Number(isFinding(one))) : found;
  const declared = result.columns ?? fieldsOf(result).map((field): Column => ({ field, title: field }));
  const columns = declared.flatMap(({ title, ...column }) =>
    title === null ? [] : [{ ...column, title: layout ? layout.heading(title) : title }],
  );
  const cellOf = (text: string): string => (layout ? shortCell(text) : text);
  const cells = rows.map((row) =>
    columns.map(({ field, show }) => harmless(show ? show(row[field], row) : cellOf(textOf(row[field])))),
  );
  const natural = columns.map(({ title }, index) =>
    cells.reduce((width, line) => Math.max(width, widthOf(line[index] ?? '')), widthOf(title)),
  );
  const hasName = columns.some(({ field }) => NAMES.has(field));
  const first = columns.findIndex(({ minor }) => !minor);
  const isName = (index: number): boolean => (hasName ? NAMES.has(columns[index]?.field ?? '') : index === first);
  const measured = natural.map((width, index) => {
    const column = cells.map((line) => line[index] ?? '');
    const isEmpty = column.every((text) => text === '');
    const isMinor = columns[index]?.minor === true;
    return { width, isEmpty, isName: isName(index), isTime: areTimes(column), isMinor };
  });
  const widths = layout ? fitColumns(measured, layout.width) : natural;
  const kept = columns.flatMap((_, index) => ((widths[index] ?? 0) > 0 || !layout ? [index] : []));
  const last = kept.at(-1);
  const pad = (cell: string, index: number): string => {
    const width = widths[index] ?? 0;
    const text = layout ? clip(cell, width, isName(index)) : cell;
    return index === last ? text : text.padEnd(text.length + width - widthOf(text));
  };
  const lineOf = (line: readonly string[], show: Paint): string[] =>
    kept.map((index) => show(columns[index]?.field ?? '', pad(line[index] ?? '', index), line[index] ?? ''));
  return [
    lineOf(
      columns.map(({ title }) => title),
      (_field, text) => text,
    ),
    ...cells.map((line) => lineOf(line, paint)),
  ]
    .map((line) => `${line.join('  ').trimEnd()}\n`)
    .join('');
}
