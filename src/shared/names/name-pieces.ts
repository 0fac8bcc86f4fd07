import type { Part } from './name-template.ts';

/** A piece of a name: one string of a table, or all options in some order. */
export type Piece =
  | { kind: 'table'; options: string[] } //
  | { kind: 'order'; options: string[]; joiner: string };

// Large enough that few look-ups remain, small enough to be built in a millisecond and stay in the cache.
const TABLE = 4096;
const MAX_LABEL = 63;
const MAX_HOST = 253;

/**
 * Merges neighbouring tables, so that a usual template is one to three tables, and a name one to three look-ups. Options that
 * give the same string become one.
 */
export function foldPieces(pieces: Piece[]): Piece[] {
  const folded: Piece[] = [];
  for (const piece of pieces) {
    const last = folded.at(-1);
    if (last?.kind === 'table' && piece.kind === 'table' && last.options.length * piece.options.length <= TABLE) {
      const pairs = last.options.flatMap((head) => piece.options.map((tail) => head + tail));
      folded[folded.length - 1] = { kind: 'table', options: [...new Set(pairs)] };
    } else {
      folded.push(piece);
    }
  }
  return folded;
}

/** Compiles a part of a template, in lower case. Equal options become one, except where all of them stand in the name. */
export function pieceOf(part: Part): Piece {
  if (part.kind === 'text') return { kind: 'table', options: [part.text.toLowerCase()] };
  const options = part.options.map((option) => option.toLowerCase());
  if (part.kind === 'pick') return { kind: 'table', options: [...new Set(options)] };
  const order: Piece = { kind: 'order', options, joiner: part.joiner.toLowerCase() };
  // 6! orders fit into a table, 7! don't.
  if (options.length > 6) return order;
  const radices = radicesOf(order);
  const count = radices.reduce((product, radix) => product * radix, 1);
  const orders = Array.from({ length: count }, (_, index) => {
    const digits = radices.map((radix) => {
      const digit = index % radix;
      index = Math.floor(index / radix);
      return digit;
    });
    return writeName([order], digits);
  });
  return { kind: 'table', options: [...new Set(orders)] };
}

/** Returns the number of values of each choice of a piece: one choice for a table; n, n-1 … 2 for an order of n. */
export const radicesOf = (piece: Piece): number[] =>
  piece.kind === 'table'
    ? [piece.options.length]
    : Array.from({ length: piece.options.length - 1 }, (_, index) => piece.options.length - index);

/** Returns the number of arrangements. */
export const countOf = (pieces: Piece[]): bigint =>
  pieces.flatMap(radicesOf).reduce((product, radix) => product * BigInt(radix), 1n);

/** Writes the name of one arrangement: a digit for each of the radices of all pieces. */
export function writeName(pieces: Piece[], digits: number[]): string {
  let name = '';
  let at = 0;
  for (const piece of pieces) {
    if (piece.kind === 'table') {
      name += piece.options[digits[at] ?? 0] ?? '';
      at += 1;
    } else {
      const left = [...piece.options];
      const order = radicesOf(piece).flatMap((_, index) => left.splice(digits[at + index] ?? 0, 1));
      name += [...order, ...left].join(piece.joiner);
      at += piece.options.length - 1;
    }
  }
  return name;
}

// Reduce, because there may be more options than a call can take as arguments.
const pieceLength = (piece: Piece, extreme: (a: number, b: number) => number): number => {
  const lengths = piece.options.map((option) => option.length);
  if (piece.kind === 'table') return lengths.reduce((a, b) => extreme(a, b));
  return lengths.reduce((a, b) => a + b) + piece.joiner.length * (lengths.length - 1);
};

const nameLength = (pieces: Piece[], extreme: (a: number, b: number) => number): number =>
  pieces.reduce((sum, piece) => sum + pieceLength(piece, extreme), 0);

