// Cells that a spreadsheet would run as a formula (ASVS 1.2.10). Leading quotes match, too, so that `unguardCell` removes
// exactly what `guardCell` has added.
const FORMULA = /^'*[=+\-@\t\r]/;
const GUARDED = /^'+[=+\-@\t\r]/;

/** Makes a cell harmless that a spreadsheet would take for a formula, with a quote in front. */
export const guardCell = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

/** A cell as it was before `guardCell`. */
export const unguardCell = (text: string): string => (GUARDED.test(text) ? text.slice(1) : text);

/** A Russian Excel opens a file as a table if the delimiter is `;`, and reads UTF-8 only after a byte order mark. */
export interface CsvStyle {
  delimiter: ',' | ';';
  bom: boolean;
}

function cellOf(text: string, delimiter: string): string {
  const guarded = guardCell(text);
  const isPlain = !guarded.includes(delimiter) && !/["\r\n]/.test(guarded);
  return isPlain ? guarded : `"${guarded.replaceAll('"', '""')}"`;
}

/** Rows as CSV by RFC 4180, lines ended by CR LF, formulas made harmless. */
export function writeCsv(rows: readonly (readonly string[])[], { delimiter, bom }: CsvStyle): string {
  const lines = rows.map((cells) => cells.map((cell) => cellOf(cell, delimiter)).join(delimiter));
  return `${bom ? '\uFEFF' : ''}${lines.join('\r\n')}${lines.length > 0 ? '\r\n' : ''}`;
}
