import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packNames } from '../../src/providers/blocklist/packed-names.ts';
import { AppError } from '../../src/shared/errors.ts';
import { cleanHostname } from '../../src/shared/hostname.ts';

function packed(text: string): string[] | null {
  const names = packNames(Buffer.from(text));
  if (names === null) return null;
  return Array.from({ length: names.count }, (_, i) =>
    Buffer.from(names.bytes).toString('latin1', names.starts[i], names.ends[i]),
  );
}

/** The expected names, computed with strings and a Set; null where a line is no name. */
function expected(lines: string[]): string[] | null {
  try {
    return [...new Set(lines.filter((line) => line !== '').map(cleanHostname))];
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

const long = 'a'.repeat(63);

test.each([
  ['plain names, each once, in order', 'b.ru\na.ru\nb.ru\nx.a.ru'],
  ['empty lines and a last line feed', '\n\na.ru\n\n'],
  ['nothing', ''],
  ['names to be cleaned, which are then there already', 'a.ru\nHTTP://A.ru/\na.ru.\nB.Ru\nb.ru\nc.ru'],
  ['punycode', 'xn--e1afmkfd.xn--p1ai\nXN--E1AFMKFD.xn--p1ai\na--b.ru'],
  ['the longest labels and names', `${long}.ru\n${`${long}.`.repeat(3)}${'b'.repeat(61)}\nx.${long}`],
  ['hyphens and digits anywhere', '-a.1.b-\n1.r1'],
])('are packed: %s', (_, text) => {
  expect(packed(text)).not.toBeNull();
  expect(packed(text)).toEqual(expected(text.split('\n')));
});

test.each([
  ['a word', 'a.ru\nword'],
  ['an address', 'a.ru\n1.2.3.4'],
  ['an empty label', 'a..ru'],
  ['an empty label in front', '.a.ru'],
  ['a label that is too long', `a${long}.ru`],
  ['a last label that is too long', `x.a${long}`],
  ['a name that is too long', `${`${long}.`.repeat(3)}${'b'.repeat(62)}`],
  ['broken punycode', 'xn--zzzzzz.ru'],
  ['other separators', 'a.ru,b.ru'],
  ['a comment', 'a.ru#b'],
  ['carriage returns', 'a.ru\r\nb.ru'],
  ['a blank', 'a.ru '],
  ['other letters', 'пример.рф'],
])('are left to another parser: %s', (_, text) => {
  expect(packed(text)).toBeNull();
});

test('any lines give the same names as strings and a Set', () => {
  const part = fc.constantFrom(
    'a',
    'b1',
    '1',
    '-',
    '--',
    'xn--',
    'xn--p1ai',
    'xn--80aodfsg',
    'xn--fsq',
    'A',
    '.',
    '..',
    '_',
    '/',
    ':',
    '@',
    '%61',
    long,
    'http://',
  );
  const line = fc.array(part, { maxLength: 5 }).map((parts) => parts.join(''));
  const name = fc
    .array(fc.constantFrom('a', 'b', 'A', 'xn--p1ai', 'xn--80aodfsg', 'a-1'), { minLength: 2, maxLength: 4 })
    .map((labels) => labels.join('.'));
  fc.assert(
    fc.property(
      fc.array(fc.oneof({ weight: 9, arbitrary: name }, { weight: 1, arbitrary: line }), { maxLength: 20 }),
      (lines) => {
        expect(packed(lines.join('\n'))).toEqual(expected(lines));
      },
    ),
    { numRuns: 2000 },
  );
});
