// Random zones: their records, and the wanted sets that replace them.
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { txtOf } from '../../../src/demo/cloudflare/record-rules.ts';
import type { DnsRecord } from '../../../src/demo/cloudflare/state.ts';
import { DnsRecordInput, fullRecordName, isEditableType, isProxiable } from '../../../src/shared/dns/dns.ts';

const NAMES = ['@', 'www', 'mail', 'api', 'a.b', '*', '_sip._tcp', 'xn--e1afmkfd'];

type Line = Pick<DnsRecord, 'type' | 'content' | 'proxied' | 'ttl' | 'comment'> &
  Pick<Partial<DnsRecord>, 'data' | 'priority'>;

const host = fc.constantFrom('one.example.net', 'two.example.org', 'xn--80ak6aa92e.com', 'a-b.c.example');
const quotedText = fc
  .array(fc.constantFrom('v=spf1', '-all', 'a', ' ', ';', '=', 'ключ', '\\"', '\\\\', "'", 'x'.repeat(90)), {
    minLength: 1,
    maxLength: 8,
  })
  .map((parts) => `"${parts.join('')}"`);
const ttl = fc.constantFrom(1, 60, 300, 86_400);
const comment = fc.option(fc.constantFrom('by hand', 'do not touch', 'кто-то'), { nil: null });
const common = { ttl, comment };

const plain = (type: string, content: fc.Arbitrary<string>) =>
  fc.record({ type: fc.constant(type), content, proxied: fc.constant(false), ...common });
const address = (type: string, content: fc.Arbitrary<string>) =>
  fc
    .record({ type: fc.constant(type), content, proxied: fc.boolean(), ...common })
    .map((line) => Object.assign(line, line.proxied && { ttl: 1 }));

const a = address('A', fc.ipV4());
const few = address('A', fc.constantFrom('192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'));
const aaaa = address('AAAA', fc.constantFrom('2001:db8::1', '2001:db8::2', '2001:db8:1::10', 'fe80::1'));
const cname = address('CNAME', host);
const txt = plain('TXT', quotedText);
const uri = fc
  .tuple(fc.nat(65_535), fc.nat(65_535), fc.webUrl({ validSchemes: ['https'] }), ttl, comment)
  .map(([priority, weight, target, seconds, note]): Line => ({
    type: 'URI',
    content: `${weight} "${target}"`,
    data: { weight, target },
    priority,
    proxied: false,
    ttl: seconds,
    comment: note,
  }));
const others = fc.oneof(
  plain('MX', host).map((line): Line => Object.assign(line, { priority: 10 })),
  plain('NS', host),
  plain('SRV', fc.constant('10 5060 sip.example.net')).map((line): Line =>
    Object.assign(line, {
      priority: 1,
      data: { weight: 10, port: 5060, target: 'sip.example.net', priority: 1 },
    }),
  ),
  plain('CAA', fc.constant('0 issue "letsencrypt.org"')).map((line): Line =>
    Object.assign(line, {
      data: { flags: 0, tag: 'issue', value: 'letsencrypt.org' },
    }),
  ),
  plain('HTTPS', fc.constant('1 . alpn="h3"')).map((line): Line =>
    Object.assign(line, {
      data: { priority: 1, target: '.', value: 'alpn="h3"' },
    }),
  ),
);
const editable = fc.oneof(
  fc.array(fc.oneof(a, few, few, aaaa, txt, uri), { maxLength: 6 }),
  fc.tuple(cname, fc.array(fc.oneof(txt, uri), { maxLength: 2 })).map(([line, more]) => [line as Line].concat(more)),
) as fc.Arbitrary<Line[]>;

/** The editable records at each name. */
type Site = { name: string; lines: Line[] }[];
const site = fc.uniqueArray(fc.record({ name: fc.constantFrom(...NAMES), lines: editable }), {
  selector: ({ name }) => name,
  maxLength: NAMES.length,
});
const rest = fc.array(fc.record({ name: fc.constantFrom(...NAMES), line: others }), { maxLength: 5 });

/** A zone and the choices that derive its wanted set: by name, kept or new lines, with or without ids. */
interface Scenario {
  before: Site;
  rest: { name: string; line: Line }[];
  after: Site;
  /** For each name: keep the present records, take the new lines, or drop all. */
  turns: ('keep' | 'new' | 'drop')[];
  withIds: boolean[];
  flips: boolean[];
  big: number;
}

