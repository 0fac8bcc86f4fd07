import { AppError } from '../errors.ts';
import { cleanHostname, isHostname } from '../hostname.ts';
import {
  alwaysDecodes,
  alwaysValid,
  countOf,
  foldPieces,
  isTooLong,
  pieceOf,
  radicesOf,
  writeName,
  type Piece,
} from './name-pieces.ts';
import { checkTemplate, parseTemplate } from './name-template.ts';
import { keyOf, MAX_PERMUTED, mix, permute, seedOf, type Seed } from './permutation.ts';

// If names may coincide or be invalid, up to so many arrangements are tried at once to know them exactly.
const COUNTED = 50_000;
// The search ends after this many arrangements in a row without a new name, if they are also half of all tried.
const PATIENCE = 50_000;
const MAX_HOST = 253;
// Labels without a hyphen at the edge, and a zone of letters or in punycode.
const NAME = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/;

/** Options of a draw. `unique`: each name once. `seed`: a whole number; equal seeds give equal order. */
export interface DrawOptions {
  unique?: boolean;
  seed?: number;
}

/**
 * A compiled template. Its names are clean hosts without a hyphen at the edge of a label; invalid arrangements are skipped.
 * Equal options of a group count once.
 */
export interface NameSource {
  /** Number of names; an upper bound if `exact` is false. */
  total: bigint;
  exact: boolean;
  /**
   * Generates names, endlessly unless `unique`. Takes no memory per name, except a Set if names may coincide and are too
   * many to count. Returns true when there are no more, false when it gives up: after 50,000 arrangements in a row, and half
   * of all so far, without a new name.
   */
  draw: (options?: DrawOptions) => Generator<string, boolean, undefined>;
}

/** Compiles a template. Throws AppError `invalid` with the first error of `checkTemplate`. */
export function compileTemplate(template: string): NameSource {
  const [error] = checkTemplate(template).errors;
  if (error) throw new AppError('invalid', error);
  const unfolded = parseTemplate(template).map(pieceOf);
  // This also limits the number of orders.
  if (isTooLong(unfolded)) return sourceOf([{ kind: 'table', options: [] }], true, true);
  const pieces = foldPieces(unfolded);
  const valid = alwaysValid(unfolded);
  const distinct = alwaysDecodes(pieces);
  if ((valid && distinct) || countOf(pieces) > COUNTED) return sourceOf(pieces, valid, distinct);
  const names = [...walk(pieces, { unique: true, seed: [0, 0], valid, distinct })];
  return sourceOf([{ kind: 'table', options: names }], true, true);
}

const sourceOf = (pieces: Piece[], valid: boolean, distinct: boolean): NameSource => ({
  total: countOf(pieces),
  exact: valid && distinct,
  draw: ({ unique = false, seed } = {}) => walk(pieces, { unique, seed: seedOf(seed), valid, distinct }),
});

interface Walk {
  unique: boolean;
  seed: Seed;
  valid: boolean;
  distinct: boolean;
}

function* walk(pieces: Piece[], { unique, seed, valid, distinct }: Walk): Generator<string, boolean, undefined> {
  const radices = pieces.flatMap(radicesOf);
  if (radices.includes(0)) return true;
  const { digits, size } = unique ? indexedDigits(radices) : { digits: 0, size: Infinity };
  const nameAt = namesBy(pieces, digits, unique ? permute(size, seed) : () => 0, seed);
  const seen = unique && !distinct ? new Set<string>() : undefined;
  let barren = 0;
  for (let index = 0; index < size; index += 1) {
    const name = valid ? nameAt(index) : validName(nameAt(index));
    if (name === null || seen?.has(name)) {
      barren += 1;
      if (barren >= Math.max(PATIENCE, index / 2)) return false;
      continue;
    }
    barren = 0;
    seen?.add(name);
    yield name;
  }
  return digits === radices.length;
}

// The first `indexed` digits of an arrangement come from its place, so that no two share all of them. Further digits are
// random: only beyond 2^50 arrangements, which nobody exhausts, or if names may repeat.
function namesBy(
  pieces: Piece[],
  indexed: number,
  placeOf: (index: number) => number,
  seed: Seed,
): (index: number) => string {
  const radices = pieces.flatMap(radicesOf);
  const keys = radices.map((_, digit) => keyOf(seed, 100 + digit));
  const digits = radices.map(() => 0);
  return (index) => {
    let rest = placeOf(index);
    for (let digit = 0; digit < indexed; digit += 1) {
      const radix = radices[digit]!;
      const quotient = Math.floor(rest / radix);
      digits[digit] = rest - quotient * radix;
      rest = quotient;
    }
    for (let digit = indexed; digit < radices.length; digit += 1) {
      digits[digit] = mix(mix(index ^ mix(index / 2 ** 32)) ^ keys[digit]!) % radices[digit]!;
    }
    return writeName(pieces, digits);
  };
}

function indexedDigits(radices: number[]): { digits: number; size: number } {
  let size = 1;
  for (const [digit, radix] of radices.entries()) {
    if (size * radix > MAX_PERMUTED) return { digits: digit, size };
    size *= radix;
  }
  return { digits: radices.length, size };
}

function validName(written: string): string | null {
  const isClean = /^[a-z0-9.-]*$/.test(written) && !written.includes('xn--');
  if (!isClean && !isHostname(written)) return null;
  const host = isClean ? written : cleanHostname(written);
  // `cleanHostname` removes a final dot: two arrangements would be one name.
  return NAME.test(host) && host.length <= MAX_HOST && !written.endsWith('.') ? host : null;
}

/** Names of a template, and their number as far as it is known. */
export interface GeneratedNames {
  names: string[];
  /** There are fewer names than asked for, because the template has no more. */
  exhausted: boolean;
  /** Number of names of the template; an upper bound if `exact` is false. */
  total: bigint;
  exact: boolean;
}

/**
 * Draws at most `count` names of a template: each once if `unique`. Throws as `compileTemplate`. Fewer names without
 * `exhausted` mean that the search was given up because new names are too rare.
 */
export function generateNames(template: string, options: DrawOptions & { count: number }): GeneratedNames {
  const source = compileTemplate(template);
  const drawn = source.draw(options);
  const names: string[] = [];
  while (names.length < options.count) {
    const next = drawn.next();
    if (next.done) {
      const all = next.value && (options.unique ?? false);
      return {
        names,
        exhausted: next.value,
        total: all ? BigInt(names.length) : source.total,
        exact: all || source.exact,
      };
    }
    names.push(next.value);
  }
  return { names, exhausted: false, total: source.total, exact: source.exact };
}
