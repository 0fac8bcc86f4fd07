// Whether a reserve shows the site of the main domain: pages of realistic sites, and stock pages of servers, panels and hosters.
import { expect, test } from 'vitest';
import { likenessOf } from '../../../src/services/sites/site-likeness.ts';
import { SITE_COUNT, sitePage, SMALL, STOCK, UNCLEAR } from '../../support/page-corpus.ts';

const MAIN = 'main.com';
const RESERVE = 'reserve-main.com';
const judge = (source: string | null, reserve: string) => {
  const { verdict, why } = likenessOf(
    { html: source, domain: MAIN },
    {
      html: reserve,
      domain: RESERVE,
    },
  );
  return `${verdict} ${why}`;
};
const sites = Array.from({ length: SITE_COUNT }, (_, site) => site);

test.each(Object.entries(STOCK))('the stock page %s is never a site, whatever the source shows', (_name, html) => {
  expect(judge(sitePage(0, MAIN), html)).toMatch(/^stock /);
  expect(judge(null, html)).toMatch(/^stock /);
  // The same page in both places proves nothing.
  expect(judge(html, html)).toMatch(/^stock /);
});

test.each(Object.entries(UNCLEAR))('the page %s is unclear on either side', (_name, html) => {
  expect(judge(sitePage(0, MAIN), html)).toMatch(/^unclear /);
  expect(judge(html, sitePage(0, RESERVE))).toMatch(/^unclear /);
  expect(judge(html, html)).toMatch(/^unclear /);
});

test.each(sites)(
  'site %i under the name of the reserve is the same site, though its counters and dates differ',
  (site) => {
    expect(judge(sitePage(site, MAIN), sitePage(site, RESERVE, 2))).toBe('like text');
    // A copy may still call the main domain its canonical address.
    expect(judge(sitePage(site, MAIN), sitePage(site, MAIN, 1))).toBe('like text');
  },
);

test.each(sites)('site %i matches no other site', (site) => {
  const others = sites.filter((other) => other !== site);
  const verdicts = others.map((other) => judge(sitePage(site, MAIN), sitePage(other, RESERVE)));
  expect(verdicts.filter((verdict) => !/^(different|unclear) /.test(verdict))).toEqual([]);
});

test('no page of a site is taken for a stock page', () => {
  for (const site of sites) expect(judge(null, sitePage(site, RESERVE))).toBe('unclear no_source');
});

test('a source that shows a stock page itself says nothing about its site', () => {
  expect(judge(STOCK['cpanel, suspended']!, sitePage(1, RESERVE))).toBe('unclear no_source');
});

test('a canonical address on a third host is another site', () => {
  expect(judge(sitePage(1, MAIN), sitePage(1, 'third.com'))).toBe('different canonical');
});

test('a page with a fraction of the text is another one', () => {
  const short = sitePage(1, RESERVE).replace(
    /<article>[\s\S]*<\/article>/,
    '<p>Здесь скоро будет наш новый и очень хороший сайт, заходите к нам ещё и не забывайте про нас, пожалуйста, друзья</p>',
  );
  expect(judge(sitePage(1, MAIN), short)).toBe('different size');
});

test('a page with a different title is the same site if the whole text matches, and unclear if part of it does', () => {
  const renamed = sitePage(1, RESERVE).replace(/<title>.*<\/title>/, '<title>Совсем другое имя</title>');
  expect(judge(sitePage(1, MAIN), renamed)).toBe('like text');
  const half = renamed.replace(
    /<article>[\s\S]*?<\/article>/,
    '<article>Новый раздел о том, чего раньше не было: путешествия, горы, озёра, поезда и билеты на них без очередей и наценок в любое время года</article>',
  );
  expect(judge(sitePage(1, MAIN), half)).toBe('unclear title');
});

test('a landing page of a few words without scripts is compared', () => {
  const landing = (domain: string) =>
    `<title>${domain}</title><h1>Звоните: ремонт окон в Туле</h1><p>Выезд бесплатно</p>`;
  expect(judge(landing(MAIN), landing(RESERVE))).toBe('like text');
  expect(judge(landing(MAIN), '<title>x</title><p>Доставка цветов по городу за час, букеты</p>')).toBe(
    'different text',
  );
});

// The first one took 12 s when the reader kept a stack of all open elements.
test.each([
  ['elements that are never closed, and ends of others', `${'<b>'.repeat(87_000)}${'</i>'.repeat(65_000)}`],
  ['elements within elements', '<div>'.repeat(100_000)],
  ['the site itself within too many elements', '<div>'.repeat(600) + sitePage(0, RESERVE)],
])('a page of %s is unclear', (_name, html) => {
  expect(judge(sitePage(0, MAIN), html)).toBe('unclear empty');
  expect(judge(html, sitePage(0, RESERVE))).toBe('unclear empty');
});

test('a page whose elements are nested as deep as browsers nest them is read', () => {
  const deep = (name: string) =>
    `<title>${name}</title>${'<div>'.repeat(500)}${sitePage(0, name)}${'</div>'.repeat(500)}`;
  expect(judge(deep(MAIN), deep(RESERVE))).toBe('like text');
});

test.each(Object.entries(SMALL))('the small site %s is the same under the name of the reserve', (_name, text) => {
  const small = (domain: string) => `<title>${text.slice(0, 30)} ${domain}</title><img src="/logo.png"><p>${text}</p>`;
  expect(judge(small(MAIN), small(RESERVE))).toBe('like text');
});
