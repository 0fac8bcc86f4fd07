import { randomUUID } from 'node:crypto';
import { transaction } from '../../../db/index.ts';
import { notFound } from '../../shared/errors.ts';
import type { Message } from '../../shared/i18n/index.ts';
import type { Selection } from '../../shared/portfolio/domain-selection.ts';
import type { BulkAct, BulkDone, BulkInput, BulkPlan, BulkUndone, LeftAsIs } from '../../shared/system/bulk.ts';
import { findOwnEntry } from '../audit/audit.ts';
import { findBulkId } from '../audit/rows.ts';
import type { Actor } from '../access/scope.ts';
import { choose, removeMany, sortDelete, sortEdit, writeChanges, type Chosen } from '../portfolio/bulk.ts';
import { giveManyBack, isBulk } from './bulk-back.ts';

/** A domain that is left as it is, and why. */
export interface Unfit {
  name: string;
  reason: Message;
}

// A person reads the first names; the others are counted.
const SHOWN = 200;

/** The effect of an act: the names that change, the number of those that need no change, and those that are left. */
export interface Work {
  names: string[];
  same: number;
  left: Unfit[];
}

function grouped(left: readonly Unfit[], most: number): LeftAsIs<Message>[] {
  const groups = new Map<string, LeftAsIs<Message>>();
  for (const { name, reason } of left) {
    const id = JSON.stringify([reason.key, reason.params]);
    const group = groups.get(id) ?? { reason, code: reason.key, count: 0, names: [] };
    group.count += 1;
    if (group.names.length < most) group.names.push(name);
    groups.set(id, group);
  }
  return [...groups.values()];
}

/** Returns what is told of an act, with the first names; `most` is how many of a kind. */
export const planOf = (
  { rows, missing, expected }: Chosen,
  { names, same, left }: Work,
  most = SHOWN,
): BulkPlan<Message> => ({
  count: rows.length,
  expected,
  changes: names.length,
  same,
  left: grouped(left, most),
  missing: missing.slice(0, most),
  names: names.slice(0, most),
});

/** Sorts the domains for an act on our own rows; `write` does it, inside the same transaction. */
async function workOn(
  actor: Actor,
  { rows }: Chosen,
  act: BulkAct,
): Promise<Work & { write: (more: object) => Promise<void> }> {
  const worded = (left: readonly { name: string; reason: Message['key'] }[]): Unfit[] =>
    left.map(({ name, reason: key }) => ({ name, reason: { key } }));
  if (act.kind === 'delete') {
    const { changes, left } = await sortDelete(rows);
    const names = changes.map(({ domain_name }) => domain_name);
    return { names, same: 0, left: worded(left), write: (more) => removeMany(changes, more) };
  }
  const { able, same, left } = await sortEdit(actor, rows, act.fields);
  const names = able.map(({ row }) => row.domain_name);
  return { names, same, left: worded(left), write: (more) => writeChanges(able, more) };
}

/**
 * Returns what an act would do with the selected domains; writes nothing. Throws AppError `refused` for a reference that is not the
 * actor's, or does not exist.
 */
export async function planBulk(
  actor: Actor,
  { selection, act }: { selection: Selection; act: BulkAct },
  most?: number,
): Promise<BulkPlan<Message>> {
  const chosen = await choose(actor, selection);
  return planOf(chosen, await workOn(actor, chosen, act), most);
}

/**
 * Does what `planBulk` says, in one transaction. Throws as it, and AppError `conflict` (`selection_changed`) where other domains are
 * selected than those that were `expected`.
 */
export async function runBulk(
  actor: Actor,
  { selection, act, expected }: BulkInput,
  most?: number,
): Promise<BulkDone<Message>> {
  const bulk = randomUUID();
  const plan = await transaction(async () => {
    const chosen = await choose(actor, selection, expected);
    const work = await workOn(actor, chosen, act);
    await work.write({ bulk });
    return planOf(chosen, work, most);
  });
  const undo = plan.changes === 0 ? null : await findBulkId(bulk);
  const key = act.kind === 'edit' ? 'bulk.edited' : 'bulk.deleted';
  return { ...plan, message: { key, params: { n: plan.changes } }, undo };
}

/**
 * Takes an edit or a deletion of many domains back that the actor has made, or anybody where the actor is an administrator. Later changes
 * stay. Throws AppError `not_found`, and `conflict` where nothing can be given back.
 */
export async function undoBulk(actor: Actor, id: number): Promise<BulkUndone> {
  const entry = await findOwnEntry(actor, id);
  if (!entry || !isBulk(entry)) throw notFound();
  return transaction(() => giveManyBack(actor, entry));
}
