import { AppError } from '../errors.ts';
import type { Key } from '../i18n/index.ts';

/** Template of a new auto-buy setting: casino words, a digit, `.ru` or `.com`. */
export const DEFAULT_TEMPLATE =
  '{casino|kazino|slots|jackpot|bonus}-{play|win|club|online|top}{1|2|3|4|5|6|7|8|9}.{ru|com}';

/** In characters: enough for a few thousand options; a longer template was pasted by mistake. */
export const MAX_TEMPLATE = 50_000;
const MAX_BASE = 63;
const MANY_COMBINATIONS = 1000;

/**
 * A part of a template. `pick` stands for one of its options; `join` for all of them in any order, with the joiner between.
 * Options are trimmed, empty ones left out; text is never empty.
 */
export type Part =
  | { kind: 'text'; text: string }
  | { kind: 'pick'; options: string[]; brackets: '{' | '[' }
  | { kind: 'join'; options: string[]; joiner: string };

/**
 * Parses a template: `{a|b}` and `[a|b]` pick, `[+sep+a|b]` joins. `checkTemplate` checks the options. Throws AppError
 * `invalid` if the brackets don't match or are nested, or the template is too long.
 */
export function parseTemplate(template: string): Part[] {
  const [error] = checkBrackets(template);
  if (error) throw new AppError('invalid', error);
  const parts: Part[] = [];
  // Brackets match and are not nested, so every second piece is the inside of a group.
  template
    .trim()
    .split(/([{[][^\]}]*[\]}])/)
    .forEach((piece, index) => {
      if (index % 2 === 1) parts.push(parseGroup(piece));
      else if (piece !== '') parts.push({ kind: 'text', text: piece });
    });
  return parts;
}

function parseGroup(group: string): Part {
  const inside = group.slice(1, -1).trim();
  const joinerEnd = group.startsWith('[') && inside.startsWith('+') ? inside.indexOf('+', 1) : -1;
  const joiner = inside.slice(1, Math.max(joinerEnd, 1));
  if (joinerEnd === -1 || joiner.includes('|')) {
    return { kind: 'pick', options: splitOptions(inside), brackets: group.startsWith('{') ? '{' : '[' };
  }
  return { kind: 'join', options: splitOptions(inside.slice(joinerEnd + 1)), joiner: joiner.trim() };
}

const splitOptions = (text: string): string[] =>
  text
    .split('|')
    .map((option) => option.trim())
    .filter((option) => option !== '');

// Counts each kind of bracket by itself, so that each fault has its own message.
function checkBrackets(template: string): Key[] {
  if (template.length > MAX_TEMPLATE) return ['error.too_long'];
  const depth = { '{': 0, '[': 0 };
  const faults = new Set<Key>();
  for (const character of template) {
    if (character === '{' || character === '[') {
      if (depth['{'] + depth['['] > 0) faults.add('template.nesting');
      depth[character] += 1;
    } else if (character === '}') {
      depth['{'] -= 1;
      if (depth['{'] < 0) faults.add('template.braces');
    } else if (character === ']') {
      depth['['] -= 1;
      if (depth['['] < 0) faults.add('template.brackets');
    }
  }
  if (depth['{'] !== 0) faults.add('template.braces');
  if (depth['['] !== 0) faults.add('template.brackets');
  // An unclosed group makes the next one look nested: faults of brackets come first.
  const order: Key[] = ['template.braces', 'template.brackets', 'template.nesting'];
  return order.filter((key) => faults.has(key));
}

/** The verdict on a template. Errors and warnings are keys of the catalogues. */
export interface TemplateVerdict {
  valid: boolean;
  errors: Key[];
  warnings: Key[];
  /** The product of the numbers of options of all groups; the generator counts the actual names. */
  estimatedCombinations: number;
}

/** Validates a template for the template helper. Checks the groups only if the brackets are correct. */
export function checkTemplate(template: string): TemplateVerdict {
  const brackets = checkBrackets(template);
  if (brackets.includes('error.too_long')) return refused(brackets);
  if (template.trim() === '') return refused(['template.empty']);
  if (brackets.length > 0) {
    const hasZone = alwaysHasZone([{ kind: 'text', text: template.trim() }]);
    return refused(hasZone ? brackets : ['template.zone', ...brackets]);
  }
  const parts = parseTemplate(template);
  const errors = checkParts(parts);
  const product = parts.reduce((product, part) => product * (part.kind === 'text' ? 1 : part.options.length), 1);
  const estimatedCombinations = Math.min(product, Number.MAX_VALUE);
  const warnings: Key[] = [];
  if (estimatedCombinations > MANY_COMBINATIONS) warnings.push('template.many');
  if (mayDoubleHyphen(parts)) warnings.push('template.double_hyphen');
  return { valid: errors.length === 0, errors, warnings, estimatedCombinations };
}

