import { guardCell, unguardCell } from '../../src/shared/csv.ts';

const cellOf = (text: string): string => {
  const guarded = guardCell(text);
  return /["\t\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
};

/** Rows as spreadsheets put them on the clipboard: tabs between cells, formulas made harmless. */
export const writeTsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => cells.map(cellOf).join('\t')).join('\n');

// A cell in quotes, in which a quote is doubled, or one without; then what ends it. A quote that is never closed is text.
const CELL = /(?:"((?:[^"]|"")*)"|([^\t\r\n]*))(\t|\r\n|\n|\r|$)/y;

/** Reads cells from the clipboard as spreadsheets write them. */
export function readTsv(text: string): string[][] {
  const rows: string[][] = [[]];
  let end = '';
  CELL.lastIndex = 0;
  do {
    const [, quoted, plain = '', after = ''] = CELL.exec(text) ?? [];
    rows.at(-1)?.push(unguardCell(quoted?.replaceAll('""', '"') ?? plain));
    end = after;
    const isOver = CELL.lastIndex >= text.length;
    if (isOver && end === '\t') rows.at(-1)?.push('');
    if (isOver) break;
    if (end !== '\t') rows.push([]);
  } while (end !== '');
  return rows;
}
