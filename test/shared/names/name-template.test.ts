import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isKey, translate } from '../../../src/shared/i18n/index.ts';
import {
  checkTemplate,
  DEFAULT_TEMPLATE,
  MAX_TEMPLATE,
  parseTemplate,
} from '../../../src/shared/names/name-template.ts';

describe('parseTemplate', () => {
  it.each([
    [
      '{a|b}.ru',
      [
        { kind: 'pick', options: ['a', 'b'], brackets: '{' },
        { kind: 'text', text: '.ru' },
      ],
    ],
    ['[ +sep+a|b|c ]', [{ kind: 'join', options: ['a', 'b', 'c'], joiner: 'sep' }]],
    ['[ +-+win|play]', [{ kind: 'join', options: ['win', 'play'], joiner: '-' }]],
    ['[++a|b]', [{ kind: 'join', options: ['a', 'b'], joiner: '' }]],
    ['[a|b]', [{ kind: 'pick', options: ['a', 'b'], brackets: '[' }]],
    ['{ a | | b }', [{ kind: 'pick', options: ['a', 'b'], brackets: '{' }]],
    ['{+-+a|b}', [{ kind: 'pick', options: ['+-+a', 'b'], brackets: '{' }]],
    ['[+a|b+c]', [{ kind: 'pick', options: ['+a', 'b+c'], brackets: '[' }]],
    [' x ', [{ kind: 'text', text: 'x' }]],
    ['', []],
  ])('%j', (template, parts) => {
    expect(parseTemplate(template)).toEqual(parts);
  });

  it.each([
    ['{a|b', 'template.braces'],
    ['a]b', 'template.brackets'],
    ['{a|{b|c}}', 'template.nesting'],
  ])('%j is refused: %s', (template, key) => {
    expect(() => parseTemplate(template)).toThrow(expect.objectContaining({ kind: 'invalid', key }));
  });
});

describe('checkTemplate', () => {
  it.each([
    ['casino.ru', 1],
    ['{a|b}{1|2|3}.{ru|com}', 12],
    ['{a|a|b}.ru', 3],
    ['{a||b}.ru', 2],
    ['x[+-+a|b|c].ru', 3],
    ['x{.ru|.com}', 2],
    ['{a|b}.x{1|2}.com', 4],
    [`${'a'.repeat(62)}{one|two}.com`, 2],
    ['{казино|слоты}.рф', 2],
  ])('%j is valid, %d combinations', (template, estimatedCombinations) => {
    expect(checkTemplate(template)).toEqual({ valid: true, errors: [], warnings: [], estimatedCombinations });
  });

  it.each([
    ['', ['template.empty']],
    [' \n ', ['template.empty']],
    ['casino{1|2}', ['template.zone']],
    ['casino{1|2}.', ['template.zone']],
    ['casino{1|.ru}', ['template.zone']],
    ['casino{1.|2.}', ['template.zone']],
    ['casino{1|2}.ru.', ['template.zone']],
    ['casino{1|2}.{ru|com.}', ['template.zone']],
    ['casino.[++ru|com.]', ['template.zone']],
    ['{a|b.ru', ['template.braces']],
    ['a}|{b.ru', ['template.braces']],
    ['a}b.ru', ['template.braces']],
    ['[a|b.ru', ['template.brackets']],
    ['a|b].ru', ['template.brackets']],
    ['{a|b].ru', ['template.braces', 'template.brackets']],
    ['{a|b', ['template.zone', 'template.braces']],
    ['{a|{b|c}}.ru', ['template.nesting']],
    ['{a|[b|c]}.ru', ['template.nesting']],
    ['{a[b}c].ru', ['template.nesting']],
    ['{a}.ru', ['template.curly_options']],
    ['{}x.ru', ['template.curly_options']],
    ['{ | a | }.ru', ['template.curly_options']],
    ['[a].ru', ['template.square_options']],
    ['[+-+a].ru', ['template.square_options']],
    ['[+x|a|b].ru', ['template.square_options']],
    [`${'a'.repeat(63)}{one|two}.com`, ['template.length']],
    ['.com', ['name.length']],
    ['-x{a|b}.ru', ['template.hyphen']],
    ['x{a|b}-.ru', ['template.hyphen']],
    ['{-a|b}.ru', ['template.hyphen']],
    ['x{a|b-}.ru', ['template.hyphen']],
    ['x-{.ru|.com}', ['template.hyphen']],
    ['x{-.ru|.com}', ['template.hyphen']],
    ['x[++a|b-].ru', ['template.hyphen']],
    ['ca_sino.ru', ['name.characters']],
    ['x{a b|c}.ru', ['name.characters']],
    ['x[+_+a|c].ru', ['name.characters']],
  ])('%j is refused: %j', (template, errors) => {
    expect(checkTemplate(template)).toMatchObject({ valid: false, errors });
  });

  it.each([
    ['{0|1|2|3|4|5|6|7|8|9}'.repeat(3) + '.ru', []],
    ['{0|1|2|3|4|5|6|7|8|9}'.repeat(3) + '{a|b}.ru', ['template.many']],
    ['a--b.ru', ['template.double_hyphen']],
    ['x{a|b-}-c.ru', ['template.double_hyphen']],
    ['x{a|b-}{c|-d}e.ru', ['template.double_hyphen']],
    ['x{a|b-}{c|d}.ru', []],
    ['x[+-+a|-b]c.ru', ['template.double_hyphen']],
    ['x[++a|-b-|c]d.ru', ['template.double_hyphen']],
    ['x[+--+a|b].ru', ['template.double_hyphen']],
    ['x[+-+a|b]-c.ru', []],
  ])('%j is valid with warnings %j', (template, warnings) => {
    expect(checkTemplate(template)).toMatchObject({ valid: true, warnings });
  });

  it('refuses a template that is too long', () => {
    expect(checkTemplate('x'.repeat(MAX_TEMPLATE + 1)).errors).toEqual(['error.too_long']);
  });

  it('accepts the default template', () => {
    expect(checkTemplate(DEFAULT_TEMPLATE)).toEqual({
      valid: true,
      errors: [],
      warnings: [],
      estimatedCombinations: 450,
    });
  });

  it('returns a number for any template', () => {
    expect(checkTemplate(`a.${'{b|c}'.repeat(5000)}`).estimatedCombinations).toBe(Number.MAX_VALUE);
  });

  it('accepts any text, and reports by keys of the catalogues', () => {
    const pieces = fc.constantFrom('{', '}', '[', ']', '|', '+', '-', '.', 'a', 'ru', ' ', 'я', '\n', '\uD800');
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        const { valid, errors, warnings } = checkTemplate(parts.join(''));
        expect(valid).toBe(errors.length === 0);
        for (const key of [...errors, ...warnings]) {
          expect(isKey(key)).toBe(true);
          expect(translate('en', key)).not.toBe('');
        }
      }),
      { numRuns: 2000 },
    );
  });

  // A backtracking parser would not end on these.
  it.each(['{', '[', '{a|', '[+', '{a|b}', '[++a|b]', '|', '+', '-', '.', '{-|', 'я'])(
    'ends on %j a million times',
    (unit) => {
      for (const size of [MAX_TEMPLATE, 1_000_000]) {
        const template = unit.repeat(Math.floor(size / unit.length));
        expect(checkTemplate(template).valid).toBe(false);
        expect(checkTemplate(`${template}.ru`)).toBeDefined();
      }
    },
  );
});
