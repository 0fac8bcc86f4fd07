// The print by which a page is recognized: slightly changed pages, other pages, and pages with hardly any text.
import { expect, test } from 'vitest';
import { isSamePage, printOf } from '../../../src/services/sites/site-print.ts';
import { SITE_COUNT, sitePage, STOCK, UNCLEAR } from '../../support/page-corpus.ts';

const NAMES = ['reserve-main.com', 'main.com'];
const RESERVE = NAMES[0]!;
const sites = Array.from({ length: SITE_COUNT }, (_, site) => site);
const same = (one: string, other: string): boolean => isSamePage(printOf(one, NAMES), printOf(other, NAMES));
const shell = (title: string, script: string, more = ''): string =>
  `<html><head><title>${title}</title>${more}<link rel="icon" href="/favicon.ico"><meta name="a" content="b"></head>
   <body><div id="root"></div><script src="/lib.js"></script><script>${script}</script></body></html>`;

test.each(sites)('site %i is recognized, though its counters and dates differ, and matches no other site', (site) => {
  expect(same(sitePage(site, RESERVE), sitePage(site, RESERVE, 2))).toBe(true);
  expect(same(sitePage(site, RESERVE), sitePage(site, 'main.com', 1))).toBe(true);
  const others = sites.filter((other) => other !== site);
  expect(others.filter((other) => same(sitePage(site, RESERVE), sitePage(other, RESERVE)))).toEqual([]);
});

test('no stock page is recognized as a site, and no site as a stock page', () => {
  for (const stock of Object.values(STOCK)) {
    expect(sites.filter((site) => same(stock, sitePage(site, RESERVE)))).toEqual([]);
    expect(Object.values(UNCLEAR).filter((html) => same(stock, html))).toEqual([]);
  }
});

test('a page without words is recognized by its title and the resources that it loads', () => {
  const page = shell('App', 'start("/api")');
  expect(same(page, page)).toBe(true);
  expect(same(page, shell('App', 'start("/api")', '<meta name="csrf" content="x7f">'))).toBe(true);
  expect(same(page, shell('Another app', 'start("/api")'))).toBe(false);
  expect(same(page, page.replace('/lib.js', '/lander.js').replace('start("/api")', 'location.href = "/lander"'))).toBe(
    false,
  );
  expect(same('', '')).toBe(true);
  expect(same('', '<script>location.href = "/lander"</script>')).toBe(false);
});

test('a page without words is another one once it loads or frames another resource, or redirects its visitors', () => {
  const page = shell('App', 'start("/api")', '<meta name="viewport" content="width=device-width">');
  const tags = [
    '<script src="https://third.com/x.js"></script>',
    '<iframe src="https://third.com/"></iframe>',
    '<object data="//third.com/x"></object>',
    '<script src="https://third.com/cdn-cgi/x.js"></script>',
    '<meta http-equiv="Refresh" content="0; URL=\'https://third.com/\'">',
    '<meta http-equiv="refresh" content="0;//third.com/">',
  ];
  for (const tag of tags) expect([tag, same(page, page.replace('</body>', `${tag}</body>`))]).toEqual([tag, false]);
  expect(same(page, page.replace('/lib.js', '/lander.js'))).toBe(false);
  expect(same(page, page.replace('/lib.js', 'https://third.com/lib.js'))).toBe(false);
  // Scripts that a CDN adds, another version in the query and a reload of the same site do not matter.
  const added = '<script defer src="https://static.cloudflareinsights.com/beacon.min.js/v8c"></script></body>';
  expect(same(page, page.replace('</body>', added))).toBe(true);
  expect(same(page, page.replace('</body>', '<script src="/cdn-cgi/scripts/x/email.js"></script></body>'))).toBe(true);
  expect(same(page, page.replace('/lib.js', '/lib.js?v=a7'))).toBe(true);
  const reloads = `<meta http-equiv="refresh" content="300; url=https://www.${RESERVE}/">`;
  expect(same(page, page.replace('</head>', `${reloads}</head>`))).toBe(true);
});

test('a text that redirects its visitors to a third site is another page', () => {
  const page = sitePage(1, RESERVE);
  const away = (to: string) => page.replace('</head>', `<meta http-equiv="refresh" content="0;url=${to}"></head>`);
  expect(same(page, away('https://third.com/'))).toBe(false);
  expect(same(page, away('https://main.com/'))).toBe(true);
  expect(same(page, away('/index.html'))).toBe(true);
});

test('a canonical address on another host or another size makes another page; another title over the same text does not', () => {
  const page = sitePage(1, RESERVE);
  expect(same(page, sitePage(1, 'third.com'))).toBe(false);
  const half = page.replace(/<article>[\s\S]*<\/article>/, '');
  expect(same(page, `${half}${page}${page}${page}${page}${page}`)).toBe(false);
  expect(same(page, page.replace(/<title>.*<\/title>/, '<title>Another</title>'))).toBe(true);
});

