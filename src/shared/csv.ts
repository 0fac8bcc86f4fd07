// What a spreadsheet would run as a formula (ASVS 1.2.10). Quotes in front are counted in, so that reading takes off
// exactly what writing put on.
const FORMULA = /^'*[=+\-@\t\r]/;
const GUARDED = /^'+[=+\-@\t\r]/;

/** A cell that no spreadsheet takes for a formula. */
export const guardCell = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

/** A cell as it was before `guardCell`. */
export const unguardCell = (text: string): string => (GUARDED.test(text) ? text.slice(1) : text);

/** `semicolon` is what a Russian Excel opens as a table; it also needs the byte order mark for UTF-8. */
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
