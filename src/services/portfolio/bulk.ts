import { createHash } from 'node:crypto';
import { note } from '../../../db/audit.ts';
import { AppError } from '../../shared/errors.ts';
import type { Key } from '../../shared/i18n/index.ts';
import { message } from '../../shared/text.ts';
import type { Selection } from '../../shared/portfolio/domain-selection.ts';
import type { Actor } from '../access/scope.ts';
import { workNow } from '../operations/moving.ts';
import {
  deleteMany,
  listChosenNamed,
  listFiltered,
  updateMany,
  WRITTEN,
  type ChosenRow,
  type Written,
} from './bulk-rows.ts';
import { checkReferences } from './domains.ts';
import { isTaken, refusedFolders } from './folders.ts';

/** The domains of a selection. `missing` are names that are not there, or not the actor's; `expected` stands for the rows. */
export interface Chosen {
  rows: ChosenRow[];
  missing: string[];
  expected: string;
}

const hashOf = (rows: readonly ChosenRow[]): string => {
  const hash = createHash('sha256').update(rows.map(({ id }) => id).join());
  return `${rows.length}-${hash.digest('base64url').slice(0, 22)}`;
};

/**
 * Returns the domains of a selection, within what the actor sees. Throws AppError `conflict` (`selection_changed`, with the new `count` and
 * `expected`) where they are not those that were `expected`.
 */
export async function choose(actor: Actor, selection: Selection, expected?: string): Promise<Chosen> {
  const { names, filter: { search, ...filter } = {}, except = [] } = selection;
  const without = new Set(except);
  const found = names ? await listChosenNamed(actor, names) : await listFiltered(actor, filter, search);
  const rows = without.size === 0 ? found : found.filter(({ domain_name }) => !without.has(domain_name));
  const known = new Set(rows.map(({ domain_name }) => domain_name));
  const missing = [...new Set(names ?? [])].filter((name) => !known.has(name));
  const now = hashOf(rows);
  if (expected !== undefined && expected !== now) {
    const more = { count: rows.length, expected: now };
    throw new AppError('conflict', 'bulk.changed', { n: rows.length }, { code: 'selection_changed', more });
  }
  return { rows, missing, expected: now };
}

/** A domain that stays as it is, and why. */
export interface Left {
  name: string;
  reason: Key;
}

/** The effect of an act on many domains, as the database is now; `same`: the number of those that need no change. */
export interface Sorted {
  changes: ChosenRow[];
  same: number;
  left: Left[];
}

/** The columns that an edit gives; absent ones stay. */
export type Change = Partial<Written>;

/** A domain, and what it is to be given. */
interface Wanted {
  row: ChosenRow;
  to: Change;
}

const isSame = ({ row, to }: Wanted): boolean =>
  WRITTEN.every((name) => to[name] === undefined || to[name] === row[name]);

// Columns that a running transfer has read of its domains: until it ends they are not changed.
const HELD = ['project_id', 'server_id', 'cloudflare_account_id'] as const;
const changesHeld = ({ row, to }: Wanted): boolean =>
  HELD.some((name) => to[name] !== undefined && to[name] !== row[name]);
const changesServer = ({ row, to }: Wanted): boolean => to.server_id !== undefined && to.server_id !== row.server_id;

/** Returns why domains must not get the servers that they are to have, by their ids: the folder there is another site's. */
async function refusedAtServers(actor: Actor, wanted: readonly Wanted[]): Promise<Map<number, Key>> {
  const moved = wanted.flatMap(({ row, to }) => {
    if (to.server_id === undefined || to.server_id === row.server_id) return [];
    const { id, domain_name, file_path } = row;
    return [{ place: { id, domain_name, file_path, server_id: to.server_id }, holder: to.user_id ?? row.holder }];
  });
  const refused = moved.length === 0 ? new Map<number, AppError>() : await refusedFolders(actor, moved);
  const taken = [...refused].filter(([, error]) => isTaken(error));
  return new Map(taken.map(([id, { fields, key }]) => [id, (fields?.['file_path'] as Key | undefined) ?? key]));
}

