// A reserve that sends its visitors back to the main domain, which is to forward to it: by its page, the head of its answer, or a redirect.
import { expect, test } from 'vitest';
import { useConfig } from '../../../../src/lib/config.ts';
import { lookOnce, type Model } from '../../../../src/services/transfers/gate.ts';
import { seenAt } from '../../../../src/services/transfers/seen.ts';
import { sitePage } from '../../../support/page-corpus.ts';
import { ADDRESS, type Answer, DOMAIN, MARKER, pass, printed, reserve, useReserve, world } from './world.ts';

useReserve();

const MAIN = 'main.com';
const THIRD = 'third.com';
const model: Model = { domain: MAIN, address: null, kept: async () => null };
const meta = (content: string): string => `<meta http-equiv="refresh" content="${content}">`;
const page = (head = ''): string => sitePage(1, DOMAIN, 1).replace('<head>', `<head>${head}`);

/** Has the reserve answer so at its first page, and a third host redirect to the main domain. */
function answer(given: Answer): void {
  reserve.answer = (host, path) => {
    if (path === '/abc.txt') return { body: 'the id\n' };
    if (host === THIRD) return { status: 302, location: `https://${MAIN}/` };
    return host === MAIN ? { body: sitePage(1, MAIN) } : { body: page(), ...given };
  };
}

const SURE: [string, Answer][] = [
  ['its page', { body: page(meta(`0;url=https://${MAIN}/`)) }],
  ['its page, for who has no scripts', { body: page(`<noscript>${meta(`0; URL='//${MAIN}'`)}</noscript>`) }],
  ['the head of its answer', { refresh: `0; url=https://www.${MAIN}/` }],
  ['the head of its answer, in quotes', { refresh: `3;"http://${MAIN}"` }],
  ...[301, 302, 303, 307, 308].map((status): [string, Answer] => [
    `a redirect ${status}`,
    { status, location: `https://${MAIN}/` },
  ]),
  ['a redirect to www', { status: 302, location: `//www.${MAIN}/en/` }],
  ['a redirect over a third host', { status: 301, location: `https://${THIRD}/` }],
];

test.each(SURE)('a reserve that sends visitors back by %s never passes, whatever was confirmed', async (_name, bad) => {
  answer(bad);
  const confirm_site = printed(bad.body ?? page());
  expect(await pass({ model })).toBe('transfer.page_sends_back');
  expect(await pass({ model, confirm_site })).toBe('transfer.page_sends_back');
  expect(await pass({ model, address: null })).toBe('transfer.page_sends_back');
  expect(await pass({ model, marker: MARKER })).toBe('transfer.page_sends_back');
});

test('a reserve whose redirects come back to it by way of the main domain does not pass', async () => {
  reserve.answer = (host, path) => {
    if (path === '/in') return { body: page() };
    return host === MAIN
      ? { status: 302, location: `https://${DOMAIN}/in` }
      : { status: 302, location: `https://${MAIN}/` };
  };
  expect(await pass({ model })).toBe('transfer.page_sends_back');
});

test.each<[string, Answer]>([
  ['loads its page anew each 300 s', { body: page(meta('300')) }],
  ['loads its page anew each 300 s by its address', { body: page(meta(`300;url=https://${DOMAIN}/`)) }],
  [
    'loads its page anew each 300 s by the address of the main domain',
    { body: page(meta(`300;url=https://${MAIN}/`)) },
  ],
  ['says so in the head of its answer', { refresh: '300' }],
  ['is loaded anew by the head of its answer', { refresh: `120; url=https://${MAIN}/` }],
  ['sends visitors on to another page of its own', { body: page(meta('0;url=/news')) }],
  ['calls the main domain its canonical address', { body: page(`<link rel="canonical" href="https://${MAIN}/">`) }],
  ['redirects to its own www', { status: 301, location: `https://www.${DOMAIN}/` }],
])('a reserve that %s passes', async (_name, fine) => {
  reserve.answer = (host, path) => {
    if (path === '/abc.txt') return { body: 'the id\n' };
    return host === MAIN ? { body: sitePage(1, MAIN) } : host === DOMAIN ? { body: page(), ...fine } : { body: page() };
  };
  expect(await pass({ model })).toBe('passed');
  expect(await pass({ model, marker: MARKER })).toBe('passed');
});

test('a reserve that perhaps sends visitors back needs a person who confirms its page', async () => {
  const heads = [`<script>location = 'https://${MAIN}'</script>`, meta(`0;url=https://${MAIN}/en/`)];
  for (const body of heads.map(page)) {
    answer({ body });
    expect(await pass({ model })).toBe('transfer.site_sends_back');
    expect(await pass({ model, confirm_site: printed(body) })).toBe('passed');
    expect(await pass({ model, marker: MARKER })).toBe('passed');
  }
});

test('a refresh in the head of an answer that leads to a third host is another site', async () => {
  answer({ refresh: '0; url=https://third.com/' });
  expect(await pass({ model })).toBe('transfer.site_different');
  expect(await pass({ model, confirm_site: printed(page()) })).toBe('transfer.site_changed');
  expect(await pass({ model, confirm_site: printed(`${meta('0; url=https://third.com/')}${page()}`) })).toBe('passed');
});

test('a plan tells that a page sends visitors back, and nothing of a redirect, which may be a rule that the move takes away', async () => {
  useConfig(world());
  const look = async () =>
    (await lookOnce({ domain: DOMAIN, address: ADDRESS }, model, new AbortController().signal)).likeness;
  for (const [, bad] of SURE) {
    answer(bad);
    const told = { verdict: 'stock', why: 'sends_back', score: null };
    const untold = { verdict: 'unclear', why: 'no_answer', score: null };
    expect(await look()).toEqual(bad.location === undefined ? told : untold);
  }
  answer({});
  expect(await look()).toMatchObject({ verdict: 'like' });
});

test('visitors who are forwarded to a page that sends them back get no page', async () => {
  useConfig(world());
  const see = async (given: Answer) => {
    reserve.answer = (host) =>
      host === MAIN ? { status: 301, location: `https://${DOMAIN}/` } : { body: page(), ...given };
    return (await seenAt(MAIN, DOMAIN, new AbortController().signal)).fault;
  };
  expect(await see({})).toBeNull();
  expect(await see({ body: page(meta(`300;url=https://${MAIN}/`)) })).toBeNull();
  expect(await see({ body: page(meta(`0;url=https://${MAIN}/`)) })).toBe(`→ ${MAIN}`);
  expect(await see({ refresh: `0;url=https://${MAIN}/` })).toBe(`→ ${MAIN}`);
});
