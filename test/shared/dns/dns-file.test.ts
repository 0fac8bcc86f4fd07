import { expect, test } from 'vitest';
import { DomainDnsInput } from '../../../src/shared/dns/dns-changes.ts';
import { readRecords, unreadLine } from '../../../src/shared/dns/dns-file.ts';

const said = (text: string): unknown =>
  readRecords(text)?.dns.map(({ type, name, content, proxied }) => [type, name, content, proxied]);

test('a file may have lines as in a zone file, with any blanks between the fields', () => {
  const text = `$ORIGIN one.com.
; A Records
@ 300 IN A 192.0.2.1 ; cf_tags=cf-proxied:true
www\tIN\tCNAME one.com.

a.b AAAA 2001:db8::1\r
@ 1 IN TXT "v=spf1; include:x -all" "and more" ; cf-proxied:false
_http._tcp IN URI 10 1 "https://one.com/"
@ IN MX 10 mail.one.com.
@ IN SOA a.ns b.ns 1 2 3 4 5`;
  expect(said(text)).toEqual([
    ['A', '@', '192.0.2.1', true],
    ['CNAME', 'www', 'one.com.', false],
    ['AAAA', 'a.b', '2001:db8::1', false],
    ['TXT', '@', '"v=spf1; include:x -all" "and more"', false],
    ['URI', '_http._tcp', '10 1 "https://one.com/"', false],
  ]);
  expect(DomainDnsInput.safeParse(readRecords(text)).success).toBe(true);
});

test('a file may be JSON: a list, an object with dns, or the output of dns list', () => {
  const record = { id: 'x', type: 'A', name: '@', content: '192.0.2.1', proxied: true, ttl: 1 };
  const mail = { ...record, type: 'MX' };
  const wanted = [{ id: 'x', type: 'A', name: '@', content: '192.0.2.1', proxied: true }];
  expect(readRecords(JSON.stringify([record, mail]))).toEqual({ dns: wanted });
  expect(readRecords(JSON.stringify({ dns: [record] }))).toEqual({ dns: wanted });
  expect(readRecords(`\uFEFF${JSON.stringify({ ok: true, items: [record, mail], version: 'v' })}`)).toEqual({
    dns: wanted,
    version: 'v',
  });
  // It stays as it is in the zone, unless it is a new one.
  const { proxied: _, ...silent } = record;
  const { id: __, ...anew } = silent;
  expect(readRecords(JSON.stringify([silent, anew]))?.dns.map(({ proxied }) => proxied)).toEqual([undefined, false]);
  expect(DomainDnsInput.safeParse(readRecords('[{"name": 1}]')).success).toBe(false);
});

test.each(['{"x":', '{"x": 1}', '[1, 2', 'hello', '{}'])('%s is no set of records', (text) => {
  expect(readRecords(text)).toBeNull();
});

test('an empty file is an empty set', () => {
  expect(readRecords(' \n; nothing\n')).toEqual({ dns: [] });
});

test('a zone file may write TTL and class in either order, times in words, and leave a name away', () => {
  const text = `$TTL 1d
@ IN 1h A 192.0.2.1
  1h30m IN AAAA 2001:db8::1
\tTXT x
  www A 192.0.2.2`;
  expect(said(text)).toEqual([
    ['A', '@', '192.0.2.1', false],
    ['AAAA', '@', '2001:db8::1', false],
    ['TXT', '@', 'x', false],
    ['A', 'www', '192.0.2.2', false],
  ]);
  expect(readRecords('\tIN A 192.0.2.1')).toBeNull();
});

test('parentheses join lines, in which quotes and comments keep theirs', () => {
  const text = `@ SOA ns1 admin ( 1 ; (serial
 2 3 4 5 )
@ TXT ( "a (b"
\t"c;)" ) ; cf-proxied:false
  A 192.0.2.1`;
  expect(said(text)).toEqual([
    ['TXT', '@', '"a (b" "c;)"', false],
    ['A', '@', '192.0.2.1', false],
  ]);
  expect(readRecords('@ TXT ( "a"\n@ A 192.0.2.1')).toBeNull();
  expect(readRecords('@ TXT "a" )')).toBeNull();
});

test('a type that does not exist is not left out as one of the zone’s others: what is left out would be deleted', () => {
  const lines = ['@ A 192.0.2.1', 'www CNAM one.com.'];
  expect([readRecords(lines.join('\n')), unreadLine(lines.join('\n'))]).toEqual([null, 2]);
  expect(unreadLine('@ A 192.0.2.1\n\nbad line here')).toBe(3);
  expect(said('@ A 192.0.2.1\n@ dname one.com.\n@ TYPE65534 \\# 1 00')).toEqual([['A', '@', '192.0.2.1', false]]);
  expect(said('  key A 192.0.2.1')).toEqual([['A', 'key', '192.0.2.1', false]]);
  expect(unreadLine('@ A 192.0.2.1\n  ns A 192.0.2.2')).toBe(2);
  const json = JSON.stringify([
    { type: 'CNAM', name: 'www', content: 'one.com' },
    { type: 'MX', name: '@', content: 'x' },
  ]);
  expect(said(json)).toEqual([['CNAM', 'www', 'one.com', false]]);
  expect(DomainDnsInput.safeParse(readRecords(json)).success).toBe(false);
});
