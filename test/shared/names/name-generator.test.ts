import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isHostname } from '../../../src/shared/hostname.ts';
import { compileTemplate, generateNames } from '../../../src/shared/names/name-generator.ts';
import { checkTemplate, DEFAULT_TEMPLATE } from '../../../src/shared/names/name-template.ts';
import { permute, seedOf } from '../../../src/shared/names/permutation.ts';

const orders = (options: string[]): string[][] =>
  options.length === 0
    ? [[]]
    : options.flatMap((option, index) => orders(options.toSpliced(index, 1)).map((rest) => [option].concat(rest)));

/** Returns all names of a template by brute force: every choice spelled out, then a Set. ASCII only. */
function allNames(template: string): Set<string> {
  const choices = template.split(/(\{.*?\}|\[.*?\])/).map((piece, index) => {
    if (index % 2 === 0) return [piece];
    const [, joiner, list = ''] = /^.\s*(?:\+([^+|]*)\+)?(.*).$/.exec(piece) ?? [];
    const options = list
      .split('|')
      .map((option) => option.trim())
      .filter(Boolean);
    return piece.startsWith('[') && joiner !== undefined
      ? orders(options).map((order) => order.join(joiner.trim()))
      : options;
  });
  const names = choices.reduce((heads, tails) => heads.flatMap((head) => tails.map((tail) => head + tail)), ['']);
  const isName = (name: string): boolean => {
    const labels = name.split('.');
    const isLabel = (label: string): boolean => /^[a-z0-9-]{1,63}$/.test(label) && !/^-|-$/.test(label);
    return labels.length > 1 && labels.every(isLabel) && /^[a-z]{2,}$/.test(labels.at(-1) ?? '');
  };
  return new Set(names.map((name) => name.toLowerCase()).filter(isName));
}

function take(names: Generator<string>, count: number): string[] {
  return Array.from({ length: count }, () => names.next().value ?? '');
}

const option = fc.stringMatching(/^[ab1-]{1,3}$/);
const options = fc.array(option, { minLength: 2, maxLength: 4 }).map((list) => list.join('|'));
const part = fc.oneof(
  fc.stringMatching(/^[ab1.-]{1,2}$/),
  options.map((list) => `{${list}}`),
  options.map((list) => `[ ${list} ]`),
  fc.tuple(fc.constantFrom('', '-', 'a', 'x', '.'), options).map(([joiner, list]) => `[ +${joiner}+${list}]`),
);
const template = fc
  .tuple(fc.array(part, { minLength: 1, maxLength: 4 }), fc.constantFrom('.ru', '{.ru|.com}', '.{ru|com|c1}'))
  .map(([parts, zone]) => parts.join('') + zone)
  // Beyond 50,000 arrangements, the search for valid names may stop early, and says so.
  .filter((text) => checkTemplate(text).valid && compileTemplate(text).total <= 50_000n);

