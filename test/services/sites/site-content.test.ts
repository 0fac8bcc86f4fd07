// Rendering a page into a template: values are inserted literally, and all other bytes stay.
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { partsOf, readPage, renderSite } from '../../../src/services/sites/site-content.ts';

const PAGE = `<!doctype html><html><head><meta charset="utf-8">
<title>Казино &amp; $& $1 BODY</title><meta content='Лучшее "место" TITLE' NAME=Description></head>
<body class="x"><h1>SITE_URL</h1><script>let a = '</body>'.length; // $'</script><p>конец</p></body></html>`;

const bytes = (text: string): Uint8Array => Buffer.from(text);
const render = (text: string, path = 'index.html', html: string | null = PAGE, domain = 'site.example'): string =>
  Buffer.from(renderSite([{ path, content: bytes(text) }], html, domain)[0]!.content).toString();

describe('the parts of a page', () => {
  test.each<[string, string, Partial<ReturnType<typeof partsOf>>]>([
    ['upper case', '<HTML><HEAD><TITLE>A</TITLE></HEAD><BODY BGCOLOR=red>b</BODY></HTML>', { title: 'A', body: 'b' }],
    ['attributes in any order', `<meta content="x y" name='DESCRIPTION'>`, { description: 'x y' }],
    ['no quotes', '<head><meta name=description content=word></head><body>', { description: 'word', body: '' }],
    ['entities stay as they are', '<title>a &lt;b&gt; &amp;amp;</title>', { title: 'a &lt;b&gt; &amp;amp;' }],
    ['the first of each counts', '<title>1</title><title>2</title><body>a', { title: '1', body: 'a' }],
    ['a title in a picture is none', '<body><svg><title>no</title></svg>', { title: '' }],
    ['a picture in the head', '<head><svg><title>no</title></svg><title>yes</title></head>', { title: 'yes' }],
    ['a title of the body is none', '<body><title>no</title>', { title: '' }],
    [
      'tags that are commented out',
      '<!-- <title>no</title><body>no --><title>yes</title><body>b',
      { title: 'yes', body: 'b' },
    ],
    ['tags in a script', `<body><script>'<body>no'</script>b</body>`, { body: `<script>'<body>no'</script>b` }],
    ['no body', '<p>a</p> <b>c', { title: '', description: '', body: '<p>a</p> <b>c' }],
    ['no body after a head', '<html><head><title>T</title></head><p>a</p></html>', { title: 'T', body: '<p>a</p>' }],
    ['a body without an end', '<html><body> a <p>b</html>', { body: ' a <p>b' }],
    ['nothing', '', { title: '', description: '', body: '' }],
    ['a title without an end', '<title>all the rest', { title: '' }],
  ])('%s', (_, html, parts) => {
    expect(partsOf(html)).toMatchObject(parts);
  });

  test('are substrings of any text', () => {
    const words = [
      '<body>',
      '</body>',
      '<title>',
      '</title>',
      '<!--',
      '-->',
      '<meta name=description content="',
      '"',
      '<',
    ];
    const html = fc.array(fc.oneof(fc.constantFrom(...words), fc.string({ maxLength: 5 }))).map((all) => all.join(''));
    const holds = fc.property(html, (text) => Object.values(partsOf(text)).every((value) => text.includes(value)));
    expect(() => fc.assert(holds, { numRuns: 2000 })).not.toThrow();
  });
});

describe('placeholders', () => {
  test('are whole words, and not the names of tags', () => {
    const text = '<TITLE>TITLE</TITLE><BODY>BODY_ MYBODY BODY2 яTITLE «TITLE» SITE_URL/TITLE.html Title</BODY>';
    expect(render(text, 'a.html', '<title>t</title>b')).toBe(
      '<TITLE>t</TITLE><BODY>BODY_ MYBODY BODY2 яTITLE «t» site.example/t.html Title</BODY>',
    );
  });

  test('are replaced by the literal values: patterns and placeholders in a value have no effect', () => {
    expect(render('[TITLE]')).toBe('[Казино &amp; $& $1 BODY]');
    expect(render('[DESCRIPTION]')).toBe('[Лучшее "место" TITLE]');
    expect(render('[BODY]')).toContain(
      `<h1>SITE_URL</h1><script>let a = '</body>'.length; // $'</script><p>конец</p>]`,
    );
  });

  test('are empty without a page, except for the domain', () => {
    expect(render('TITLE|DESCRIPTION|BODY|SITE_URL', 'a.html', null)).toBe('|||site.example');
  });

  test.each(
    'html htm xhtml css js mjs json txt xml svg php md webmanifest htaccess conf ini csv rss atom HTML'.split(' '),
  )('are replaced in .%s', (ending) => {
    expect(render('SITE_URL', `deep/er/.${ending}`)).toBe('site.example');
  });

  test('leave the text around them as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (before, after) => {
        fc.pre(!/(SITE_URL|TITLE|DESCRIPTION|BODY)/.test(before + after));
        const text = `${before} SITE_URL ${after}`;
        // oxlint-disable-next-line no-control-regex
        const isText = !/[\u0000-\u0008\u000E-\u0019\u001C-\u001F]/.test(text);
        expect(render(text, 'a.txt')).toBe(isText ? `${before} site.example ${after}` : text);
      }),
    );
  });
});

