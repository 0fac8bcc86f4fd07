import { expect, it } from 'vitest';
import { translate, type Key, type Params } from '../../../src/shared/i18n/index.ts';
import { planLines, type LineAct } from '../../../src/shared/dns/plan-words.ts';

const t = (key: Key, params?: Params): string => translate('en', key, params);
const record = (id: string, type: string, content: string, proxied = false) => ({
  id,
  type,
  name: 'one.com',
  content,
  proxied,
  proxiable: true,
  ttl: 1,
  comment: null,
  tags: [],
});

it('a plan lists created, changed and deleted records with the values before and after', () => {
  const a = record('1', 'A', '198.51.100.1');
  const aaaa = record('2', 'AAAA', '2001:db8::1');
  const after = {
    created: [record('', 'TXT', 'hello')],
    updated: [{ id: '1', record: record('1', 'A', '203.0.113.10', true) }],
    deleted: ['2'],
  };
  const acts = [
    { act: 'zone', before: null, after: { zone: 'one.com' } },
    { act: 'dns', before: { records: [aaaa, a] }, after },
    { act: 'tls_1_3', before: 'zrt', after: 'off' },
  ];
  expect(planLines(t, acts).map(({ sign, what }) => `${sign} ${what}`)).toEqual([
    'create zone one.com',
    'create TXT one.com → hello',
    'change A one.com: 198.51.100.1 → 203.0.113.10, through the CDN',
    'delete AAAA one.com → 2001:db8::1',
    'change TLS 1.3: on → off',
  ]);
});

it('a level of protection is told in words, and for each further name of the zone with that name', () => {
  const acts = [
    { act: 'security_level', before: 'essentially_off', after: 'under_attack' },
    { act: 'security_level www.one.com', before: 'off', after: 'made-up' },
  ];
  expect(planLines(t, acts).map(({ what }) => what)).toEqual([
    'security level: essentially off → Under Attack',
    'security level www.one.com: off → made-up',
  ]);
});

it('a setting of a zone that does not exist yet has no value before', () => {
  expect(planLines(t, [{ act: 'tls_1_3', before: '', after: 'off' }])).toEqual([
    { sign: 'change', what: 'TLS 1.3: off' },
  ]);
});

it('an act of which only its name is stored has no line that says nothing', () => {
  const names = ['dns', 'rule', 'name_servers', 'keep', 'upload', 'zone', 'redirect', 'swap', 'tls_1_3', 'unknown'];
  for (const act of names) {
    for (const images of [{}, { before: null, after: null }]) {
      expect(JSON.stringify(planLines(t, [{ act, ...images }]))).not.toContain('undefined');
    }
  }
  const records = { records: [record('1', 'A', '198.51.100.1')] };
  for (const images of [{ before: records }, { after: records }]) {
    expect(planLines(t, [{ act: 'dns', ...images }])).toEqual([]);
  }
});

it('an empty plan has no lines', () => {
  expect(planLines(t, [])).toEqual([]);
});

it('the plan of a restore deletes created records and creates deleted ones', () => {
  const made = {
    created: [record('', 'TXT', 'hello')],
    updated: [{ id: '1', record: record('1', 'A', '203.0.113.10') }],
  };
  const was = { records: [record('1', 'A', '198.51.100.1'), record('2', 'AAAA', '2001:db8::1')] };
  const acts = [
    { act: 'zone', before: { zone: 'one.com' }, after: null },
    { act: 'dns', before: { ...made, deleted: ['2'] }, after: was },
    { act: 'rule', before: { domain: 'one.com', to: 'two.com' }, after: null },
  ];
  expect(planLines(t, acts)).toEqual([
    { sign: 'change', what: 'A one.com: 203.0.113.10 → 198.51.100.1' },
    { sign: 'create', what: 'AAAA one.com → 2001:db8::1' },
    { sign: 'delete', what: 'TXT one.com → hello' },
    { sign: 'delete', what: 'rule one.com → two.com' },
  ]);
});

it('the plan of a transfer lists deleted rules, the redirect, the roles and older names, and no lines for acts that only look', () => {
  const rule = {
    id: '1',
    targets: [{ target: 'url', constraint: { operator: 'matches', value: '*two.com/*' } }],
    actions: [{ id: 'forwarding_url', value: { url: 'https://one.com/$2', status_code: 301 } }],
    status: 'active',
    priority: 1,
  };
  const acts = [
    { act: 'snapshot', before: { source: {}, target: {} }, after: null },
    { act: 'unforward', before: [rule], after: null },
    { act: 'redirect', before: null, after: { domain: 'one.com', to: 'two.com' } },
    { act: 'swap', before: { main: 'one.com' }, after: { main: 'two.com' } },
    { act: 'chain:old.com', before: { domain: 'old.com', to: 'one.com' }, after: { domain: 'old.com', to: 'two.com' } },
    { act: 'one_rule', before: [rule], after: null },
    { act: 'verify', before: null, after: { seen: 301 } },
  ];
  const words = (list: readonly LineAct[]) => planLines(t, list).map(({ sign, what }) => `${sign} ${what}`);
  expect(words(acts)).toEqual([
    'delete rule *two.com/*',
    'create 301 redirect one.com → two.com',
    'change main domain one.com → two.com',
    'change 301 redirect old.com: one.com → two.com',
    'delete rule *two.com/*',
  ]);
  const there = { domain: 'one.com', to: 'two.com' };
  expect(words([{ act: 'redirect', before: there, after: there }])).toEqual([]);
  expect(words([{ act: 'redirect', before: rule, after: null }])).toEqual(['delete rule *two.com/*']);
  expect(words([{ act: 'unforward', before: null, after: [rule] }])).toEqual(['create rule *two.com/*']);
});
