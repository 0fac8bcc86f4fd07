/**
 * Pseudo-random numbers that depend only on a key, for drawing without repeats and without memory. Not for secrets.
 */

/** Two 32-bit words. */
export type Seed = readonly [number, number];

/** Makes a seed from a number, equal for equal numbers; without one, a random seed. */
export function seedOf(seed?: number): Seed {
  if (seed === undefined) {
    const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
    return [high, low];
  }
  return [Math.floor(seed / 2 ** 32) >>> 0, seed >>> 0];
}

/** Returns 32 bits that depend on every bit of `x` (the lowbias32 mixer of github.com/skeeto/hash-prospector). */
export function mix(x: number): number {
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
  return (x ^ (x >>> 15)) >>> 0;
}

/** Returns the key of a round, different for each seed and round. */
export const keyOf = (seed: Seed, round: number): number => mix(seed[0] ^ mix(seed[1] ^ mix(round + 1)));

/** The largest size that `permute` takes: both halves of an index are 25 bits. */
export const MAX_PERMUTED = 2 ** 50;

/**
 * Makes a permutation of 0 … size-1: each result comes once, in an order given by the seed. An index is written as two digits
 * that change each other in turns (a Feistel network over Z_a × Z_b); the few results beyond the size are permuted again
 * until they are below it. `size` is a whole number up to MAX_PERMUTED.
 */
export function permute(size: number, seed: Seed): (index: number) => number {
  const a = Math.ceil(Math.sqrt(size));
  const b = Math.ceil(size / a);
  // Multiplying by this and truncating scales 32 bits to a digit; a remainder would cost several times as much.
  const [toA, toB] = [a / 2 ** 32, b / 2 ** 32];
  const [key0, key1, key2, key3] = [keyOf(seed, 0), keyOf(seed, 1), keyOf(seed, 2), keyOf(seed, 3)];
  return (index) => {
    let result = index;
    do {
      let high = (result / b) | 0;
      let low = (result - high * b) | 0;
      low += (mix(high ^ key0) * toB) | 0;
      if (low >= b) low -= b;
      high += (mix(low ^ key1) * toA) | 0;
      if (high >= a) high -= a;
      low += (mix(high ^ key2) * toB) | 0;
      if (low >= b) low -= b;
      high += (mix(low ^ key3) * toA) | 0;
      if (high >= a) high -= a;
      result = high * b + low;
    } while (result >= size);
    return result;
  };
}
