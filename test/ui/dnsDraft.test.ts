import { describe, expect, it } from 'vitest';
import type { DnsRecord } from '../../src/shared/dns/dns.ts';
import {
  applyEdit,
  changeOf,
  editingOf,
  faultsOf,
  inputsOf,
  isFound,
  rebase,
  tallyOf,
  type DraftFields,
  type Edit,
  type Editing,
} from '../../ui/dns/editor/dnsDraft.ts';

const record = (id: string, type: string, name: string, content: string, proxied = false): DnsRecord => ({
  id,
  type,
  name,
  content,
  proxied,
  proxiable: true,
  ttl: 1,
  comment: null,
  tags: [],
});
const setOf = (...dns: DnsRecord[]) => ({ dns, copyOnTransfer: 'off' as const, zone: { name: 'one.com' } });

const SET = setOf(
  record('a', 'A', 'one.com', '198.51.100.1'),
  record('w', 'CNAME', 'www.one.com', 'one.com', true),
  record('t', 'TXT', 'one.com', '"v=spf1 -all"'),
);
const after = (set: ReturnType<typeof setOf>, ...edits: Edit[]): Editing => edits.reduce(applyEdit, editingOf(set));
const rowOf = ({ draft }: Editing, key: string) => draft.rows.find((row) => row.key === key)!;

it('a draft shows short names, and an equal record is no change', () => {
  const { draft } = editingOf(SET);
  expect(draft.rows.map(({ name }) => name)).toEqual(['@', '@', 'www']);
  const same = after(
    SET,
    { do: 'set', key: 'a', change: { name: 'ONE.com.' } },
    { do: 'set', key: 't', change: { content: 'v=spf1 -all' } },
    { do: 'set', key: 'w', change: { content: 'one.com.' } },
  );
  expect(tallyOf(same.draft, 'one.com')).toEqual({ added: 0, changed: 0, deleted: 0 });
});

it('a draft lists the zone itself first, then by name, then by type', () => {
  const { draft } = editingOf(
    setOf(
      record('1', 'A', 'b.one.com', '198.51.100.1'),
      record('2', 'TXT', 'a.one.com', 'x'),
      record('3', 'A', 'a.one.com', '198.51.100.1'),
      record('4', 'TXT', 'one.com', 'x'),
      record('5', 'A', 'one.com', '198.51.100.1'),
    ),
  );
  expect(draft.rows.map(({ key }) => key)).toEqual(['5', '4', '3', '2', '1']);
});

it('a different type, name, content or proxy switch alone counts as a change', () => {
  const changes = [{ type: 'CNAME' }, { name: 'other' }, { content: 'other.com' }, { proxied: false }] as const;
  const set = setOf(record('w', 'A', 'www.one.com', 'one.com', true));
  for (const change of changes) {
    expect(changeOf(rowOf(after(set, { do: 'set', key: 'w', change }), 'w'), 'one.com')).toBe('changed');
  }
});

it('every added record gets a key of its own', () => {
  const { draft } = after(
    setOf(),
    { do: 'add' },
    { do: 'set', key: 'new-0', change: { name: 'a' } },
    { do: 'add' },
    { do: 'add' },
  );
  expect(draft.rows.map(({ key }) => key)).toEqual(['new-0', 'new-1', 'new-2']);
});

it('a draft counts added, changed and deleted records, and sends the whole set', () => {
  const state = after(
    SET,
    { do: 'set', key: 'w', change: { type: 'TXT' } },
    { do: 'delete', key: 't' },
    { do: 'add' },
    { do: 'set', key: 'new-0', change: { name: 'new', content: '198.51.100.2' } },
  );
  expect(tallyOf(state.draft, 'one.com')).toEqual({ added: 1, changed: 1, deleted: 1 });
  expect(inputsOf(state.draft)).toEqual([
    { id: 'a', type: 'A', name: '@', content: '198.51.100.1', proxied: false },
    // A TXT record can't be proxied, whatever the switch said before.
    { id: 'w', type: 'TXT', name: 'www', content: 'one.com', proxied: false },
    { id: undefined, type: 'A', name: 'new', content: '198.51.100.2', proxied: false },
  ]);
});

it('a record needs a name and a content that fit its type', () => {
  const state = after(SET, { do: 'add' }, { do: 'set', key: 'a', change: { content: 'one.com' } });
  expect(faultsOf(rowOf(state, 'new-0'))).toEqual({ name: 'dns.name_empty', content: 'dns.content_empty' });
  expect(faultsOf(rowOf(state, 'a'))).toEqual({ content: 'dns.a_invalid' });
  expect(faultsOf({ ...rowOf(state, 'a'), isDeleted: true })).toEqual({});
});

it.each([
  ['one.com', '@'],
  ['www.one.com', 'www'],
  ['elsewhere.net', 'elsewhere.net'],
])('an unusual record of %s has no fault until it is edited', (name, shown) => {
  const set = setOf(record('o', 'A', name, 'no address'));
  const untouched = rowOf(editingOf(set), 'o');
  expect([untouched.name, faultsOf(untouched)]).toEqual([shown, {}]);
  const edited = (change: Partial<DraftFields>) => faultsOf(rowOf(after(set, { do: 'set', key: 'o', change }), 'o'));
  expect(edited({ name: 'new' })).toEqual({ content: 'dns.a_invalid' });
  expect(edited({ content: 'none either' })).toEqual({ content: 'dns.a_invalid' });
  expect(edited({ type: 'AAAA' })).toHaveProperty('content');
});

