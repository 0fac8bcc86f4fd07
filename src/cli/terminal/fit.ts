const WIDE =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|\p{Emoji_Presentation}/u;

const charWidth = (character: string): number => (/\p{M}/u.test(character) ? 0 : WIDE.test(character) ? 2 : 1);

/** Returns the width of a text in terminal columns. */
export const widthOf = (text: string): number =>
  Array.from(text).reduce((width, character) => width + charWidth(character), 0);

/** The columns of a terminal that tells none. */
export const USUAL_TERMINAL = 80;

/** How a table is shown on a terminal: its width in columns, and what its headings are called there. */
export interface Layout {
  width: number;
  heading: (title: string) => string;
}

const GAP = 2;
// A column is not made narrower than this; one of names keeps a third of the room.
const NARROWEST = 8;
const NAME_SHARE = 3;
// Less of a text is hard to read.
const READABLE = 24;
// A time is shown whole, or without its year where that is plain, or as its day.
const DAY_OR_TIME = /^\d{4}-\d\d-\d\d(?: \d\d:\d\d)?$/;
const TIME_WIDTH = 11;
const DAY_WIDTH = 10;
// So far from now the year is plain: of two with the same month and day the other one is further away.
const PLAIN_YEAR_MS = 180 * 24 * 3_600_000;

/** The fields that name a domain, by which people know a row. */
export const NAMES: ReadonlySet<string> = new Set([
  'domain',
  'domain_name',
  'main_domain_name',
  'transfer_domain_name',
]);

/**
 * A column before it is fitted. `isName`: it names the row; `isTime`: all its cells are days or times; `isMinor`: it is left out before
 * others.
 */
export interface Natural {
  width: number;
  isEmpty: boolean;
  isName: boolean;
  isTime: boolean;
  isMinor?: boolean;
}

const total = (widths: readonly number[]): number =>
  widths.reduce((sum, width) => sum + width, 0) + GAP * Math.max(0, widths.length - 1);

/** Returns the columns with room for so much of their times. */
const withTimes = (columns: readonly Natural[], width: number): Natural[] =>
  columns.map((column) => (column.isTime ? { ...column, width: Math.min(column.width, width) } : column));

/** Makes the widest columns narrower until all fit, but no times; null: they can't. */
function narrowed(columns: readonly Natural[], room: number): number[] | null {
  const floors = columns.map(({ width, isName, isTime }) =>
    Math.min(width, isTime ? width : isName ? Math.max(NARROWEST, Math.floor(room / NAME_SHARE)) : NARROWEST),
  );
  if (total(floors) > room) return null;
  const fitted = columns.map(({ width }) => width);
  while (total(fitted) > room) {
    const can = fitted.map((width, index) => (width > (floors[index] ?? 0) ? width : 0));
    const widest = can.indexOf(Math.max(...can));
    fitted[widest] = (fitted[widest] ?? 0) - 1;
  }
  return fitted;
}

/**
 * Returns the widths of columns so that they fit into `room`; 0: a column is left out. Empty ones go first; then long texts are cut, times lose
 * their year, short texts are cut, times lose their hour; then minor columns go, then those at the right. Columns that name the row stay.
 */
export function fitColumns(columns: readonly Natural[], room: number): number[] {
  const widths = columns.map(({ width }) => width);
  if (total(widths) <= room) return widths;
  let kept = columns.filter(({ isEmpty, isName }) => isName || !isEmpty);
  for (;;) {
    const whole = narrowed(kept, room);
    // A year says less than the end of a short text beside it.
    const isTight = kept.some(({ width }, index) => (whole?.[index] ?? 0) < Math.min(width, READABLE));
    const fitted =
      (isTight ? narrowed(withTimes(kept, TIME_WIDTH), room) : whole) ?? narrowed(withTimes(kept, DAY_WIDTH), room);
    const last = kept.findLast(({ isMinor }) => isMinor) ?? kept.findLast(({ isName }) => !isName);
    if (fitted || last === undefined) {
      const share = Math.max(1, Math.floor((room + GAP) / kept.length) - GAP);
      return columns.map((column) => {
        const at = kept.indexOf(column);
        return at === -1 ? 0 : (fitted?.[at] ?? Math.min(column.width, share));
      });
    }
    kept = kept.filter((column) => column !== last);
  }
}

/** Returns as much of the beginning of some letters as fits into a width. */
function head(letters: readonly string[], width: number): string {
  let [used, text] = [0, ''];
  for (const letter of letters) {
    used += charWidth(letter);
    if (used > width) break;
    text += letter;
  }
  return text;
}

const reversed = (text: string): string => Array.from(text).toReversed().join('');

/** Shortens a text to a width; `isName`: in its middle, because names differ at both ends. A time loses its year, or its hour. */
export function clip(text: string, width: number, isName = false): string {
  if (widthOf(text) <= width) return text;
  if (width >= DAY_WIDTH && DAY_OR_TIME.test(text)) {
    const isPlain = Math.abs(Date.parse(`${text.replace(' ', 'T')}Z`) - Date.now()) < PLAIN_YEAR_MS;
    return isPlain && width >= TIME_WIDTH ? text.slice(5) : text.slice(0, DAY_WIDTH);
  }
  const letters = Array.from(text);
  if (!isName) return `${head(letters, width - 1)}…`;
  const left = head(letters, Math.ceil((width - 1) / 2));
  return `${left}…${reversed(head(letters.toReversed(), width - 1 - widthOf(left)))}`;
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** Returns a cell as people read it on a terminal: times (UTC) to the minute, days without their midnight. */
export const shortCell = (text: string): string =>
  TIME.test(text)
    ? /T00:00:00(?:\.0+)?Z$/.test(text)
      ? text.slice(0, 10)
      : text.slice(0, 16).replace('T', ' ')
    : text;

/** Whether the cells of a column, as `shortCell` returns them, are days or times; empty ones aside. */
export const areTimes = (cells: readonly string[]): boolean => {
  const told = cells.filter((text) => text !== '');
  return told.length > 0 && told.every((text) => DAY_OR_TIME.test(text));
};

const BAD = new Set(['blocked', 'fail', 'failed', 'down', 'error', 'expired', 'critical', 'late', 'unknown']);

/** Whether a row of a check tells of something that is not as it should be. */
export function isFinding({ status, error, http_status_code: code, expired_at }: Record<string, unknown>): boolean {
  const isOver = typeof expired_at === 'string' && Date.parse(expired_at) < Date.now();
  const isBadCode = typeof code === 'number' && (code < 200 || code > 299);
  const hasError = error !== undefined && error !== null && error !== '';
  return isBadCode || hasError || isOver || (typeof status === 'string' && BAD.has(status));
}
