/** Expressions that SQLite and PostgreSQL spell differently. Statements use them while the database is open. */
import type { Column } from '../src/shared/table.ts';
import { dialect } from './index.ts';

const either = (sqlite: string, postgres: string): string => (dialect() === 'sqlite' ? sqlite : postgres);

/** The bytes of a text in UTF-8. */
export const bytesOf = (text: string): string => either(`CAST(${text} AS BLOB)`, `convert_to(${text}, 'UTF8')`);

/** A whole number as a text of a width, with blanks before it. */
export const padded = (number: string, width: number): string =>
  either(`printf('%${width}d', ${number})`, `lpad(CAST(${number} AS TEXT), ${width})`);

/** The id of a row that is inserted together with rows that have theirs. */
export const newId = (table: string): string => either('NULL', `nextval(pg_get_serial_sequence('${table}', 'id'))`);

/** The whole seconds from one stored time to another. */
export const secondsBetween = (from: string, to: string): string =>
  either(
    `(unixepoch(${to}) - unixepoch(${from}))`,
    `CAST(extract(epoch FROM CAST(${to} AS timestamptz) - CAST(${from} AS timestamptz)) AS INTEGER)`,
  );

/** The members of a JSON array that are arrays or objects: SQLite would parse each of them again for each of its own members. */
export const eachParsed = (json: string): string => either(`jsonb_each(${json})`, `json_each(${json})`);

const NUMBERS = new Set(['id', 'integer', 'flag', 'reference']);

/** A member of JSON as a value of a column: a number is a text on PostgreSQL unless it is cast. */
export const memberOf = (json: string, place: string | number, { kind }: Column<unknown>): string => {
  const member = `${json} ->> ${typeof place === 'number' ? place : `'${place}'`}`;
  return NUMBERS.has(kind) ? `CAST(${member} AS INTEGER)` : member;
};

const GLOB_SIGNS = /[*?[]/;
const REGEXP_SIGNS = /[\\^$.|?*+()[\]{}]/;

/** Returns a letter as a pattern finds it in either case. Letters whose cases differ in length are taken as they are. */
function eitherCase(letter: string): string {
  if (dialect() === 'sqlite' && GLOB_SIGNS.test(letter)) return `[${letter}]`;
  if (dialect() !== 'sqlite' && REGEXP_SIGNS.test(letter)) return `\\${letter}`;
  const [lower, upper] = [letter.toLowerCase(), letter.toUpperCase()];
  return lower !== upper && lower.length === letter.length && upper.length === letter.length
    ? `[${lower}${upper}]`
    : letter;
}

/**
 * The condition that a text holds what `patternOf` made of another. `lower` and LIKE know the cases of ASCII alone: SQLite's always,
 * PostgreSQL's in a database of the locale C. There the pattern has no use for a collation, and those of `nocase` have none for it.
 */
export const holds = (text: string, pattern: string): string =>
  either(`${text} GLOB ${pattern}`, `(${text}) COLLATE "C" ~ ${pattern}`);

/** Returns a text as `holds` finds it, whatever the case of its letters. */
export function patternOf(text: string): string {
  const letters = Array.from(text, eitherCase).join('');
  return either(`*${letters}*`, letters);
}

/**
 * The condition that a text is what `spellingOf` made of another, whatever the case of its letters: SQLite's NOCASE knows those of ASCII
 * alone. No index helps there, so it is for tables of a few rows.
 */
export const isSpelled = (text: string, spelling: string): string =>
  either(`${text} GLOB ${spelling}`, `${text} = ${spelling} COLLATE NOCASE`);

// Names are shorter. SQLite takes no pattern of more than 50,000 bytes.
const LONGEST_SPELLING = 1_000;

/** Returns a text as `isSpelled` finds it. No text has a NUL: SQLite would read no further, and PostgreSQL refuses it. */
export function spellingOf(text: string): string {
  const given = text.slice(0, LONGEST_SPELLING).replaceAll('\0', '\ufffd');
  return either(Array.from(given, eitherCase).join(''), given);
}
