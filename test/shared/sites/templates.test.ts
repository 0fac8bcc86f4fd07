import { describe, expect, it } from 'vitest';
import { isZipName, placeholdersIn } from '../../../src/shared/sites/templates.ts';

describe('a placeholder', () => {
  it.each<[string, string[]]>([
    ['<title>TITLE</title>', ['TITLE']],
    ['https://SITE_URL/', ['SITE_URL']],
    ['BODY DESCRIPTION TITLE SITE_URL BODY', ['SITE_URL', 'TITLE', 'DESCRIPTION', 'BODY']],
    ['"DESCRIPTION"', ['DESCRIPTION']],
    ['BODY', ['BODY']],
    ['&nbsp;TITLE;', ['TITLE']],
    ['-TITLE-', ['TITLE']],
    ['< TITLE>', ['TITLE']],
  ])('is found in %s', (text, found) => expect(placeholdersIn(text)).toEqual(found));

  it.each([
    ['', 'nothing'],
    ['title body description site_url', 'small letters'],
    ['SUBTITLE TITLES', 'a part of a word'],
    ['MY_TITLE TITLE_2 TITLE2', 'a part of a name'],
    ['ЗАTITLE TITLEЖ', 'beside a letter of any alphabet'],
    ['<TITLE></TITLE><BODY class="x"></BODY>', 'a tag in capitals'],
    ['SITE-URL SITEURL', 'another word'],
  ])('is not found in "%s": %s', (text) => expect(placeholdersIn(text)).toEqual([]));

  it('is found between tags of its name', () => {
    expect(placeholdersIn('<TITLE>TITLE</TITLE><BODY>BODY</BODY>')).toEqual(['TITLE', 'BODY']);
  });
});

it.each<[string, string, boolean]>([
  ['a.zip', '', true],
  ['A.ZIP', 'application/octet-stream', true],
  ['a', 'application/zip', true],
  ['a', 'application/x-zip-compressed', true],
  ['a.zip.txt', 'text/plain', false],
  ['zip', '', false],
])('%s of type "%s" may be chosen: %s', (name, type, may) => expect(isZipName({ name, type })).toBe(may));