/** Sorts domains into those that can be given what they are to have, those that have it, and those that are left. */
export async function sortChanges(
  actor: Actor,
  wanted: readonly Wanted[],
): Promise<{ able: Wanted[]; same: number; left: Left[] }> {
  const changed = wanted.filter((one) => !isSame(one));
  const { isMoving, isSiteAtWork } = await workNow();
  const refused = await refusedAtServers(actor, changed);
  const able: Wanted[] = [];
  const left: Left[] = [];
  for (const one of changed) {
    const { id, domain_name: name } = one.row;
    const folder = refused.get(id);
    if (changesHeld(one) && isMoving(name)) left.push({ name, reason: message('bulk.moving') });
    else if (changesServer(one) && isSiteAtWork(name)) left.push({ name, reason: message('bulk.busy') });
    else if (folder) left.push({ name, reason: folder });
    else able.push(one);
  }
  return { able, same: wanted.length - changed.length, left };
}

/**
 * Writes what domains are to have, by one statement and one decision of the audit: `before` has the former values in the order of the
 * ids. Call inside the transaction in which they were sorted.
 */
export async function writeChanges(able: readonly Wanted[], more: object): Promise<void> {
  const fields = WRITTEN.filter((name) => able.some(({ to }) => to[name] !== undefined));
  if (able.length === 0) return;
  // A field that is there and undefined, as of a flag that was not typed, is absent as well.
  const given = (to: Change) => Object.fromEntries(Object.entries(to).filter(([, value]) => value !== undefined));
  const after = able.map(({ row, to }): ChosenRow => ({ ...row, ...given(to) }));
  await updateMany(after, new Date().toISOString());
  const alike = (name: keyof Written): unknown => {
    const values = new Set(after.map((row) => row[name]));
    return values.size === 1 ? after[0]?.[name] : after.map((row) => row[name]);
  };
  note({
    action: 'update',
    object: 'domains',
    ids: able.map(({ row }) => row.id),
    before: Object.fromEntries(fields.map((name) => [name, able.map(({ row }) => row[name])])),
    after: { ...Object.fromEntries(fields.map((name) => [name, alike(name)])), ...more },
  });
}

/**
 * Returns what giving domains these fields would come to. Throws AppError `refused` for a reference that does not exist or is not the
 * actor's.
 */
export async function sortEdit(actor: Actor, rows: readonly ChosenRow[], fields: Change) {
  const owner = await checkReferences(actor, fields);
  const to: Change = { ...fields, ...(owner !== null && { user_id: owner }) };
  return sortChanges(
    actor,
    rows.map((row) => ({ row, to })),
  );
}

/** Returns which domains can be taken out of the portfolio: those that no running work holds. */
export async function sortDelete(rows: readonly ChosenRow[]): Promise<Sorted> {
  const { isMoving, isAtWork } = await workNow();
  const left = rows.flatMap(({ domain_name: name }) => {
    if (isMoving(name)) return [{ name, reason: message('bulk.moving') }];
    return isAtWork(name) ? [{ name, reason: message('bulk.busy') }] : [];
  });
  const held = new Set(left.map(({ name }) => name));
  return { changes: rows.filter(({ domain_name }) => !held.has(domain_name)), same: 0, left };
}

/** Takes domains out of the portfolio, by one statement; for 30 days they can be brought back. Call as `writeChanges`. */
export async function removeMany(rows: readonly ChosenRow[], more: object): Promise<void> {
  if (rows.length === 0) return;
  const deleted_at = new Date().toISOString();
  const ids = rows.map(({ id }) => id);
  await deleteMany(ids, deleted_at);
  note({ action: 'delete', object: 'domains', ids, before: { deleted_at: null }, after: { deleted_at, ...more } });
}
