import { parse, CsvError } from 'csv-parse/sync';
import { AppError } from '../shared/errors.ts';
import {
  MAX_IMPORT_ROWS,
  type ImportDelimiter,
  type ImportEncoding,
  type SourceRow,
} from '../shared/portfolio/imports.ts';
import { decodeUnicode } from './text-file.ts';

// A longer record is a quote that was never closed, not a row.
const MAX_RECORD_CHARACTERS = 100_000;
// Number of lines from which the delimiter is recognised.
const LOOKED_AT_LINES = 20;
const DELIMITERS: readonly ImportDelimiter[] = [';', '\t', ','];

/** A parsed CSV file. */
export interface CsvText {
  encoding: ImportEncoding;
  delimiter: ImportDelimiter;
  rows: SourceRow[];
}

/** Decodes UTF-16 by its byte order mark, UTF-8 if it is valid, else windows-1251, in which a Russian Excel saves CSV. */
const decode = (bytes: Uint8Array): { encoding: ImportEncoding; text: string } =>
  decodeUnicode(bytes) ?? { encoding: 'windows-1251', text: new TextDecoder('windows-1251').decode(bytes) };

/** Counts a delimiter in a line outside quotes. */
const countOf = (line: string, delimiter: string): number => line.replace(/"[^"]*"/g, '').split(delimiter).length - 1;

/** Returns the delimiter that splits the most lines into as many cells as the first; a comma if none splits any. */
function delimiterOf(text: string): ImportDelimiter {
  const lines = text
    .slice(0, MAX_RECORD_CHARACTERS)
    .split('\n', LOOKED_AT_LINES * 2)
    .filter((line) => line.trim() !== '')
    .slice(0, LOOKED_AT_LINES);
  const scores = DELIMITERS.map((delimiter) => {
    const first = countOf(lines[0] ?? '', delimiter);
    return first * lines.filter((line) => countOf(line, delimiter) === first).length;
  });
  const best = Math.max(...scores);
  return best === 0 ? ',' : (DELIMITERS[scores.indexOf(best)] ?? ',');
}

const lineBreaksIn = (cells: readonly string[]): number =>
  cells.reduce((count, cell) => count + (cell.includes('\n') ? cell.split('\n').length - 1 : 0), 0);

/**
 * Reads CSV or TSV in any of the encodings and delimiters; rows without a value are left out. Throws AppError `invalid` for
 * bytes that are no text or an unclosed quote, `too_large` for too many rows.
 */
export function readCsv(bytes: Uint8Array): CsvText {
  const { encoding, text: raw } = decode(bytes);
  if (raw.includes('\0')) throw new AppError('invalid', 'import.not_text');
  const text = raw.replace(/\r\n?/g, '\n');
  const delimiter = delimiterOf(text);
  const rows: SourceRow[] = [];
  let last = 0;
  try {
    parse(text, {
      delimiter,
      record_delimiter: '\n',
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      max_record_size: MAX_RECORD_CHARACTERS,
      on_record: (cells: string[], { lines }) => {
        // One more than the limit, for a header.
        if (rows.length > MAX_IMPORT_ROWS) {
          throw new AppError('too_large', 'import.too_many_rows', { limit: MAX_IMPORT_ROWS });
        }
        last = lines;
        rows.push({ line: lines - lineBreaksIn(cells), cells });
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const key = error.code === 'CSV_MAX_RECORD_SIZE' ? 'import.long_record' : 'import.unclosed_quote';
    throw new AppError('invalid', key, { line: last + 1 }, { cause: error });
  }
  return { encoding, delimiter, rows };
}