const refused = (errors: Key[]): TemplateVerdict => ({ valid: false, errors, warnings: [], estimatedCombinations: 0 });

function checkParts(parts: Part[]): Key[] {
  const errors: Key[] = [];
  const groups = parts.filter((part) => part.kind !== 'text');
  const isCurly = (part: Part): boolean => part.kind === 'pick' && part.brackets === '{';
  const isShort = (part: (typeof groups)[number]): boolean => part.options.length < 2;
  // Each group counts as one character.
  const skeleton = parts.map((part) => (part.kind === 'text' ? part.text : 'x')).join('');
  const base = skeleton.includes('.') ? skeleton.slice(0, skeleton.lastIndexOf('.')) : skeleton;

  if (!alwaysHasZone(parts)) errors.push('template.zone');
  if (groups.some((part) => isCurly(part) && isShort(part))) errors.push('template.curly_options');
  if (groups.some((part) => !isCurly(part) && (isShort(part) || hasOpenJoiner(part)))) {
    errors.push('template.square_options');
  }
  if (base.length > MAX_BASE) errors.push('template.length');
  if (base === '') errors.push('name.length');
  if (mayEdgeHyphen(parts)) errors.push('template.hyphen');
  if (!parts.every(hasNameCharacters)) errors.push('name.characters');
  return errors;
}

// `[+sep|a|b]`: the joiner is not closed.
const hasOpenJoiner = (part: Part): boolean =>
  part.kind === 'pick' && part.brackets === '[' && (part.options[0] ?? '').startsWith('+');

const NAME_CHARACTERS = /^[\p{L}\p{M}\p{Nd}.-]*$/u;

const hasNameCharacters = (part: Part): boolean =>
  hasOpenJoiner(part) ||
  (choicesOf(part).every((choice) => NAME_CHARACTERS.test(choice)) &&
    (part.kind !== 'join' || NAME_CHARACTERS.test(part.joiner)));

const choicesOf = (part: Part): string[] => (part.kind === 'text' ? [part.text] : part.options);

// Whether every name has a dot, and something after its last one.
function alwaysHasZone(parts: Part[]): boolean {
  let followed = false;
  for (const part of [...parts].reverse()) {
    if (!followed && choicesOf(part).some((choice) => choice.endsWith('.'))) return false;
    const choices = part.kind === 'join' ? [part.options.join(part.joiner)] : choicesOf(part);
    if (choices.length > 0 && choices.every((choice) => choice.includes('.'))) return true;
    followed ||= choices.length > 0;
  }
  return false;
}

// Whether the first label of some name starts or ends with a hyphen.
function mayEdgeHyphen(parts: Part[]): boolean {
  if (parts[0] && choicesOf(parts[0]).some((choice) => choice.startsWith('-'))) return true;
  let endsWithHyphen = false;
  for (const part of parts) {
    const choices = choicesOf(part);
    const ends = choices.filter((choice) => choice.includes('.')).map((choice) => choice.slice(0, choice.indexOf('.')));
    if (ends.some((end) => (end === '' ? endsWithHyphen : end.endsWith('-')))) return true;
    if (ends.length > 0 && ends.length === choices.length) return false;
    endsWithHyphen = choices.some((choice) => choice.endsWith('-'));
  }
  return endsWithHyphen;
}

function mayDoubleHyphen(parts: Part[]): boolean {
  let endsWithHyphen = false;
  for (const part of parts) {
    const choices = choicesOf(part);
    const starts = choices.some((choice) => choice.startsWith('-'));
    const ends = choices.some((choice) => choice.endsWith('-'));
    if ((endsWithHyphen && starts) || choices.some((choice) => choice.includes('--'))) return true;
    if (part.kind === 'join' && joinsHyphens(part.joiner, starts, ends)) return true;
    endsWithHyphen = ends;
  }
  return false;
}

function joinsHyphens(joiner: string, starts: boolean, ends: boolean): boolean {
  if (joiner === '') return starts && ends;
  return joiner.includes('--') || (ends && joiner.startsWith('-')) || (starts && joiner.endsWith('-'));
}
