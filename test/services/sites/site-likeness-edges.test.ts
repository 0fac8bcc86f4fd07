// The thresholds for comparing two pages, on generated pages with the number of words that a case needs.
import { describe, expect, it, test } from 'vitest';
import { likenessOf, textLikeness, titleOf } from '../../../src/services/sites/site-likeness.ts';

const LETTERS = 'abcdefghij';
/** Returns `count` different words without digits, as all numbers count as the same word. */
const words = (count: number, from = 0): string[] =>
  Array.from(
    { length: count },
    (_, index) => `w${String(from + index).replaceAll(/\d/g, (digit) => LETTERS[Number(digit)]!)}`,
  );
/** Returns words of which the first `shared` equal those of `words`. */
const variant = (shared: number, count: number): string[] => [...words(shared), ...words(count - shared, 5_000)];

interface Page {
  text: string[];
  title?: string;
  head?: string;
}
const html = ({ text, title = 'Same', head = '' }: Page): string =>
  `<head><title>${title}</title>${head}</head><p>${text.join(' ')}</p>`;
const compare = (source: Page | string, reserve: Page | string, domains = ['main.com', 'reserve.com']) => {
  const [one, other] = [source, reserve].map((page) => (typeof page === 'string' ? page : html(page)));
  return likenessOf({ html: one!, domain: domains[0]! }, { html: other!, domain: domains[1]! });
};

describe('textLikeness', () => {
  it.each([
    ['a b c', 'a b c', 1],
    ['a b c d', 'a b c e', 0.5],
    ['a b c', 'a b d', 0],
    ['a a a a', 'a a a', 2 / 3],
    ['a a a a a', 'a a a a', 0.8],
    ['a b', 'a b', 1],
    ['a', 'b', 0],
  ])('of %j and %j is %d', (one, other, wanted) => {
    expect(textLikeness(one.split(' '), other.split(' '))).toBeCloseTo(wanted, 10);
  });
});

test.each([
  [26, 'different', 'text', 0.24],
  [27, 'unclear', 'text', 0.25],
  [51, 'unclear', 'text', 0.49],
  [52, 'like', 'text', 0.5],
  [86, 'like', 'text', 0.84],
])('pages of 102 words under one title with %i shared ones are %s', (shared, verdict, why, score) => {
  expect(compare({ text: words(102) }, { text: variant(shared, 102) })).toEqual({ verdict, why, score });
});

test('pages that share 85 % of the text are the same site under any title', () => {
  const other = (shared: number) => ({ text: variant(shared, 102), title: 'Other' });
  expect(compare({ text: words(102) }, other(86))).toEqual({ verdict: 'unclear', why: 'title', score: 0.84 });
  expect(compare({ text: words(102) }, other(87))).toEqual({ verdict: 'like', why: 'text', score: 0.85 });
});

test('a score is rounded to two digits', () => {
  expect(compare({ text: words(302) }, { text: variant(102, 302) }).score).toBe(0.33);
  expect(compare({ text: words(302) }, { text: variant(202, 302) }).score).toBe(0.67);
});

test.each([
  ['One two', 'one six', 'like'],
  ['one two three', 'one four', 'unclear'],
  ['one two', 'three four', 'unclear'],
  ['one', '', 'unclear'],
  ['', 'one', 'unclear'],
  ['', '', 'like'],
  ['News of main.com', 'News of reserve.com', 'like'],
])('pages with the titles %j and %j that share 60 %% of the text are %s', (title, other, verdict) => {
  const page = { text: words(102), title };
  expect(compare(page, { text: variant(62, 102), title: other })).toMatchObject({ verdict, score: 0.6 });
});

test('a page is unclear below five words, or below twenty where a script may write more', () => {
  const script = '<script>start()</script>';
  const same = (count: number, head = '') => compare({ text: words(count), head }, { text: words(count), head });
  expect([same(4), same(5)]).toMatchObject([{ why: 'empty' }, { verdict: 'like' }]);
  expect([same(19, script), same(20, script)]).toMatchObject([{ why: 'empty' }, { verdict: 'like' }]);
  // One short page of the two is enough.
  expect(compare({ text: words(5) }, { text: words(4) })).toMatchObject({ verdict: 'unclear', why: 'empty' });
  expect(compare({ text: words(4) }, { text: words(5) })).toMatchObject({ verdict: 'unclear', why: 'empty' });
});

test('a page of more than four times as many words is another one, whichever is longer', () => {
  const [short, fits, long] = [words(20), words(80), words(81)].map((text) => ({ text }));
  expect(compare(short!, fits!)).toMatchObject({ verdict: 'unclear', why: 'text' });
  expect(compare(short!, long!)).toEqual({ verdict: 'different', why: 'size', score: null });
  expect(compare(long!, short!)).toMatchObject({ why: 'size' });
});

