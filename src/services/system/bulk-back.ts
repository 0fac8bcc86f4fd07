import { note } from '../../../db/audit.ts';
import type { AuditEntry } from '../../shared/audit/audit.ts';
import { AppError } from '../../shared/errors.ts';
import type { BulkUndone } from '../../shared/system/bulk.ts';
import type { Actor } from '../access/scope.ts';
import { sortChanges, writeChanges, type Change } from '../portfolio/bulk.ts';
import {
  listChosenIds,
  listReferable,
  listRestorable,
  undeleteMany,
  WRITTEN,
  type ChosenRow,
} from '../portfolio/bulk-rows.ts';
import { recordStanding } from '../portfolio/domains.ts';
import { leaveTakenFolders } from '../portfolio/folders.ts';
import { valuesOf } from './settings-back.ts';

type Field = (typeof WRITTEN)[number];

/** The columns that an entry about many domains has of each. */
const fieldsOf = ({ before }: AuditEntry): Field[] => WRITTEN.filter((name) => Array.isArray(valuesOf(before)[name]));

/** Whether an entry is an edit or the deletion of many domains by a person, which can be given back. */
export function isBulk(entry: AuditEntry): boolean {
  const { object, object_ids, operation_id, action, after } = entry;
  if (object !== 'domains' || object_ids === null || operation_id !== null || !('bulk' in valuesOf(after)))
    return false;
  return action === 'delete' || (action === 'update' && fieldsOf(entry).length > 0);
}

const at = (values: unknown, index: number): unknown => (Array.isArray(values) ? values[index] : values);

/** Returns what a domain had before; null: it has been changed since. */
function formerOf(row: ChosenRow, index: number, entry: AuditEntry): Change | null {
  const fields = fieldsOf(entry);
  const [before, after] = [valuesOf(entry.before), valuesOf(entry.after)];
  if (fields.some((name) => row[name] !== at(after[name], index))) return null;
  const former: Change = Object.fromEntries(fields.map((name) => [name, at(before[name], index)]));
  return former;
}

const TABLES = {
  project_id: 'projects',
  server_id: 'servers',
  cloudflare_account_id: 'cloudflare_accounts',
} as const;

/** Returns a function that says whether everything that a domain referred to is still there, and the actor's to use. */
async function stillThere(actor: Actor, former: readonly Change[]): Promise<(to: Change) => boolean> {
  const checks: ((to: Change) => boolean)[] = [];
  for (const name of ['project_id', 'server_id', 'cloudflare_account_id'] as const) {
    const asked = new Set(former.flatMap((to) => (typeof to[name] === 'number' ? [to[name]] : [])));
    if (asked.size === 0) continue;
    const known = new Set((await listReferable(actor, TABLES[name], [...asked])).map(({ id }) => id));
    checks.push((to) => typeof to[name] !== 'number' || known.has(to[name]));
  }
  return (to) => checks.every((check) => check(to));
}

async function editBack(actor: Actor, entry: AuditEntry, ids: readonly number[]): Promise<number> {
  const rows = new Map((await listChosenIds(actor, ids)).map((row) => [row.id, row]));
  const wanted = ids.flatMap((id, index) => {
    const row = rows.get(id);
    const to = row && formerOf(row, index, entry);
    return row && to ? [{ row, to }] : [];
  });
  const isThere = await stillThere(
    actor,
    wanted.map(({ to }) => to),
  );
  const { able } = await sortChanges(
    actor,
    wanted.filter(({ to }) => isThere(to)),
  );
  await writeChanges(able, { back: entry.id });
  return able.length;
}

async function deletionBack(actor: Actor, entry: AuditEntry, all: readonly number[]): Promise<number> {
  const time = String(valuesOf(entry.after)['deleted_at']);
  const ids = (await listRestorable(actor, all, time)).map(({ id }) => id);
  if (ids.length === 0) return 0;
  await leaveTakenFolders(actor, ids);
  await undeleteMany(ids);
  await recordStanding(ids);
  const [before, after] = [{ deleted_at: time }, { deleted_at: null, back: entry.id }];
  note({ action: 'restore', object: 'domains', ids, before, after });
  return ids.length;
}

/**
 * Gives many domains back what an entry has changed of them, inside a transaction; what has been changed since stays. Throws AppError
 * `conflict` (`stale`) where nothing can be given back.
 */
export async function giveManyBack(actor: Actor, entry: AuditEntry): Promise<BulkUndone> {
  const ids = entry.object_ids ?? [];
  const restored = await (entry.action === 'delete' ? deletionBack : editBack)(actor, entry, ids);
  if (restored === 0) throw new AppError('conflict', 'bulk.nothing_back', {}, { code: 'stale' });
  return { restored, kept: ids.length - restored };
}
