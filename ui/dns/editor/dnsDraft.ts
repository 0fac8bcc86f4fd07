import { EditedRecord, fullRecordName, isProxiable, sameContent } from '../../../src/shared/dns/dns.ts';
import { asciiName } from '../../../src/shared/hostname.ts';
import type { DnsRecord, DnsRecordInput, EditableType } from '../../../src/shared/dns/dns.ts';

/** The editable fields of a record. `name` is relative to the zone: `@` is the zone itself, `www` is below it. */
export interface DraftFields {
  type: EditableType;
  name: string;
  content: string;
  proxied: boolean;
}

/**
 * A record in the editor. `was` is the record in the zone, null for a new one; a deleted one stays until it is saved.
 */
export interface DraftRow extends DraftFields {
  key: string;
  was: DnsRecord | null;
  isDeleted: boolean;
}

/** The edits of a set. `copyWas`: whether its records were copied on transfer when it was read. */
export interface Draft {
  rows: readonly DraftRow[];
  copyOnTransfer: 'on' | 'off';
  copyWas: 'on' | 'off';
}

export type RowChange = 'none' | 'added' | 'changed' | 'deleted';

/** A zone's records as read from the server. */
export interface RecordSet {
  dns: readonly DnsRecord[];
  copyOnTransfer: 'on' | 'off';
  zone: { name: string };
}

/** Returns a name relative to its zone, for display; `@` for the zone itself. */
export function shortName(name: string, zone: string): string {
  if (name === zone) return '@';
  return name.endsWith(`.${zone}`) ? name.slice(0, -zone.length - 1) : name;
}

const rowOf = (record: DnsRecord, zone: string): DraftRow => ({
  key: record.id,
  was: record,
  isDeleted: false,
  type: record.type as EditableType,
  name: shortName(record.name, zone),
  content: record.content,
  proxied: record.proxied,
});

// The zone itself first, then by name and type: the CDN returns records in no fixed order.
function inOrder(one: DraftRow, other: DraftRow): number {
  if ((one.name === '@') !== (other.name === '@')) return one.name === '@' ? -1 : 1;
  return one.name.localeCompare(other.name) || one.type.localeCompare(other.type);
}

/** Returns a draft without edits. */
export const draftOf = ({ dns, copyOnTransfer, zone }: RecordSet): Draft => ({
  rows: dns.map((record) => rowOf(record, zone.name)).sort(inOrder),
  copyOnTransfer,
  copyWas: copyOnTransfer,
});

/** Returns whether the record is to be proxied by the CDN; always false for a type that can't be. */
const isProxied = ({ type, proxied }: DraftFields): boolean => isProxiable(type) && proxied;

/** Returns what saving would do to a record. */
export function changeOf(row: DraftRow, zone: string): RowChange {
  const { was } = row;
  if (was === null) return 'added';
  if (row.isDeleted) return 'deleted';
  const isSame =
    row.type === was.type &&
    fullRecordName(row.name, zone) === asciiName(was.name) &&
    sameContent(row.type, row.content, was.content) &&
    isProxied(row) === was.proxied;
  return isSame ? 'none' : 'changed';
}

export type Tally = Record<Exclude<RowChange, 'none'>, number>;

/** Counts the records to add, change and delete. */
export function tallyOf({ rows }: Draft, zone: string): Tally {
  const tally = { none: 0, added: 0, changed: 0, deleted: 0 };
  for (const row of rows) tally[changeOf(row, zone)] += 1;
  const { added, changed, deleted } = tally;
  return { added, changed, deleted };
}

/** Returns the faults of a record as catalogue keys, by field; none for a deleted one. */
export function faultsOf(row: DraftRow): Partial<Record<'name' | 'content', string>> {
  const { was, type, name, content } = row;
  // An unchanged record is valid: the CDN has accepted it.
  const isUntouched =
    was?.type === type &&
    was.content === content &&
    (name === '@' || was.name === name || was.name.startsWith(`${name}.`));
  if (row.isDeleted || isUntouched) return {};
  const { error } = EditedRecord.safeParse({ type, name, content, proxied: isProxied(row) });
  const issueOf = (field: string): string | undefined => error?.issues.find(({ path }) => path[0] === field)?.message;
  const [nameFault, contentFault] = [issueOf('name'), issueOf('content')];
  return { ...(nameFault && { name: nameFault }), ...(contentFault && { content: contentFault }) };
}

/** Returns the whole set in the shape that the API takes. */
export const inputsOf = ({ rows }: Draft): DnsRecordInput[] =>
  rows
    .filter(({ isDeleted }) => !isDeleted)
    .map((row) => ({ id: row.was?.id, type: row.type, name: row.name, content: row.content, proxied: isProxied(row) }));

/** Returns whether a record matches the search. A new one always does: it would vanish while it is typed. */
export function isFound({ was }: DraftRow, search: string, type: string): boolean {
  if (was === null) return true;
  if (type !== '' && was.type !== type) return false;
  return search === '' || `${was.name} ${was.content}`.toLowerCase().includes(search.toLowerCase());
}

/**
 * A change that somebody else made to a record since the set was read (null: absent), and the draft's own change to it.
 */
