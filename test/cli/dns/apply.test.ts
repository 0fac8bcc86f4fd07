// `dns apply` on the command line, against a fake Cloudflare: what it reads of a file, and what it changes in a zone that others change as well.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Zone } from '../../../src/demo/cloudflare/state.ts';
import { recordOf } from '../../support/cdn.ts';
import type { Run } from '../cli.ts';
import { startZones, type Zones } from './world.ts';

let world: Zones;
let zone: Zone;

beforeAll(async () => {
  world = await startZones('one.com');
  zone = world.zone('one.com');
});
afterAll(() => world.close());
beforeEach(() => {
  zone.records.splice(0, Infinity, recordOf('one.com', 'A @ 198.51.100.1', 0));
});

const apply = (name: string, lines: readonly string[]): Promise<Run> => {
  const { home, env } = world;
  const file = home.file(name, lines.join('\n'));
  return home.run(['dns', 'apply', 'one.com', '--file', file, '--yes', '--json'], { env });
};
const records = (): string[] => zone.records.map(({ type, name, content }) => `${type} ${name} ${content}`).toSorted();

test('a record that somebody has added since the plan was shown stays, and nothing is changed', async () => {
  let reads = 0;
  world.outside.faults.push({
    kind: 'drop-before',
    match: ({ method, path }) => {
      reads += method === 'GET' && path.endsWith('/dns_records') ? 1 : 0;
      if (reads === 2 && zone.records.length === 1) zone.records.push(recordOf('one.com', 'TXT _acme token', 1));
      return false;
    },
  });
  const { exit, json } = await apply('zone.txt', ['@ A 192.0.2.1']);
  world.outside.faults.length = 0;
  expect(records()).toEqual(['A one.com 198.51.100.1', 'TXT _acme.one.com token']);
  expect([exit, json.error.code]).toEqual([1, 'zone_changed']);
});

test('a zone file is read as name servers write it: origins, class before TTL, and lines without a name', async () => {
  const { exit, stderr } = await apply('bind.txt', [
    '$ORIGIN .',
    '$TTL 300',
    'one.com IN 300 A 192.0.2.1',
    '\t\tIN\tTXT "hello there"',
    '\t\t300 TXT "and more"',
    '$ORIGIN one.com.',
    'www 300 IN A 192.0.2.2',
    '$ORIGIN eu.one.com.',
    '@ A 192.0.2.3',
    'shop A 192.0.2.4',
    '  indented A 192.0.2.5',
    'all.one.com. A 192.0.2.6',
  ]);
  expect([exit, stderr]).toEqual([0, '']);
  expect(records()).toEqual([
    'A all.one.com 192.0.2.6',
    'A eu.one.com 192.0.2.3',
    'A indented.eu.one.com 192.0.2.5',
    'A one.com 192.0.2.1',
    'A shop.eu.one.com 192.0.2.4',
    'A www.one.com 192.0.2.2',
    'TXT one.com "and more"',
    'TXT one.com "hello there"',
  ]);
});

test.each([
  ['absolute names', ['www.other.com. 300 IN A 192.0.2.1']],
  ['an origin', ['$ORIGIN other.com.', 'www 300 IN A 192.0.2.1']],
])('a file of another zone, by %s, is refused', async (_, lines) => {
  const { exit, json } = await apply('other.txt', lines);
  expect([exit, json.error.message]).toEqual([2, expect.stringContaining('www.other.com')]);
  expect(records()).toEqual(['A one.com 198.51.100.1']);
});

test.each(['$INCLUDE more.txt', '$GENERATE 1-9 host-$ A 192.0.2.$'])('a file with %s is refused', async (line) => {
  const { exit } = await apply('more.txt', ['@ A 192.0.2.1', line]);
  expect([exit, records()]).toEqual([2, ['A one.com 198.51.100.1']]);
});

test('parentheses join the lines of a record, but not inside quotes and comments; SOA and NS are left out', async () => {
  const { exit, stderr } = await apply('export.txt', [
    '$ORIGIN one.com.',
    '@ 3600 IN SOA ns1.one.com. admin.one.com. (',
    '\t2026112801 ; serial (of the day',
    '\t7200 ; refresh)',
    '\t3600 1209600',
    '\t3600 )',
    '@ IN NS ns1.one.com.',
    'dkim._domainkey IN TXT ( "v=DKIM1; k=rsa; "',
    '  "p=MIGf(AB" ) ; the key',
    'note TXT "a ) in a text (too"',
    'www ( 300',
    '  IN ) A 192.0.2.1 ; cf_tags=cf-proxied:true',
  ]);
  expect([exit, stderr]).toEqual([0, '']);
  expect(records()).toEqual([
    'A www.one.com 192.0.2.1',
    'TXT dkim._domainkey.one.com "v=DKIM1; k=rsa; p=MIGf(AB"',
    'TXT note.one.com "a ) in a text (too"',
  ]);
  expect(zone.records.find(({ type }) => type === 'A')?.proxied).toBe(true);
});

test.each([
  ['an open parenthesis', ['@ A 192.0.2.1', '@ SOA ns1 admin (', ' 1 2', ' 3 4 5']],
  ['a closing one too many', ['@ A 192.0.2.1', 'www A 192.0.2.2 )']],
  ['a record of several lines without a type', ['@ A 192.0.2.1', 'www (', ' 300', ' IN )', '@ A 192.0.2.3']],
])('%s is refused with the line at which the record begins', async (_, lines) => {
  const { exit, json } = await apply('open.txt', lines);
  expect([exit, json.error.message]).toEqual([2, expect.stringContaining('строки 2:')]);
  expect(records()).toEqual(['A one.com 198.51.100.1']);
});
