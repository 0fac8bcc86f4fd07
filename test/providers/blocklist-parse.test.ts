import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import iconv from 'iconv-lite';
import { afterAll, describe, expect, test } from 'vitest';
import { LISTED_SHIFT, placeIn } from '../../src/providers/blocklist/index-layout.ts';
import { parseList } from '../../src/providers/blocklist/parse.ts';

const dir = mkdtempSync(join(tmpdir(), 'blocklist-parse-'));
afterAll(() => rmSync(dir, { recursive: true }));

const LISTED: Record<number, string> = { 1: '', 2: '*.', 4: 'url:' };
const cp1251 = (text: string): Buffer => iconv.encode(text, 'windows-1251');

/** Parses a file with this content; entries are `name`, `*.name` or `url:name`. */
async function parse(content: string | Buffer) {
  const path = join(dir, 'list');
  writeFileSync(path, content);
  const { names, hashes: _hashes, places, entries: _counts, ...facts } = await parseList(path, () => {});
  const entries = Array.from(places, (entry) => {
    const at = placeIn(entry);
    return LISTED[entry >> LISTED_SHIFT]! + Buffer.from(names.subarray(at + 1, at + 1 + names[at]!)).toString('latin1');
  });
  return { entries, ...facts };
}

describe('z-i dump', () => {
  const dump = [
    'Updated: 2025-10-01 09:05:00 +0000',
    '1.2.3.4 | 5.6.7.0/24;plain.example;;ФНС;2-6-14/2024;2024-05-27',
    '1.2.3.4;*.mask.example;;ФНС;2-6-15/2024;2024-05-27',
    '1.2.3.4;page.example;http://page.example/a;b;c | https://page.example/d;Мосгорсуд;3/2024;2024-05-27',
    '1.2.3.4;;http://only-url.example:8080/x | https://user@second.example/;Суд;3/2024;2024-05-27',
    '1.2.3.4;;;Суд;3/2024;2024-05-27',
    '1.2.3.4;9.8.7.6;;Суд;3/2024;2024-05-27',
    '2001:db8::1;2001:db8::1;;Суд;3/2024;2024-05-27',
    '1.2.3.4;казино.рф;;ФНС;4/2024;2024-05-27',
    '1.2.3.4;*.Слот-Клуб.РФ;;ФНС;4/2024;2024-05-27',
    '1.2.3.4;WWW.Upper.Example.;;ФНС;4/2024;2024-05-27',
    '1.2.3.4;not a name;;ФНС;4/2024;2024-05-27',
    '1.2.3.4;org.example;;ООО; «Часть»;4/2024;2024-05-27',
    '',
  ].join('\n');

  test('is read with columns counted from both ends, masks, URL rows and windows-1251', async () => {
    expect(await parse(cp1251(dump))).toEqual({
      entries: [
        'plain.example',
        '*.mask.example',
        'url:page.example',
        'url:only-url.example',
        'url:second.example',
        'xn--80aodfsg.xn--p1ai',
        '*.xn----btb0accptkm.xn--p1ai',
        'www.upper.example',
        'org.example',
      ],
      rows: 9,
      unusable: 1,
      format: 'csv',
      updated_at: '2025-10-01T09:05:00.000Z',
      problem: null,
    });
  });

  test('is read the same from gzip, and in UTF-8', async () => {
    const plain = await parse(cp1251(dump));
    expect(await parse(gzipSync(cp1251(dump)))).toEqual(plain);
    expect(await parse(dump)).toEqual(plain);
  });

  test('is read with fewer columns, joined parts, CRLF and no line feed at the end', async () => {
    const { entries, unusable } = await parse(
      'Updated: 2025-01-01 00:00:00 +0300\r\n1.1.1.1;two.example\r\nUpdated: 2025-01-01 00:00:00 +0300\r\n1.1.1.1;three.example;\r\n1.1.1.1;u.example;http://u.example/\r\n1.1.1.1\r\n1.1.1.1;*.last.example',
    );
    expect(entries).toEqual(['two.example', 'three.example', 'url:u.example', '*.last.example']);
    expect(unusable).toBe(1);
  });

  test('has no date in a later part', async () => {
    expect(await parse('1.1.1.1;two.example;;;;\n')).toMatchObject({ format: 'csv', updated_at: null });
  });
});

describe('list of names', () => {
  test('is read with comments, blanks, BOM, CRLF, masks, addresses and Unicode in either encoding', async () => {
    const text =
      '# from the register\r\n\r\n  a.example \r\n*.b.example # a mask\r\n10.0.0.1\r\n10.0.0.0/8\r\n2001:db8::/32\r\nказино.рф\r\nword\r\nhttp://c.example/\r\na..b\r\nd.example';
    const entries = ['a.example', '*.b.example', 'xn--80aodfsg.xn--p1ai', 'd.example'];
    expect(await parse(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text)]))).toMatchObject({
      entries,
      unusable: 3,
      format: 'list',
      updated_at: null,
      problem: null,
    });
    expect(await parse(cp1251(text))).toMatchObject({ entries });
  });

  test('is read where names cross the blocks of the file', async () => {
    const entries = Array.from({ length: 300_000 }, (_, i) => `name-${i}.example`);
    expect((await parse(entries.join('\n'))).entries).toEqual(entries);
    expect((await parse(gzipSync(entries.join('\r\n')))).entries).toEqual(entries);
    expect((await parse(JSON.stringify(entries))).entries).toEqual(entries);
  });

  test('may be empty, which is no error of the format', async () => {
    expect(await parse('')).toMatchObject({ rows: 0, problem: null });
    expect(await parse('# nothing today\n')).toMatchObject({ rows: 0, problem: null });
  });
});

