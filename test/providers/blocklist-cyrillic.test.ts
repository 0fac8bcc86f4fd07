import { domainToASCII } from 'node:url';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { isCyrillicLabel, readCyrillic } from '../../src/providers/blocklist/cyrillic.ts';
import { readName } from '../../src/providers/blocklist/names.ts';
import { cleanHostname, isHostname } from '../../src/shared/hostname.ts';

/** Reads a name in windows-1251; null where the fast path leaves it to the slow one. */
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
])('the fast path reads %s', (name, ascii) => {
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
  'казино',
  '',
  '.',
])('%j is left to the slow path', (name) => expect(read(name)).toBeNull());

test('a label or a name that is too long is refused', () => {
  const into = Buffer.alloc(253);
  for (const name of [`${'я'.repeat(60)}ы.рф`, `${'аяб'.repeat(5)}.`.repeat(14) + 'рф', 'абвгд.'.repeat(120) + 'рф']) {
    const bytes = iconv.encode(name, 'windows-1251');
    expect(readName(bytes, 0, bytes.length, into, 0)).toBe(-1);
  }
});

test('any name gets the result of domainToASCII, or is left to the slow path', () => {
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

const isOurs = (label: string): boolean => isCyrillicLabel(Buffer.from(`.${label}.`), 1, 1 + label.length);

test('only punycode of plain Cyrillic letters is accepted unchanged', () => {
  expect(['xn--p1ai', 'xn----btb0accptkm', 'xn--24-6kclyi1c', 'xn--80aodfsg'].map(isOurs)).not.toContain(false);
  // Another alphabet, ё, no letter, ASCII only, upper case, no prefix, beyond the last letter.
  const others = ['xn--fsq', 'xn--80atc1g', 'xn--', 'xn--abc-', 'xn--80aODFSG', 'p1ai', 'xn--zzzzzzzz'];
  expect(others.map(isOurs)).not.toContain(true);
});

test('punycode that is accepted unchanged is also unchanged by the slow path', () => {
  const letter = fc.constantFrom(...Array.from('абвяёйaz09-'));
  const real = fc
    .string({ unit: letter, minLength: 1, maxLength: 30 })
    .map((text) => domainToASCII(`${text}.рф`).split('.')[0]!);
  const made = fc
    .string({ unit: fc.constantFrom(...Array.from('abkpz0189-')), maxLength: 12 })
    .map((text) => `xn--${text}`);
  const spoilt = fc
    .tuple(real, fc.nat(40), letter)
    .map(([label, at, by]) => (at < label.length && by < 'а' ? label.slice(0, at) + by + label.slice(at + 1) : label));
  fc.assert(
    fc.property(fc.oneof(real, made, spoilt), (label) => {
      const host = `${label}.ru`;
      const taken = isHostname(host) ? cleanHostname(host) : null;
      expect(isOurs(label) && taken !== host).toBe(false);
    }),
    { numRuns: 5_000 },
  );
});