test.each([
  ['a canonical address on a third host', '<link rel="Canonical" href="https://third.com/x">', 'different'],
  ['a refresh that leads away', '<meta http-equiv="refresh" content="0;url=https://third.com/">', 'different'],
  ['one to the source', '<meta http-equiv="refresh" content="0;url=https://main.com/">', 'stock'],
  [
    'one for who has no scripts',
    '<noscript><meta http-equiv="refresh" content="0;url=https://third.com/"></noscript>',
    'like',
  ],
  ['that of www', '<link rel="canonical" href="https://www.reserve.com/">', 'like'],
  ['that of the source', '<link rel="canonical" href="http://main.com/">', 'like'],
  [
    'the first one of several',
    '<link rel="canonical" href="/"><link rel="canonical" href="https://third.com/">',
    'different',
  ],
  ['one without a scheme', '<link rel="canonical" href="//third.com/">', 'different'],
  ['one with blanks around it', '<link rel="canonical" href="\n https://third.com/ ">', 'different'],
  ['one with backslashes', String.raw`<link rel="canonical" href="https:\\third.com/">`, 'different'],
  ['one among other words', '<link rel="nofollow\nCanonical" href="https://third.com/">', 'different'],
  ['one with blanks around its word', '<link rel=" canonical " href="https://third.com/">', 'different'],
  ['a word that only begins so', '<link rel="canonical-of" href="https://third.com/">', 'like'],
  [
    'a second one that contradicts the first',
    '<link rel="canonical" href="https://main.com/"><link rel="canonical" href="https://third.com/">',
    'different',
  ],
  ['a path below a third base', '<base href="//third.com/"><link rel="canonical" href="/">', 'different'],
  ['a path before a third base', '<link rel="canonical" href="about"><base href="https://third.com/">', 'different'],
  [
    'a path below a base of its own, and a third one after it',
    '<base target="_top"><base href="/x/"><base href="https://third.com/"><link rel="canonical" href="y">',
    'like',
  ],
  [
    'a base for who has no scripts',
    '<noscript><base href="https://third.com/"></noscript><link rel="canonical" href="/">',
    'like',
  ],
  ['a base that is no address', '<base href="http://["><link rel="canonical" href="/">', 'like'],
  ['a canonical link without an address', '<base href="https://third.com/"><link rel="canonical">', 'like'],
  ['a refresh without a scheme', '<meta http-equiv="refresh" content="0;url=//third.com/">', 'different'],
  ['a refresh with backslashes', String.raw`<meta http-equiv="refresh" content="0;url=\\third.com/">`, 'different'],
  [
    'a second refresh that leads away',
    '<meta http-equiv="refresh" content="9"><meta http-equiv="refresh" content="0;url=/x"><meta http-equiv="refresh" content="0;url=https://third.com/">',
    'different',
  ],
  [
    'a refresh to a path below a third base',
    '<base href="https://third.com/"><meta http-equiv="refresh" content="0;url=/x">',
    'different',
  ],
  ['a canonical link without a host', '<link rel="canonical" href="/about">', 'like'],
  ['a canonical link that is no address', '<link rel="canonical" href="http://[">', 'like'],
  ['a canonical link that is not of the web', '<link rel="canonical" href="ftp://third.com/">', 'like'],
  ['another link to a third host', '<link rel="alternate" href="https://third.com/">', 'like'],
  ['another tag that says canonical', '<meta rel="canonical" href="https://third.com/">', 'like'],
])('%s makes the same text %s', (_, head, verdict) => {
  const text = words(40);
  expect(compare({ text }, { text, head })).toMatchObject({ verdict });
});

test('hidden text does not count, however much there is', () => {
  const hidden = (from: number) =>
    ['script', 'style', 'noscript', 'template', 'svg', 'script']
      .map((tag, index) => `<${tag}>${words(30, from + index * 100).join(' ')}</${tag}>`)
      .join('');
  const text = words(40);
  expect(compare({ text, head: hidden(1_000) }, { text, head: hidden(8_000) })).toMatchObject({ score: 1 });
});

test('pages without a title are compared, and text before the title is no part of it', () => {
  const bare = `<p>${words(40).join(' ')}</p>`;
  expect(compare(bare, bare)).toEqual({ verdict: 'like', why: 'text', score: 1 });
  const late = (title: string) => `<p>${variant(25, 40).join(' ')}</p><title>${title}</title>`;
  expect(compare({ text: words(40) }, late('Same'))).toMatchObject({ verdict: 'like', score: 0.61 });
  expect(compare({ text: words(40) }, late('Other'))).toMatchObject({ why: 'title', score: 0.61 });
});

test('the domain names of the sites do not count, even where one ends in the other', () => {
  const naming = (domain: string) => ({ text: words(40).map((word) => `${word} ${domain}`) });
  const [main, reserve] = ['main.com', 'reserve-main.com'];
  expect(compare(naming(main), naming(reserve), [main, reserve])).toMatchObject({ score: 1 });
  expect(compare(naming(reserve), naming(main), [reserve, main])).toMatchObject({ score: 1 });
});

test('only the first title of a page counts', () => {
  expect(titleOf('<p>before</p><title>One</title><p>after</p><title>Two</title>')).toBe('One');
  expect(titleOf('no tag before <title>One</title>')).toBe('One');
  expect(titleOf('<p>none</p>')).toBe('');
});
