import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkDomainName, hasIdn, toUnicode } from '../../../src/shared/portfolio/domain-name.ts';
import { isHostname } from '../../../src/shared/hostname.ts';

describe('toUnicode', () => {
  it.each([
    ['example.com', 'example.com', false],
    ['xn--b1agh1afp.xn--p1ai', 'привет.рф', true],
    ['www.xn--b1agh1afp.com', 'www.привет.com', true],
    ['xn--a.com', 'xn--a.com', true],
    ['xn--99999999999.com', 'xn--99999999999.com', true],
    ['axn--b.com', 'axn--b.com', false],
  ])('%s is read as %s', (host, unicode, idn) => {
    expect(toUnicode(host)).toBe(unicode);
    expect(hasIdn(host)).toBe(idn);
  });
});

describe('checkDomainName', () => {
  it.each([
    'example.com',
    'EXAMPLE.com',
    ' example.com ',
    'a.ru',
    '1.ru',
    'ex-am--ple.com',
    'казино.рф',
    'xn--b1agh1afp.xn--p1ai',
    `${'x'.repeat(63)}.com`,
  ])('%j is valid', (name) => {
    expect(checkDomainName(name)).toEqual({ valid: true, errors: [] });
  });

  it.each([
    ['', ['name.empty']],
    [' \t', ['name.empty']],
    ['example', ['name.zone']],
    ['example.', ['name.zone']],
    ['example.c', ['name.zone']],
    ['example.1', ['name.zone']],
    ['example.c_m', ['name.zone']],
    ['.com', ['name.length']],
    [`${'x'.repeat(64)}.com`, ['name.length']],
    [`${'я'.repeat(60)}.рф`, ['name.length']],
    ['sub.example.com', ['name.characters']],
    ['ex_ample.com', ['name.characters']],
    ['ex ample.com', ['name.characters']],
    ['http://example.com', ['name.characters']],
    ['xn--a.com', ['name.characters']],
    ['\u0301.com', ['name.characters']],
    ['-example.com', ['name.hyphen']],
    ['example-.com', ['name.hyphen']],
    ['-_.c', ['name.zone', 'name.characters', 'name.hyphen']],
  ])('%j is refused: %j', (name, errors) => {
    expect(checkDomainName(name)).toEqual({ valid: false, errors });
  });

  it('refuses a huge text', () => {
    expect(checkDomainName(`${'я'.repeat(1_000_000)}.рф`).errors).toEqual(['name.length']);
  });

  it('accepts only names that can be cleaned', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.constantFrom('com', 'рф', 'c1', 'xn--p1ai', ''),
        (label, zone) => {
          const name = `${label}.${zone}`;
          expect(!checkDomainName(name).valid || isHostname(name)).toBe(true);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