const scenario: fc.Arbitrary<Scenario> = fc.record({
  before: site,
  rest,
  after: site,
  turns: fc.array(fc.constantFrom('keep', 'new', 'drop'), { minLength: 8, maxLength: 8 }),
  withIds: fc.array(fc.boolean(), { minLength: 16, maxLength: 16 }),
  flips: fc.array(fc.boolean(), { minLength: 16, maxLength: 16 }),
  big: fc.constantFrom(...Array.from({ length: 99 }, () => 0), 230),
});

/** Returns `count` scenarios, the same for the same seed. */
export const scenarios = (count: number, seed: number): Scenario[] => fc.sample(scenario, { numRuns: count, seed });

const fullName = (name: string, zone: string): string => (name === '@' ? zone : `${name}.${zone}`);

const keyOf = ({ type, name, content }: Pick<DnsRecord, 'type' | 'name' | 'content'>): string =>
  JSON.stringify([type, name, content]);

/** The first records of a zone in the form that Cloudflare stores. */
export function recordsBefore(zone: string, { before, rest: untouched, big }: Scenario): DnsRecord[] {
  const lines = [
    ...before.flatMap(({ name, lines: all }) => all.map((line) => ({ name, line }))),
    ...untouched,
    ...Array.from({ length: big }, (_, index) => ({
      name: `big${index % 120}`,
      line: { type: 'A', content: `198.51.${index >> 8}.${index & 255}`, proxied: false, ttl: 1, comment: null },
    })),
  ];
  const found = new Map<string, DnsRecord>();
  for (const { name, line } of lines) {
    const content = line.type === 'TXT' ? txtOf(line.content) : line.content;
    const record = { ...line, content, name: fullName(name, zone) };
    const id = createHash('md5').update(`${zone} ${found.size}`).digest('hex');
    const at = '2026-01-01T00:00:00Z';
    const fixed = { tags: [], settings: {}, meta: {}, created_on: at, modified_on: at };
    if (!found.has(keyOf(record))) {
      found.set(keyOf(record), { id, ...record, proxiable: isProxiable(line.type), ...fixed });
    }
  }
  return [...found.values()];
}

const uriText = ({ priority, content }: Line): string => `${priority} ${content}`;

/** The wanted record set of a zone in the form that a caller sends. */
export function wantedSet(zone: string, records: readonly DnsRecord[], scenario: Scenario): DnsRecordInput[] {
  const { after, turns, withIds, flips, big } = scenario;
  const wanted = new Map<string, DnsRecordInput>();
  let at = 0;
  const pick = (list: boolean[]): boolean => list[at++ % list.length] ?? false;
  const add = (id: string | undefined, name: string, line: Line): void => {
    const content = line.type === 'URI' ? uriText(line) : line.content;
    const proxied = isProxiable(line.type) && line.proxied;
    const given = DnsRecordInput.parse({ ...(id && { id }), type: line.type, name, content, proxied });
    const record = { ...given, proxied };
    const key = keyOf({ ...record, name: fullRecordName(record.name, zone) });
    if (!wanted.has(key)) wanted.set(key, record);
  };
  NAMES.forEach((name, index) => {
    const there = records.filter((record) => record.name === fullName(name, zone) && isEditableType(record.type));
    const turn = turns[index];
    if (turn === 'keep') {
      for (const record of there) {
        const proxied = pick(flips) ? !record.proxied : record.proxied;
        add(pick(withIds) ? record.id : undefined, record.name, { ...record, proxied });
      }
    }
    if (turn !== 'new') return;
    const ids = there.map(({ id }) => id);
    for (const line of after.find((one) => one.name === name)?.lines ?? []) {
      // The id of any record at that name, possibly of another type or of a record that another line keeps.
      add(pick(withIds) ? ids.shift() : undefined, pick(flips) ? name : fullName(name, zone), line);
    }
  });
  if (big > 0) {
    for (const record of records.filter((one) => one.name.startsWith('big'))) {
      add(record.id, record.name, { ...record, content: record.content.replace('198.51', '203.0') });
    }
  }
  return [...wanted.values()];
}