describe('bytes', () => {
  const binary = Uint8Array.from({ length: 512 }, (_, at) => at % 256);

  test('of a file that is no text stay the same, whatever its name', () => {
    const files = [
      { path: 'logo.png', content: bytes('TITLE SITE_URL') },
      { path: 'lies.html', content: Buffer.concat([bytes('TITLE'), binary]) },
      { path: 'font.woff2', content: binary },
    ];
    expect(renderSite(files, PAGE, 'a.example')).toEqual(files);
  });

  test('of a text without placeholders stay the same in any encoding', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (content) => {
        expect(Buffer.from(renderSite([{ path: 'a.html', content }], PAGE, 'a.example')[0]!.content)).toEqual(
          Buffer.from(content),
        );
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    ['declared', '<meta charset="windows-1251">Привет TITLE'],
    ['declared by equivalence', '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">Да TITLE'],
    ['as its bytes tell', 'Привет, TITLE'],
    ['declared over ASCII alone', '<meta charset=windows-1251>TITLE'],
  ])('of a template in windows-1251 stay in that encoding: %s', (_, text) => {
    const content = iconv.encode(text, 'win1251');
    const html = '<title>Ёж № 5 «ж» — 你好 😀</title>';
    const [file] = renderSite([{ path: 'a.html', content }], html, 'a.example');
    const title = 'Ёж № 5 «ж» — &#20320;&#22909; &#128512;';
    expect(iconv.decode(Buffer.from(file!.content), 'win1251')).toBe(text.replace('TITLE', title));
  });

  test.each([
    ['a.js', '\\u4f60\\ud83d\\ude00'],
    ['a.css', '\\4f60 \\1f600 '],
    ['a.txt', '&#20320;&#128512;'],
  ])('of %s escape the characters that its encoding lacks in the syntax of the file', (path, said) => {
    const content = iconv.encode('/* Да */ TITLE', 'win1251');
    const [file] = renderSite([{ path, content }], '<title>你😀</title>', 'a.example');
    expect(iconv.decode(Buffer.from(file!.content), 'win1251')).toBe(`/* Да */ ${said}`);
  });

  test.each(['utf8', 'utf16le', 'utf16be'])('keep a byte order mark: %s', (encoding) => {
    const content = iconv.encode('я TITLE', encoding, { addBOM: true });
    const [file] = renderSite([{ path: 'a.html', content }], '<title>Ж</title>', 'a.example');
    expect(Buffer.from(file!.content)).toEqual(iconv.encode('я Ж', encoding, { addBOM: true }));
  });
});

describe('a page', () => {
  const text = '<title>Привет</title>';
  test.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a mark', iconv.encode(text, 'utf8', { addBOM: true })],
    ['UTF-16', iconv.encode(text, 'utf16le', { addBOM: true })],
    ['windows-1251, not declared', iconv.encode(text, 'win1251')],
    ['windows-1251', iconv.encode(`<meta charset='windows-1251'>${text}`, 'win1251')],
    ['KOI8-R', iconv.encode(`<meta charset=koi8-r>${text}`, 'koi8-r')],
  ])('is read in %s', (_, content) => {
    expect(partsOf(readPage(content)).title).toBe('Привет');
  });

  test('is refused where it is no text', () => {
    expect(() => readPage(Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0))).toThrow(
      expect.objectContaining({ kind: 'invalid', fields: { html_file: 'site.html_not_text' } }),
    );
  });
});

test.each([
  '../a',
  'a/../../b',
  '/etc/passwd',
  'a//b',
  './a',
  'a/.',
  '',
  'a\nb',
  'a\0b',
  'a\\b',
  '-rf',
  'x/-rf',
  '~/a',
  'a/',
])('a file called %j is refused', (path) => {
  expect(() => renderSite([{ path, content: bytes('') }], null, 'a.example')).toThrow(
    expect.objectContaining({ kind: 'refused', key: 'site.unsafe_file' }),
  );
});

test('an uploaded page with elements nested too deep is refused and not read further', () => {
  const deep = `${'<b>'.repeat(170_000)}${'</i>'.repeat(120_000)}`;
  expect(() => readPage(bytes(deep))).toThrow(expect.objectContaining({ key: 'site.html_too_deep' }));
  expect(() => readPage(bytes('<p>'.repeat(100_000)))).not.toThrow();
  expect(() => readPage(bytes('<b>'.repeat(512)))).not.toThrow();
  expect(() => readPage(bytes('<b>'.repeat(513)))).toThrow(expect.objectContaining({ kind: 'invalid' }));
});