it('edits are undone one by one; typing in one field is one edit', () => {
  const state = after(
    SET,
    { do: 'set', key: 'a', change: { content: '1' } },
    { do: 'set', key: 'a', change: { content: '12' } },
    { do: 'delete', key: 't' },
  );
  const once = applyEdit(state, { do: 'undo' });
  expect(rowOf(once, 't').isDeleted).toBe(false);
  expect(rowOf(once, 'a').content).toBe('12');
  const twice = applyEdit(once, { do: 'undo' });
  expect(twice.draft).toEqual(editingOf(SET).draft);
  expect(applyEdit(twice, { do: 'undo' })).toBe(twice);
});

it('a draft that goes on numbers its new records after those that it has', () => {
  const { draft } = after(SET, { do: 'add' }, { do: 'add' });
  const next = applyEdit(editingOf(SET, draft), { do: 'add' });
  expect(next.draft.rows.map(({ key }) => key).filter((key) => key.startsWith('new-'))).toEqual([
    'new-0',
    'new-1',
    'new-2',
  ]);
});

it('a single record can be reverted', () => {
  const state = after(SET, { do: 'set', key: 'a', change: { content: '1' } }, { do: 'revert', key: 'a' });
  expect(changeOf(rowOf(state, 'a'), 'one.com')).toBe('none');
});

it('a search matches name, content and type, and never hides a new record', () => {
  const { draft } = after(SET, { do: 'add' });
  const found = (search: string, type = '') =>
    draft.rows.filter((row) => isFound(row, search, type)).map(({ key }) => key);
  expect(found('WWW')).toEqual(['w', 'new-0']);
  expect(found('spf1')).toEqual(['t', 'new-0']);
  expect(found('', 'A')).toEqual(['a', 'new-0']);
});

describe('a zone that has changed meanwhile', () => {
  it('gives its switch to a draft that has not touched it, and to no other', () => {
    const switched = (fresh: 'on' | 'off', ...edits: Edit[]) =>
      rebase(after(SET, ...edits).draft, { ...SET, copyOnTransfer: fresh }).draft.copyOnTransfer;
    expect([switched('off'), switched('on')]).toEqual(['off', 'on']);
    expect(switched('off', { do: 'copyOnTransfer', value: 'on' })).toBe('on');
  });

  it('keeps the edits, takes over the other changes and reports both', () => {
    const { draft } = after(
      SET,
      { do: 'set', key: 'a', change: { content: '203.0.113.9' } },
      { do: 'delete', key: 't' },
      { do: 'add' },
      { do: 'set', key: 'new-0', change: { type: 'TXT', content: 'mine', name: 'x' } },
    );
    const fresh = setOf(
      record('a', 'A', 'one.com', '198.51.100.7'),
      record('w', 'CNAME', 'www.one.com', 'other.com', true),
      record('n', 'A', 'new.one.com', '198.51.100.8'),
    );
    const { draft: rebased, meanwhile } = rebase(draft, fresh);
    expect(rebased.rows.map(({ key, name, content }) => `${key} ${name} ${content}`)).toEqual([
      'a @ 203.0.113.9',
      'w www other.com',
      'new-0 x mine',
      'n new 198.51.100.8',
    ]);
    expect(meanwhile.map(({ from, to, mine }) => [from?.id, to?.content, mine])).toEqual([
      ['a', '198.51.100.7', 'changed'],
      ['t', undefined, 'deleted'],
      ['w', 'other.com', 'none'],
      [undefined, '198.51.100.8', 'none'],
    ]);
    expect(tallyOf(rebased, 'one.com')).toEqual({ added: 1, changed: 1, deleted: 0 });
  });

  it('reports a different type, name, content or proxy switch alone, and nothing else', () => {
    const was = record('r', 'A', 'www.one.com', '198.51.100.1');
    const { draft } = editingOf(setOf(was));
    const told = (now: DnsRecord) => rebase(draft, setOf(now)).meanwhile.length;
    expect(told({ ...was, ttl: 300 })).toBe(0);
    expect(told({ ...was, type: 'TXT' })).toBe(1);
    expect(told({ ...was, name: 'ftp.one.com' })).toBe(1);
    expect(told({ ...was, content: '198.51.100.2' })).toBe(1);
    expect(told({ ...was, proxied: true })).toBe(1);
  });

  it('creates anew a record edited here and deleted elsewhere, but none that exists by now', () => {
    const { draft } = after(
      SET,
      { do: 'set', key: 'w', change: { content: 'kept.com' } },
      { do: 'add' },
      { do: 'set', key: 'new-0', change: { name: '@', content: '198.51.100.5' } },
    );
    const fresh = setOf(record('a', 'A', 'one.com', '198.51.100.1'), record('z', 'A', 'one.com', '198.51.100.5'));
    const { draft: rebased } = rebase(draft, fresh);
    expect(inputsOf(rebased).map(({ id, content }) => `${id} ${content}`)).toEqual([
      'a 198.51.100.1',
      'undefined kept.com',
      'z 198.51.100.5',
    ]);
  });
});
