import { domainToASCII } from 'node:url';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { readCyrillic } from '../../src/providers/blocklist/cyrillic.ts';
import { readName } from '../../src/providers/blocklist/names.ts';

/** What a name in windows-1251 becomes; null where the short way leaves it to the long one. */
function read(name: string): string | null {
  const bytes = iconv.encode(name, 'windows-1251');
  const into = Buffer.alloc(1024);
  const length = readCyrillic(bytes, 0, bytes.length, into, 7);
  return length < 0 ? null : into.toString('latin1', 7, 7 + length);
}

test.each([
  ['казино.рф', 'xn--80aodfsg.xn--p1ai'],
  ['Слот-Клуб.РФ', 'xn----btb0accptkm.xn--p1ai'],
  ['www.играй24.рф', 'www.xn--24-6kclyi1c.xn--p1ai'],
  ['a-1.б.в.г', 'a-1.xn--90a.xn--b1a.xn--c1a'],
])('%s', (name, ascii) => {
  expect(domainToASCII(name)).toBe(ascii);
  expect(read(name)).toBe(ascii);
});

test.each([
  'ёлка.рф',
  'казино..рф',
  '.казино.рф',
  'казино.рф.',
  'казино.ru',
  'казино.10',
  'xn--p1ai.рф',
  'а_б.рф',
  '',
  '.',
])('%s is left to the long way', (name) => expect(read(name)).toBeNull());

test('a label or a name that is too long is none', () => {
  const into = Buffer.alloc(253);
  for (const name of [`${'я'.repeat(60)}ы.рф`, `${'аяб'.repeat(5)}.`.repeat(14) + 'рф', 'абвгд.'.repeat(120) + 'рф']) {
    const bytes = iconv.encode(name, 'windows-1251');
    expect(readName(bytes, 0, bytes.length, into, 0)).toBe(-1);
  }
});

test('any name becomes what domainToASCII makes of it, or is left to the long way', () => {
  const letter = fc.constantFrom(...Array.from('абвгдежзийклмнопрстуфхцчшщъыьэюяАБЯЙЁёaz09AZ--'));
  const label = fc.string({ unit: letter, maxLength: 40 });
  const name = fc.array(label, { minLength: 1, maxLength: 5 }).map((labels) => labels.join('.'));
  fc.assert(
    fc.property(name, (text) => {
      expect([null, domainToASCII(text)]).toContain(read(text));
    }),
    { numRuns: 5_000 },
  );
});
