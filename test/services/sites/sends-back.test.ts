// Whether a page sends its visitors back to the domain that is to forward to it, and what is no such thing.
import { expect, test } from 'vitest';
import { likenessOf } from '../../../src/services/sites/site-likeness.ts';
import { sendsBackTo } from '../../../src/services/sites/sends-back.ts';
import { STOCK, sitePage, UNCLEAR } from '../../support/page-corpus.ts';

const MAIN = 'main.com';
const RESERVE = 'reserve.com';
const refresh = (content: string): string => `<meta http-equiv="refresh" content="${content}">`;
const script = (code: string, type = ''): string => `<script${type}>${code}</script>`;

test.each([
  refresh('0;url=https://main.com/'),
  refresh('0; URL=http://www.main.com'),
  refresh('5;https://main.com'),
  refresh('0,url=https://main.com'),
  refresh('0 https://main.com/'),
  refresh('59;url=https://main.com/'),
  refresh('.5;url=https://main.com/'),
  refresh(`0; URL='//main.com'`),
  refresh(`0; url = '//main.com' and more`),
  refresh(`0; '//main.com'`),
  refresh('0;url=https://main.com/index.php?from=1#top'),
  refresh('0;url=https://main.com/?x'),
  refresh('0;url=HTTPS://MAIN.COM'),
  refresh('0;url=https://ma\tin.com/'),
  refresh(String.raw`0;url=\\main.com`),
  refresh(String.raw`0;url=https:\\main.com/`),
  refresh(' \n 0 \n ; \n url=https://main.com/ \n'),
  refresh('0;url=https://main.com:443/'),
  refresh('0;url=https://&#109;ain.com/'),
  '<META HTTP-EQUIV=Refresh CONTENT="0;URL=HTTP://MAIN.COM/">',
  `<body>${refresh('0;url=//main.com')}</body>`,
  `<base href="https://main.com/">${refresh('0;url=/')}`,
  `${refresh('0;url=.')}<base href="//main.com">`,
  `<noscript>${refresh('0;url=https://main.com/')}</noscript>`,
  `<svg>${refresh('0;url=https://main.com/')}</svg>`,
  `${refresh('300;url=/')}${refresh('0;url=https://main.com/')}`,
])('%j sends visitors back', (head) => {
  expect(sendsBackTo(MAIN, `<head>${head}</head><p>Text</p>`)).toBe('surely');
});

test.each([
  refresh('0;url=https://main.com/en/'),
  `<base href="https://main.com/x/">${refresh('0;url=y.html')}`,
  script(`location = 'https://main.com'`),
  script(`window.location.href="https://www.main.com/" + location.pathname;`),
  script(`top.location.replace("//main.com/");`),
  script(`document.location.assign( 'https://main.com' )`, ' type="text/javascript"'),
  script(`window . location = "https:\\/\\/main.com\\/"`),
  script(`if (location.hostname !== 'main.com') { location.href = 'https://main.com' + location.pathname }`),
  script(`"www.main.com" && location.host!="www.main.com" && location.replace("https://main.com/?a=1&b=2")`),
  script(`// go home\nvar a = 1; /* soon */ self.location = \`https://main.com/\`;`),
])('%j perhaps sends visitors back', (head) => {
  expect(sendsBackTo(MAIN, `<head>${head}</head><p>Text</p>`)).toBe('perhaps');
});

test.each([
  refresh('300'),
  refresh('0'),
  refresh('300;url=https://reserve.com/'),
  refresh('0;url=https://reserve.com/news'),
  refresh('0;url=/index.html'),
  refresh('300;url=https://main.com/'),
  refresh('60;url=https://main.com/'),
  refresh('0;url=https://third.com/?to=https://main.com/'),
  refresh('0;url=https://notmain.com/'),
  refresh('0;url=https://main.com.third.com/'),
  refresh('url=https://main.com/'),
  refresh(';url=https://main.com/'),
  refresh('0url=https://main.com/'),
  refresh('0;url=javascript:location="https://main.com/"'),
  refresh('0;url=http://['),
  `<!-- ${refresh('0;url=https://main.com/')} -->`,
  `<template>${refresh('0;url=https://main.com/')}</template>`,
  `<textarea>${refresh('0;url=https://main.com/')}</textarea>`,
  `<noscript>${refresh('0;url=/nojs.html')}</noscript>`,
  '<meta name="refresh" content="0;url=https://main.com/">',
  '<link rel="canonical" href="https://main.com/">',
  '<a href="https://main.com/" onclick="location=\'https://main.com\'">Home</a>',
  script(`function home() { location.href = 'https://main.com/' }`),
  script(`document.onclick = () => { location = 'https://main.com/' }`),
  script(`if (location.protocol === 'http:') location.href = 'https://main.com' + location.pathname`),
  script(`if (location.hostname === 'www.main.com') location.href = 'https://main.com'`),
  script(`if (location.hostname !== 'third.com') location.href = 'https://main.com'`),
  script(`navigator.webdriver && location.replace('https://main.com')`),
  script(`var isThere = location == 'https://main.com/'`),
  script(`var mylocation = 'https://main.com/'; shop.location = 'https://main.com/'`),
  script(`location.href = 'https://third.com/?back=https://main.com/'`),
  script(`// location = 'https://main.com'\n/* location = 'https://main.com' */ start()`),
  script(`{"location": "https://main.com/", "url": "location = 'https://main.com'"}`, ' type="application/ld+json"'),
  `<noscript>${script(`location = 'https://main.com'`)}</noscript>`,
  script(`location = 'https://main.com';${' '.repeat(2_000)}`),
])('%j sends nobody back', (head) => {
  expect(sendsBackTo(MAIN, `<head>${head}</head><p>Text</p>`)).toBeNull();
});

test('a page that sends its visitors back is never a site, and one that perhaps does is unclear where it would be alike', () => {
  const judge = (head: string, source: string | null = sitePage(1, MAIN), page = sitePage(1, RESERVE)) => {
    const html = page.replace('<head>', `<head>${head}`);
    const { verdict, why } = likenessOf({ html: source, domain: MAIN }, { html, domain: RESERVE });
    return `${verdict} ${why}`;
  };
  const [surely, perhaps] = [refresh('0;url=https://main.com/'), script(`location='https://main.com'`)];
  expect([judge(surely), judge(surely, null), judge(surely, sitePage(3, MAIN))]).toEqual(
    Array(3).fill('stock sends_back'),
  );
  expect([judge(perhaps), judge(perhaps, null), judge(perhaps, sitePage(3, MAIN))]).toEqual([
    'unclear sends_back',
    'unclear no_source',
    'different text',
  ]);
  expect(judge(refresh('300;url=https://reserve.com/'))).toBe('like text');
});

test('no usual page of a site, a server or a panel sends anybody back', () => {
  for (const html of [...Object.values(STOCK), ...Object.values(UNCLEAR), sitePage(1, MAIN), sitePage(4, MAIN)]) {
    expect(sendsBackTo(MAIN, html)).toBeNull();
  }
});

test('long addresses, scripts and tags are read in time', () => {
  const long = 250_000;
  const pages = [
    refresh('1'.repeat(long)),
    refresh(`${' '.repeat(long)}x`),
    refresh(`0;${' '.repeat(long)}url${' '.repeat(long)}`),
    refresh(`0;url='${'x'.repeat(long)}`),
    script('/*'.repeat(999)).repeat(250),
    script(`location = ${'window . '.repeat(200)}`).repeat(150),
  ];
  for (const page of pages) expect(sendsBackTo(MAIN, page)).toBeNull();
});