export interface Meanwhile {
  from: DnsRecord | null;
  to: DnsRecord | null;
  mine: RowChange;
}

const saysTheSame = (one: DnsRecord, other: DnsRecord): boolean =>
  one.type === other.type &&
  one.name === other.name &&
  one.proxied === other.proxied &&
  sameContent(one.type, one.content, other.content);

/** Applies the edits of a draft to a newer set of the same zone; also returns the changes made elsewhere. */
export function rebase(draft: Draft, fresh: RecordSet): { draft: Draft; meanwhile: Meanwhile[] } {
  const zone = fresh.zone.name;
  const left = new Map(fresh.dns.map((record) => [record.id, record]));
  const rows: DraftRow[] = [];
  const meanwhile: Meanwhile[] = [];
  for (const row of draft.rows) {
    const { was } = row;
    const mine = changeOf(row, zone);
    if (was === null) {
      rows.push(row);
      continue;
    }
    const now = left.get(was.id) ?? null;
    left.delete(was.id);
    if (now === null || !saysTheSame(was, now)) meanwhile.push({ from: was, to: now, mine });
    if (now !== null) rows.push(mine === 'none' ? rowOf(now, zone) : { ...row, was: now });
    // A record edited here but deleted elsewhere is created anew by saving.
    else if (mine === 'changed') rows.push({ ...row, was: null });
  }
  for (const record of left.values()) {
    meanwhile.push({ from: null, to: record, mine: 'none' });
    rows.push(rowOf(record, zone));
  }
  const { copyOnTransfer: copyWas } = fresh;
  // A switch that was not touched here follows whoever has switched it.
  const copyOnTransfer = draft.copyOnTransfer === draft.copyWas ? copyWas : draft.copyOnTransfer;
  return { draft: { rows: withoutTwins(rows, zone), copyOnTransfer, copyWas }, meanwhile };
}

/** Drops new records that the zone contains by now. */
function withoutTwins(rows: readonly DraftRow[], zone: string): DraftRow[] {
  const says = ({ type, name, content }: DraftFields): string => `${type} ${fullRecordName(name, zone)} ${content}`;
  const there = new Set(rows.filter(({ was }) => was !== null).map(says));
  return rows.filter((row) => row.was !== null || !there.has(says(row)));
}

/**
 * A draft with its undo history. `last` identifies the last edit: further typing in the same field is no new undo step.
 */
export interface Editing {
  zone: string;
  draft: Draft;
  past: readonly Draft[];
  last: string;
  made: number;
}

export type Edit =
  | { do: 'set'; key: string; change: Partial<DraftFields> }
  | { do: 'add' }
  | { do: 'delete'; key: string }
  | { do: 'revert'; key: string }
  | { do: 'copyOnTransfer'; value: 'on' | 'off' }
  | { do: 'undo' }
  | { do: 'load'; draft: Draft };

const NEW: Omit<DraftRow, 'key'> = { was: null, isDeleted: false, type: 'A', name: '', content: '', proxied: false };

const numberOf = ({ key }: DraftRow): number => Number(/^new-(\d+)$/.exec(key)?.[1] ?? -1);

/** Returns the initial state of a set: without edits, or with those of a draft that goes on. */
export const editingOf = (set: RecordSet, draft: Draft = draftOf(set)): Editing => ({
  zone: set.zone.name,
  draft,
  past: [],
  last: '',
  made: Math.max(-1, ...draft.rows.map(numberOf)) + 1,
});

function edited({ draft, zone, made }: Editing, edit: Exclude<Edit, { do: 'undo' | 'load' }>): Draft {
  const change = (key: string, to: (row: DraftRow) => DraftRow[]): Draft => ({
    ...draft,
    rows: draft.rows.flatMap((row) => (row.key === key ? to(row) : [row])),
  });
  if (edit.do === 'copyOnTransfer') return { ...draft, copyOnTransfer: edit.value };
  if (edit.do === 'add') return { ...draft, rows: [...draft.rows, { ...NEW, key: newKey(made) }] };
  if (edit.do === 'set') return change(edit.key, (row) => [{ ...row, ...edit.change }]);
  if (edit.do === 'revert') return change(edit.key, ({ was }) => (was === null ? [] : [rowOf(was, zone)]));
  return change(edit.key, (row) => (row.was === null ? [] : [{ ...row, isDeleted: true }]));
}

/** Returns the key of the record to be added next; `made` counts those added so far. */
export const newKey = (made: number): string => `new-${made}`;

/** The reducer of the editor. */
export function applyEdit(state: Editing, edit: Edit): Editing {
  if (edit.do === 'load') return { ...state, draft: edit.draft, past: [], last: '' };
  if (edit.do === 'undo') {
    const before = state.past.at(-1);
    return before ? { ...state, draft: before, past: state.past.slice(0, -1), last: '' } : state;
  }
  const mark = edit.do === 'set' ? `${edit.key} ${Object.keys(edit.change).join(' ')}` : '';
  const goesOn = mark !== '' && mark === state.last;
  return {
    ...state,
    draft: edited(state, edit),
    past: goesOn ? state.past : [...state.past, state.draft],
    last: mark,
    made: state.made + (edit.do === 'add' ? 1 : 0),
  };
}
