// How many places a keyword has lost between two readings.
import { expect, test } from 'vitest';
import { dropOf } from '../../../src/shared/positions/drops.ts';

const read = (text: string) => {
  const [place = 0, depth = 50] = text.split('/').map(Number);
  return { place, depth };
};

test.each([
  ['3', '10', 7],
  ['10', '3', -7],
  ['5', '5', 0],
  ['12', '0', 39],
  ['50', '0', 1],
  ['0', '50', -1],
  ['0', '1', -50],
  ['0', '0', 0],
  // A reading that stopped earlier does not tell where the keyword was.
  ['45/50', '0/10', null],
  ['9/50', '0/10', 2],
  ['0/10', '45/50', null],
  ['0/10', '9/50', -2],
  ['0/10', '0/50', null],
  ['0/50', '0/10', null],
])('from %s to %s: %s', (before, last, lost) => {
  expect(dropOf(read(last), read(before))).toBe(lost);
});