describe('generateNames', () => {
  it('generates every name once, and no other', () => {
    fc.assert(
      fc.property(template, fc.nat(), (text, seed) => {
        const expected = allNames(text);
        const { names, exhausted, total, exact } = generateNames(text, {
          count: expected.size + 1,
          unique: true,
          seed,
        });
        expect(names.toSorted()).toEqual([...expected].sort());
        expect([exhausted, total, exact]).toEqual([true, BigInt(expected.size), true]);
      }),
      { numRuns: 500 },
    );
  });

  it('returns exactly the requested number where there are enough names', () => {
    expect(generateNames('{a|b}{1|2}.ru', { count: 4, unique: true })).toMatchObject({ exhausted: false, total: 4n });
    expect(generateNames('{a|b}{1|2}.ru', { count: 5, unique: true })).toMatchObject({ exhausted: true, total: 4n });
    expect(generateNames('{a|b}.ru', { count: 0 }).names).toEqual([]);
  });

  it('may repeat names unless `unique` is set, but returns only valid ones', () => {
    fc.assert(
      fc.property(template, fc.nat(), (text, seed) => {
        const expected = allNames(text);
        const { names, exhausted } = generateNames(text, { count: 20, seed });
        expect(names).toHaveLength(expected.size === 0 ? 0 : 20);
        expect(exhausted).toBe(expected.size === 0);
        expect(names.every((name) => expected.has(name))).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it('depends on the seed only', () => {
    const draw = (seed?: number): string =>
      generateNames(DEFAULT_TEMPLATE, { count: 50, unique: true, seed }).names.join();
    expect(draw(7)).toBe(draw(7));
    expect(draw(2 ** 40 + 7)).not.toBe(draw(7));
    expect(draw(-1)).not.toBe(draw(1));
    expect(draw()).not.toBe(draw());
  });

  it('counts orders of a joined group', () => {
    expect(generateNames('[+-+a|b|c].ru', { count: 99, unique: true }).names.toSorted()).toEqual(
      ['a-b-c', 'a-c-b', 'b-a-c', 'b-c-a', 'c-a-b', 'c-b-a'].map((name) => `${name}.ru`),
    );
    expect(compileTemplate('[+-+a|b|c|d|e|f|g|h].ru')).toMatchObject({ total: 40_320n, exact: true });
    // 20! exceeds the safe integers.
    const many = compileTemplate(`[++${'abcdefghijklmnopqrst'.split('').join('|')}].ru`);
    expect(many).toMatchObject({ total: 2_432_902_008_176_640_000n, exact: true });
    const names = take(many.draw({ unique: true, seed: 1 }), 10_000);
    expect(new Set(names).size).toBe(10_000);
    expect(names.every((name) => /^[a-t]{20}\.ru$/.test(name) && new Set(name).size === 22)).toBe(true);
  });

  it('is exact where arrangements make the same name', () => {
    expect(generateNames('{casino|casinos}{s1|1}.ru', { count: 9, unique: true })).toMatchObject({
      total: 3n,
      exact: true,
    });
    expect(generateNames('[++a|aa].ru', { count: 9, unique: true }).names).toEqual(['aaa.ru']);
    expect(generateNames('{A|a}.ru', { count: 9, unique: true }).names).toEqual(['a.ru']);
  });

  it('makes IDN names ASCII', () => {
    const { names } = generateNames('{казино|Казино|слот}.рф', { count: 9, unique: true });
    expect(names.toSorted()).toEqual(['xn--80aodfsg.xn--p1ai', 'xn--k1aghg.xn--p1ai']);
  });

  it('skips invalid names', () => {
    expect(generateNames('{a|b.-c}.{ru|c1}', { count: 9, unique: true }).names).toEqual(['a.ru']);
    expect(generateNames('{a|b.}.ru', { count: 9, unique: true }).names).toEqual(['a.ru']);
    expect(generateNames('{a|b}.xn--{a|p1ai}', { count: 9, unique: true }).names.toSorted()).toEqual([
      'a.xn--p1ai',
      'b.xn--p1ai',
    ]);
  });

  it('refuses templates that the check refuses', () => {
    expect(() => generateNames('{a}.ru', { count: 1 })).toThrow(
      expect.objectContaining({ key: 'template.curly_options' }),
    );
  });
});

describe('compileTemplate', () => {
  const letters = '{a|b|c|d|e|f|g|h|i|j|k|l}';

  it('draws many names of a large template, each once', () => {
    const source = compileTemplate(`x${letters.repeat(5)}{1|2|3|4}.ru`);
    expect(source).toMatchObject({ total: 995_328n, exact: true });
    const seen = new Set(source.draw({ unique: true, seed: 3 }));
    expect(seen.size).toBe(995_328);
  });

  it('remembers the drawn names where names may coincide and are too many to count', () => {
    const numbers = `{${Array.from({ length: 300 }, (_, n) => n + 1).join('|')}}`;
    const text = `a${numbers}${numbers}.ru`;
    const expected = allNames(text);
    expect(compileTemplate(text)).toMatchObject({ total: 90_000n, exact: false });
    const { names, ...rest } = generateNames(text, { count: 1e6, unique: true });
    expect(names).toHaveLength(expected.size);
    expect(names.every((name) => expected.delete(name))).toBe(true);
    expect(rest).toEqual({ exhausted: true, total: BigInt(names.length), exact: true });
  });

  it('does not search forever where there are no names', () => {
    const none = { names: [], exhausted: true, total: 0n, exact: true };
    expect(generateNames(`${'{aa|bb}'.repeat(40)}.ru`, { count: 1, unique: true })).toEqual(none);
    expect(generateNames(`[++${'a|'.repeat(64)}].ru`, { count: 1 })).toEqual(none);
    const rare = { names: [], exhausted: false, exact: false };
    expect(generateNames(`${'{a|b}'.repeat(20)}.{c1|d1}`, { count: 1, unique: true })).toMatchObject(rare);
    expect(generateNames(`${'{a|b}'.repeat(20)}.{c1|d1}`, { count: 1 })).toMatchObject(rare);
    expect(generateNames(`a.${'{b|c}'.repeat(5000)}`, { count: 1 })).toMatchObject({
      names: [],
      exhausted: true,
      total: 0n,
    });
    const long = `[++${Array.from({ length: 9000 }, (_, n) => n).join('|')}].ru`;
    expect(generateNames(long, { count: 1 })).toMatchObject({ names: [], exhausted: true, total: 0n });
  });

  it('reaches all kinds of names of a huge template', () => {
    const source = compileTemplate(`${'{a|b}'.repeat(60)}.ru`);
    expect(source).toMatchObject({ total: 2n ** 60n, exact: true });
    const names = take(source.draw({ unique: true, seed: 5 }), 2000);
    expect(new Set(names).size).toBe(2000);
    expect(names.every(isHostname)).toBe(true);
    for (let place = 0; place < 60; place += 1) {
      const share = names.filter((name) => name[place] === 'a').length / names.length;
      expect(share).toBeGreaterThan(0.4);
      expect(share).toBeLessThan(0.6);
    }
  });
});

describe('permute', () => {
  it('returns every number once', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3000 }), fc.nat(), (size, seed) => {
        const place = permute(size, seedOf(seed));
        const places = new Set(Array.from({ length: size }, (_, index) => place(index)));
        expect(places.size).toBe(size);
        expect(Math.min(...places)).toBe(0);
        expect(Math.max(...places)).toBe(size - 1);
      }),
    );
  });

  it('stays below a large size', () => {
    const size = 2 ** 50 - 27;
    const place = permute(size, seedOf(1));
    const places = Array.from({ length: 10_000 }, (_, index) => place(size - 1 - index));
    expect(new Set(places).size).toBe(10_000);
    expect(places.every((found) => Number.isSafeInteger(found) && found >= 0 && found < size)).toBe(true);
  });

  it('leaves no visible order', () => {
    const place = permute(1_000_000, seedOf(1));
    const places = Array.from({ length: 10_000 }, (_, index) => place(index));
    const ascents = places.filter((found, index) => index > 0 && found > (places[index - 1] ?? 0)).length;
    expect(Math.abs(ascents - 5000)).toBeLessThan(250);
  });
});
