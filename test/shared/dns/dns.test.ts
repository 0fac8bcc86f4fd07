import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EditedRecord, formatUri, fullRecordName, parseUri, sameContent } from '../../../src/shared/dns/dns.ts';
import { asciiName } from '../../../src/shared/hostname.ts';

const checked = (fields: object) =>
  EditedRecord.safeParse({ type: 'A', name: 'www.example.com', content: '198.51.100.4', ...fields });
const faults = (fields: object) =>
  checked(fields).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];

describe('a record of the editor', () => {
  test('comes out with its name in punycode and the default of the CDN', () => {
    expect(checked({ name: ' Пример.Example.com. ' }).data).toEqual({
      type: 'A',
      name: 'xn--e1afmkfd.example.com',
      content: '198.51.100.4',
      proxied: false,
    });
    expect(checked({ id: 'r1', proxied: true }).data).toMatchObject({ id: 'r1', proxied: true });
  });

  test.for(['@', '*', '*.example.com', '_acme-challenge.example.com', 'www', '1'])('may be called %s', (name) => {
    expect(checked({ name }).data).toMatchObject({ name });
  });

  test.for([
    [undefined, 'name: dns.name_empty'],
    ['', 'name: dns.name_empty'],
    ['  ', 'name: dns.name_empty'],
    ['a..b', 'name: dns.name_invalid'],
    ['a b', 'name: dns.name_invalid'],
    ['a.*.b.com', 'name: dns.name_invalid'],
    ['http://example.com/', 'name: dns.name_invalid'],
  ] as const)('may not be called %o', ([name, fault]) => {
    expect(faults({ name })).toEqual([fault]);
  });

  test.for([
    ['AAAA', '2001:DB8:0::10', '2001:db8::10'],
    ['CNAME', 'Пример.рф.', 'xn--e1afmkfd.xn--p1ai'],
    ['CNAME', '_x.example.com', '_x.example.com'],
    ['TXT', '"v=spf1 -all"', '"v=spf1 -all"'],
    ['URI', 'https://example.com/', '10 1 "https://example.com/"'],
    ['URI', '1  2 https://example.com/', '1 2 "https://example.com/"'],
  ] as const)('%s may hold %s', ([type, content, kept]) => {
    expect(checked({ type, content }).data).toMatchObject({ type, content: kept });
  });

  test.for([
    ['A', undefined, 'content: dns.content_empty'],
    ['A', '', 'content: dns.content_empty'],
    ['A', '256.1.1.1', 'content: dns.a_invalid'],
    ['A', '2001:db8::10', 'content: dns.a_invalid'],
    ['AAAA', '198.51.100.4', 'content: dns.aaaa_invalid'],
    ['CNAME', '198.51.100.4', 'content: dns.cname_invalid'],
    ['CNAME', 'localhost', 'content: dns.cname_invalid'],
    ['CNAME', 'https://example.com/', 'content: dns.cname_invalid'],
    ['URI', 'example.com', 'content: dns.uri_invalid'],
    ['URI', '70000 1 "https://example.com/"', 'content: dns.uri_invalid'],
    ['URI', '10 1 "https://example.com/" x', 'content: dns.uri_invalid'],
  ] as const)('%s may not hold %o', ([type, content, fault]) => {
    expect(faults({ type, content })).toEqual([fault]);
  });

  test('may hold 2048 characters of text, in quotes or without', () => {
    expect(faults({ type: 'TXT', content: `"${'x'.repeat(2_048)}"` })).toEqual([]);
    expect(faults({ type: 'TXT', content: 'x'.repeat(2_049) })).toEqual(['content: error.too_long']);
  });

  test('is proxied only if its type allows it, and other types are refused', () => {
    expect(faults({ type: 'TXT', content: 'x', proxied: true })).toEqual(['proxied: dns.not_proxiable']);
    expect(faults({ type: 'MX' })).toHaveLength(1);
  });

  test('reports all its errors at once', () => {
    expect(faults({ name: 'a b', content: 'x' })).toEqual(['name: dns.name_invalid', 'content: dns.a_invalid']);
  });
});

describe('a URI', () => {
  test('is read as it is written', () => {
    const number = fc.integer({ min: 0, max: 65_535 });
    const uri = fc.record({ priority: number, weight: number, target: fc.webUrl() });
    const readBack = fc.property(uri, (uri) => {
      expect(parseUri(formatUri(uri))).toEqual(uri);
    });
    fc.assert(readBack);
  });

  test('may be a bare URL, in quotes or without', () => {
    const uri = { priority: 10, weight: 1, target: 'https://example.com/a?b=1' };
    expect(parseUri(' https://example.com/a?b=1 ')).toEqual(uri);
    expect(parseUri('"https://example.com/a?b=1"')).toEqual(uri);
    expect(parseUri('10 1')).toBeNull();
    expect(parseUri('')).toBeNull();
  });
});

describe('the same content', () => {
  test.for([
    ['TXT', 'v=spf1 -all', '"v=spf1 -all"'],
    ['TXT', '"abc" "def"', 'abcdef'],
    ['TXT', String.raw`"say \"hi\""`, 'say "hi"'],
    ['AAAA', '2001:db8::10', '2001:0DB8:0:0:0:0:0:10'],
    ['CNAME', 'Example.com.', 'example.com'],
    ['CNAME', 'пример.рф', 'xn--e1afmkfd.xn--p1ai'],
    ['URI', 'https://example.com/', '10 1 "https://example.com/"'],
    ['MX', 'mx.example.net', 'mx.example.net'],
  ] as const)('%s %s is %s', ([type, one, other]) => {
    expect(sameContent(type, one, other)).toBe(true);
    expect(sameContent(type, other, one)).toBe(true);
  });

  test.for([
    ['TXT', 'abc', 'ABC'],
    ['TXT', '"abc', 'abc'],
    ['TXT', '""abc""', 'abc'],
    ['A', '198.51.100.4', '198.51.100.5'],
    ['URI', '10 1 "https://example.com/"', '10 2 "https://example.com/"'],
    ['CAA', '0 issue "a"', '0 issue a'],
  ] as const)('%s %s is not %s', ([type, one, other]) => {
    expect(sameContent(type, one, other)).toBe(false);
  });
});

test.for([
  ['@', 'example.com'],
  ['example.com', 'example.com'],
  ['EXAMPLE.com.', 'example.com'],
  ['www', 'www.example.com'],
  ['www.example.com', 'www.example.com'],
  ['*', '*.example.com'],
  ['notexample.com', 'notexample.com.example.com'],
])('the name %s is %s in its zone', ([name, full]) => {
  expect(fullRecordName(name ?? '', 'example.com')).toBe(full);
});

test('a name in punycode stays unchanged', () => {
  expect(asciiName('xn--e1afmkfd.xn--p1ai')).toBe('xn--e1afmkfd.xn--p1ai');
});