describe('JSON array', () => {
  test('is read with and without escapes', async () => {
    expect(
      await parse('[ "0chan.example" ,"*.m.example",\n"\\u043a\\u0430\\u0437\\u0438\\u043d\\u043e.\\u0440\\u0444"]\n'),
    ).toMatchObject({
      entries: ['0chan.example', '*.m.example', 'xn--80aodfsg.xn--p1ai'],
      format: 'json',
      problem: null,
    });
  });

  test.each([
    ['an array without its end', '["a.example","b.example"', 'cut'],
    ['a string without its end', '["a.example","b.exam', 'cut'],
    ['something else in the array', '["a.example",{"b":1}]', 'garbage'],
    ['two values without a comma', '["a.example" "b.example"]', 'garbage'],
    ['an escape that is none', '["a.example","b\\q.example"]', 'garbage'],
    ['an object', '{"error":"too many requests"}', 'garbage'],
  ])('%s', async (_, content, problem) => {
    expect(await parse(content)).toMatchObject({ problem });
  });
});

describe("the register's own dump", () => {
  const content = (attributes: string, inside: string): string =>
    `<content id="1" includeTime="2024-06-05T00:55:02" entryType="1"${attributes} ts="2024-06-05T13:40:02">
      <decision date="2024-05-27" number="2-6-14/2024" org="ФНС"/>${inside}<ip>193.0.2.1</ip></content>\n`;
  const dump = `<?xml version="1.0" encoding="windows-1251"?>
<reg:register updateTime="2024-06-11T17:20:00.000+03:00" xmlns:reg="http://rsoc.ru" formatVersion="2.4">
${content(' blockType="domain"', '<domain><![CDATA[d.example]]></domain>')}${content(' blockType="domain-mask"', '<domain><![CDATA[*.m.example]]></domain>')}${content('', '<url><![CDATA[http://u.example/x]]></url><domain><![CDATA[u.example]]></domain>')}${content(' blockType="default"', '<url><![CDATA[http://h.example/x]]></url>')}${content(' blockType="ip"', '<domain><![CDATA[i.example]]></domain>')}${content(' blockType="domain"', '<domain>казино.рф</domain>')}</reg:register>`;

  test('is read with block types, dates and windows-1251', async () => {
    expect(await parse(cp1251(dump))).toMatchObject({
      entries: ['d.example', '*.m.example', 'url:u.example', 'url:h.example', 'xn--80aodfsg.xn--p1ai'],
      format: 'xml',
      updated_at: '2024-06-11T14:20:00.000Z',
      problem: null,
    });
  });

  test('is read with attributes of its names, and counts an element without one', async () => {
    const ts = ' ts="2024-06-05T13:40:02"';
    const named = dump
      .replace('</reg:register>', `${content(' blockType="domain"', '<host>x.example</host>')}</reg:register>`)
      .replaceAll('<domain>', `<domain${ts}>`)
      .replaceAll('<url>', `<url${ts}>`);
    const { entries } = await parse(cp1251(dump));
    expect(await parse(cp1251(named))).toMatchObject({ entries, unusable: 1, problem: null });
  });

  test('is cut where its end is missing', async () => {
    expect(await parse(dump.slice(0, -5))).toMatchObject({ problem: 'cut' });
  });
});

describe('a gzip file of several members', () => {
  const members = [gzipSync('one.example\n'), gzipSync('two.example\n'), gzipSync('three.example\n')];
  const whole = Buffer.concat(members);
  const second = members[0]!.length;

  test('is read to its end, with zeros behind it or without', async () => {
    const entries = ['one.example', 'two.example', 'three.example'];
    for (const zeros of [0, 1, 511, 100_000]) {
      expect(await parse(Buffer.concat([whole, Buffer.alloc(zeros)]))).toMatchObject({ entries, problem: null });
    }
  });

  test('is cut where a byte of a later member is damaged, its first one too', async () => {
    for (const [at, byte] of [
      [second, 0],
      [second, 1],
      [second + 1, 0],
      [second + members[1]!.length, 0],
    ] as const) {
      const bytes = Buffer.from(whole);
      bytes[at] = byte;
      expect([at, byte, (await parse(bytes)).problem]).toEqual([at, byte, 'cut']);
    }
    expect(await parse(Buffer.concat([whole, Buffer.alloc(512), members[0]!]))).toMatchObject({ problem: 'cut' });
  });
});

describe('a file that is no list', () => {
  test.each([
    ['a web page', '<!DOCTYPE html><html><body>Доступ ограничен</body></html>', 'html'],
    ['a web page after blanks', '\n\n  <html></html>', 'html'],
    ['bytes', Buffer.from([1, 2, 0, 3, 4, 0, 5]), 'garbage'],
    ['an archive', Buffer.from('PK\u0003\u0004\0\0\0\0'), 'garbage'],
    ['prose', 'Service is\ntemporarily not available,\ntry again later\nat example.com\n', 'garbage'],
    ['words in windows-1251', cp1251('сервис\nвременно\nнедоступен\n'), 'garbage'],
    ['rows of words in windows-1251', cp1251('Updated: \n1.2.3.4;*.рф;;1\n1.2.3.4;нет;;2\n'), 'garbage'],
    ['half a gzip file', gzipSync('a.example\n'.repeat(9999)).subarray(0, 60), 'cut'],
  ])('%s', async (_, content, problem) => {
    expect(await parse(content)).toMatchObject({ problem });
  });
});