test('a page that could not be read to its end matches nothing, and neither does an invalid print', () => {
  const deep = '<div>'.repeat(600);
  expect(same(deep, deep)).toBe(false);
  const print = printOf(sitePage(1, RESERVE), NAMES);
  expect(print).toHaveLength(80);
  for (const other of ['', 'true', `${print}AAAA`, print.slice(0, 76)]) {
    expect([isSamePage(print, other), isSamePage(other, print), isSamePage(other, other)]).toEqual([
      false,
      false,
      false,
    ]);
  }
});

/** A print in the layout of printOf; the sketch has one byte per bucket of 50, 0 for an empty bucket. */
const printLike = ({ kind = 1, size = 100, title = 'same', host = 'same', sketch = shared(50) } = {}): string =>
  Buffer.concat([Uint8Array.of(kind, size), Buffer.from(title), Buffer.from(host), sketch]).toString('base64url');
/** A sketch with `equal` shared buckets and `apart` buckets that alternate between the two sides; the others are empty. */
function shared(equal: number, apart = 0, side = 0): Uint8Array {
  const unequal = Array.from({ length: apart }, (_, index) => (index % 2 === side ? 1 : 0));
  return Uint8Array.from({ length: 50 }, (_, index) => (index < equal ? 1 : (unequal[index - equal] ?? 0)));
}
const [TEXT, SHELL] = [1, 2];

test.each([
  ['of few words under one title from three quarters on', { kind: SHELL }, 30, 20, true],
  ['of few words under one title from three quarters on', { kind: SHELL }, 29, 21, false],
  ['of text under one title from half on', { kind: TEXT }, 16, 32, true],
  ['of text under one title from half on', { kind: TEXT }, 16, 33, false],
  ['of text under any title from 85 % on', { kind: TEXT, title: 'else' }, 34, 12, true],
  ['of text under any title from 85 % on', { kind: TEXT, title: 'else' }, 34, 13, false],
  ['of few words under no other title', { kind: SHELL, title: 'else' }, 50, 0, false],
])('a page is the same one %s: %j with %i buckets alike and %i not: %s', (_, more, equal, apart, wanted) => {
  const [one, other] = [0, 1].map((side) => shared(equal, apart, side));
  const before = printLike({ ...more, title: 'same', sketch: one! });
  expect(isSamePage(before, printLike({ ...more, sketch: other! }))).toBe(wanted);
});

test('a page of another kind, canonical host or more than four times the size is another one', () => {
  const page = printLike();
  expect(isSamePage(page, printLike({ kind: SHELL }))).toBe(false);
  expect(isSamePage(page, printLike({ host: 'else' }))).toBe(false);
  // Sixteen steps of the size byte are a factor of two.
  for (const [size, isSame] of [
    [132, true],
    [68, true],
    [133, false],
    [67, false],
  ] as const) {
    expect([size, isSamePage(page, printLike({ size }))]).toEqual([size, isSame]);
    expect([size, isSamePage(printLike({ size }), page)]).toEqual([size, isSame]);
  }
  expect(isSamePage(printLike({ size: 0 }), printLike({ size: 0 }))).toBe(true);
  expect(isSamePage(printLike({ kind: 0 }), printLike({ kind: 0 }))).toBe(false);
  expect(isSamePage(printLike({ sketch: shared(0) }), printLike({ sketch: shared(0) }))).toBe(false);
});

test('the size of a page of any length fits into one byte', () => {
  const sizeOf = (count: number) => Buffer.from(printOf('a '.repeat(count), NAMES), 'base64url')[1];
  expect([255, 65_535, 100_000].map(sizeOf)).toEqual([128, 255, 255]);
});

const TALE =
  'In a hole in the ground there lived a player who knew 36 games by heart, and lost 12 of them every night.';
const OWN = '<link rel="canonical" href="https://third.com/">';

test.each([
  [
    'a text',
    `<title>A tale</title><p>${TALE}</p>`,
    'AUm97-F247DEQnkAAAAAVgDVAAAcyfjMAAAAJgCOGaYAAAClAAAAAEQyAAAAUwAAAGcAAAAADbMAAKQA',
  ],
  [
    'a text of a third host',
    `<title>A tale</title>${OWN}<p>${TALE}</p>`,
    'AUm97-F2oIVFJnkAAAAAVgDVAAAcyfjMAAAAJgCOGaYAAAClAAAAAEQyAAAAUwAAAGcAAAAADbMAAKQA',
  ],
  [
    'a page of few words',
    shell('App', 'start("/api")'),
    'AgChcs7ceihdqQAAAADSAAAAAADGAAAAAOwAEOcAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  ],
  [
    'a page that was not read to its end',
    '<div>'.repeat(600),
    'AADjsMRC47DEQgAAAAAAAAAAAADGAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  ],
])('%s keeps its print over versions, as stored prints are compared with new ones', (_, html, print) => {
  expect(printOf(html, NAMES)).toBe(print);
});