/** Whether even the shortest choices make the whole, or a label, longer than a name can be. */
export function isTooLong(pieces: Piece[]): boolean {
  if (nameLength(pieces, Math.min) > MAX_HOST) return true;
  let label = 0;
  for (const piece of pieces) {
    const hasDot = piece.options.some((option) => option.includes('.'));
    if (hasDot || (piece.kind === 'order' && piece.joiner.includes('.'))) label = 0;
    else label += pieceLength(piece, Math.min);
    // UTS46 may map other letters to something shorter.
    if (!isAscii(piece)) return false;
    if (label > MAX_LABEL) return true;
  }
  return false;
}

const ASCII = /^[a-z0-9.-]*$/;

const isAscii = (piece: Piece): boolean =>
  piece.options.every((option) => ASCII.test(option)) && (piece.kind === 'table' || ASCII.test(piece.joiner));

/**
 * Whether two arrangements are always two names. True if a name can be decoded: from the left through pieces none of whose
 * strings begins with another, from the right likewise, so that at most one piece is left between. False means "not
 * proved"; always so with letters beyond ASCII, because UTS46 may map two spellings to one.
 */
export function alwaysDecodes(pieces: Piece[]): boolean {
  if (!pieces.every(isAscii)) return false;
  if (!pieces.every((piece) => piece.kind === 'table' || hasDistinctOrders(piece.options, piece.joiner))) return false;
  // All orders of a piece have one length, so none begins or ends with another.
  const left = pieces.findIndex((piece) => piece.kind === 'table' && !isPrefixFree(piece.options));
  const right = pieces.findLastIndex((piece) => piece.kind === 'table' && !isPrefixFree(piece.options.map(reversed)));
  return left === -1 || right === -1 || left >= right;
}

const reversed = (text: string): string => text.split('').reverse().join('');

// In sorted order all strings between a prefix and a string that begins with it begin with it, too: neighbours suffice.
function isPrefixFree(options: string[]): boolean {
  const sorted = [...options].sort();
  return sorted.every((option, index) => index === 0 || !option.startsWith(sorted[index - 1] ?? ''));
}

const hasDistinctOrders = (options: string[], joiner: string): boolean =>
  isPrefixFree(options) ||
  isPrefixFree(options.map(reversed)) ||
  (joiner.length === 1 &&
    new Set(options).size === options.length &&
    !options.some((option) => option.includes(joiner)));

/**
 * Whether every arrangement is a name that can be bought. Tracks the possible states of the current label through all options
 * at once. False means "not proved": also for `--` (which may begin broken punycode), for a zone in punycode, and if a name may
 * be longer than a label.
 */
export function alwaysValid(pieces: Piece[]): boolean {
  if (nameLength(pieces, Math.max) > MAX_LABEL) return false;
  let states = new Set<State>(['begin']);
  for (const piece of pieces) {
    const table = readAll(states, piece.options);
    if (table === null) return false;
    states = table;
    if (piece.kind === 'table') continue;
    for (let round = 1; round < piece.options.length; round += 1) {
      const joined = readAll(states, [piece.joiner]);
      const next = joined && readAll(joined, piece.options);
      if (next === null) return false;
      states = next;
    }
  }
  return [...states].every((state) => state === 'zone');
}

// State of reading. `begin`: start of the first label; `dot`: start of a later one, after which `letter` is one letter and
// `zone` more than one; `hyphen` must not end a label; `label` is any other text. The first label is never a zone.
type State = 'begin' | 'dot' | 'letter' | 'zone' | 'label' | 'hyphen';

function readAll(states: Set<State>, texts: string[]): Set<State> | null {
  const after = new Set<State>();
  for (const state of states) {
    for (const text of texts) {
      const end = read(state, text);
      if (end === null) return null;
      after.add(end);
    }
  }
  return after;
}

function read(state: State, text: string): State | null {
  for (const character of text) {
    if (character === '.' || character === '-') {
      if (state === 'begin' || state === 'dot' || state === 'hyphen') return null;
      state = character === '.' ? 'dot' : 'hyphen';
    } else if (/[a-z]/.test(character)) {
      if (state === 'dot') state = 'letter';
      else state = state === 'letter' || state === 'zone' ? 'zone' : 'label';
    } else if (/[0-9]/.test(character)) {
      state = 'label';
    } else {
      return null;
    }
  }
  return state;
}
