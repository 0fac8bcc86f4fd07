import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isEditableType, type DnsRecord } from '../../../src/shared/dns/dns.ts';
import { diffRecords, isEmptyDiff } from '../../../src/shared/dns/dns-diff.ts';
import { copiedRecords, renamed } from '../../../src/shared/transfers/transfer-dns.ts';

const renaming = { from: 'old.com', to: 'new.org' };

test.each([
  ['old.com', 'new.org'],
  ['old.com.', 'new.org.'],
  ['mail.old.com', 'mail.new.org'],
  ['OLD.com', 'new.org'],
  ['v=spf1 include:_spf.old.com a:old.com -all', 'v=spf1 include:_spf.new.org a:new.org -all'],
  ['10 1 "https://old.com/path?x=old.com"', '10 1 "https://new.org/path?x=new.org"'],
  ['ops@old.com', 'ops@new.org'],
  ['bold.com', 'bold.com'],
  ['very-old.com', 'very-old.com'],
  ['_old.com', '_old.com'],
  ['old.com.br', 'old.com.br'],
  ['old.community', 'old.community'],
  ['oldXcom', 'oldXcom'],
])('%s becomes %s', (before, after) => {
  expect(renamed(before, renaming)).toBe(after);
});

let ids = 0;
const record = (line: string, more: Partial<DnsRecord> = {}): DnsRecord => {
  const [type = '', name = '', ...content] = line.split(' ');
  const facts = { ttl: 1, proxied: false, proxiable: true, comment: null, tags: [] };
  return { id: `r${++ids}`, type, name, content: content.join(' '), ...facts, ...more };
};
const copied = (source: string[], target: string[]): string[] =>
  copiedRecords(
    source.map((line) => record(line)),
    target.map((line) => record(line)),
    renaming,
  )
    .map(({ type, name, content }) => `${type} ${name} ${content}`)
    .toSorted();

test('records with a name and type of the source are replaced by those of the source, others stay', () => {
  expect(
    copied(
      ['A old.com 1.1.1.1', 'A www.old.com 1.1.1.1', 'TXT old.com "v=spf1 a:old.com -all"', 'MX old.com mx.old.com'],
      ['A new.org 2.2.2.2', 'A new.org 3.3.3.3', 'TXT new.org "v=spf1 -all"', 'A blog.new.org 4.4.4.4'],
    ),
  ).toEqual([
    'A blog.new.org 4.4.4.4',
    'A new.org 1.1.1.1',
    'A www.new.org 1.1.1.1',
    'TXT new.org "v=spf1 a:new.org -all"',
  ]);
});

test('a copied address replaces every A, AAAA and CNAME of its name', () => {
  expect(copied(['CNAME www.old.com old.com'], ['A www.new.org 2.2.2.2', 'AAAA www.new.org ::1'])).toEqual([
    'CNAME www.new.org new.org',
  ]);
  expect(copied(['A www.old.com 1.1.1.1'], ['CNAME www.new.org elsewhere.net'])).toEqual(['A www.new.org 1.1.1.1']);
});

test('ownership proofs stay with their own name', () => {
  expect(
    copied(
      ['TXT old.com "google-site-verification=old"', 'TXT old.com "v=spf1 -all"', 'TXT _acme-challenge.old.com "x"'],
      ['TXT new.org "yandex-verification: new"', 'TXT new.org "other"'],
    ),
  ).toEqual(['TXT new.org "v=spf1 -all"', 'TXT new.org "yandex-verification: new"']);
});

test('records that are equal after renaming are copied once', () => {
  expect(copied(['TXT old.com "see old.com"', 'TXT old.com "see new.org"'], [])).toEqual(['TXT new.org "see new.org"']);
});

test('only names at and below the source are copied where the source is no zone of its own', () => {
  const lines = [
    'A shop.old.com 1.1.1.1',
    'A www.shop.old.com 1.1.1.1',
    'A old.com 9.9.9.9',
    'A bookshop.old.com 9.9.9.9',
  ];
  const copies = copiedRecords(
    lines.map((line) => record(line)),
    [],
    { from: 'shop.old.com', to: 'new.org' },
  );
  expect(copies.map(({ name }) => name)).toEqual(['new.org', 'www.new.org']);
});

const name = fc.constantFrom('@', 'www', 'mail', '*', 'a.b');
const lineOf = (zone: string) =>
  fc
    .tuple(
      name,
      fc.oneof(
        fc.ipV4().map((content) => ['A', content]),
        fc.constantFrom('2001:db8::1', '2001:db8::2').map((content) => ['AAAA', content]),
        fc.constantFrom('old.com', 'x.old.com', 'elsewhere.net').map((content) => ['CNAME', content]),
        fc.constantFrom('"v=spf1 a:old.com"', '"a"', '"site-verification=x"').map((content) => ['TXT', content]),
        fc.constant(['MX', 'mx.old.com']),
      ),
    )
    .map(([host, [type, content]]) => `${type} ${host === '@' ? zone : `${host}.${zone}`} ${content}`);
const zoneOf = (zone: string) => fc.uniqueArray(lineOf(zone), { maxLength: 12 });

test('a second copy changes nothing, and types that cannot be edited are never touched', () => {
  fc.assert(
    fc.property(zoneOf('old.com'), zoneOf('new.org'), (source, target) => {
      const there = source.map((line) => record(line));
      const current = target.map((line) => record(line));
      const diff = diffRecords('new.org', current, copiedRecords(there, current, renaming));
      const deleted = new Set(diff.deletes.map(({ id }) => id));
      const updated = new Map(diff.updates.map(({ id, to }) => [id, to]));
      const after = [
        ...current
          .filter(({ id }) => !deleted.has(id))
          .map((one): DnsRecord => Object.assign({}, one, updated.get(one.id))),
        ...diff.creates.map((made): DnsRecord => record(`${made.type} ${made.name} ${made.content}`)),
      ];
      expect(isEmptyDiff(diffRecords('new.org', after, copiedRecords(there, after, renaming)))).toBe(true);
      expect([...deleted].every((id) => isEditableType(current.find((one) => one.id === id)!.type))).toBe(true);
      // No name gets more address records than the source has, such as a CNAME beside an address.
      for (const one of there.filter(({ type }) => type === 'CNAME' || type === 'A')) {
        const host = one.name.slice(0, -'old.com'.length) + 'new.org';
        const mine = there.filter(({ name: at, type }) => at === one.name && ['A', 'AAAA', 'CNAME'].includes(type));
        const now = after.filter(({ name: at, type }) => at === host && ['A', 'AAAA', 'CNAME'].includes(type));
        expect(now.length).toBeLessThanOrEqual(mine.length);
      }
    }),
  );
});
