// Archives as strangers might send them, and the expected verdict on each.
import { BOMBS } from './bombs.ts';
import { BROKEN } from './broken.ts';
import { KINDS, NAMED } from './entries.ts';
import { GOOD } from './good.ts';
import { once, type Sample } from './samples.ts';

/** Every archive. */
export const CORPUS: readonly Sample[] = [...GOOD, ...BROKEN, ...BOMBS, ...NAMED, ...KINDS].map((sample) => {
  const { name, make, verdict } = sample;
  return { name, make: once(make), verdict };
});
