import { createHash } from 'node:crypto';
import { transaction } from '../../../db/index.ts';
import type { NewItem } from '../../operations/flow.ts';
import { NOT_SHOWN } from '../../operations/item-rows.ts';
import type { Plan, PlannedAct } from '../../operations/plan.ts';
import type { Zone } from '../../providers/cloudflare/zones.ts';
import { AppError } from '../../shared/errors.ts';
import { deletePlan, deletePlansBefore, findPlanItems, upsertPlan } from './rows.ts';
import { DAY_MS } from '../../shared/time.ts';

/** The stored part of a plan for an item: a digest of its acts, and its zone, where there is one. */
export interface Shown {
  digest: string;
  zone?: Zone;
}

const KEPT_MS = DAY_MS;

/** The same acts have the same digest. */
export const digestOf = (acts: readonly PlannedAct[]): string =>
  createHash('sha256').update(JSON.stringify(acts)).digest('base64url');

/** Stores a plan that is shown, under its hash, for a day. Opens a transaction. */
export async function keepPlan(plan: Plan, items: readonly NewItem[], zones: ReadonlyMap<string, Zone>): Promise<void> {
  const failed = new Set(plan.failed.map(({ item }) => item));
  const byItem = new Map<string, PlannedAct[]>();
  for (const act of plan.acts) byItem.set(act.item, [...(byItem.get(act.item) ?? []), act]);
  const shown: Record<string, Shown | null> = {};
  for (const { item } of items) {
    const zone = zones.get(item);
    shown[item] = failed.has(item) ? null : { digest: digestOf(byItem.get(item) ?? []), ...(zone && { zone }) };
  }
  const now = Date.now();
  await transaction(async () => {
    await deletePlansBefore(new Date(now - KEPT_MS).toISOString());
    await upsertPlan({ hash: plan.hash, items: JSON.stringify(shown), created_at: new Date(now).toISOString() });
  });
}

/** Returns the refusal to carry out what a plan did not show. */
export const notShown = (): AppError => new AppError('conflict', NOT_SHOWN, {}, { code: 'plan_stale' });

/**
 * Returns the stored plan of each item; null for one that failed then. Throws AppError `conflict` for a plan that is not
 * stored any more, was of other items, or showed none of them.
 */
export async function shownPlan(hash: string, items: readonly NewItem[]): Promise<Map<string, Shown | null>> {
  const stored = await findPlanItems(hash);
  const kept = JSON.parse(stored ?? '{}') as Record<string, Shown | null>;
  const isSame = items.length === Object.keys(kept).length && items.every(({ item }) => item in kept);
  if (stored === undefined || !isSame)
    throw new AppError('conflict', 'operation.plan_stale', {}, { code: 'plan_stale' });
  const shown = Object.entries(kept);
  if (shown.length > 0 && shown.every(([, one]) => one === null)) throw notShown();
  return new Map(shown);
}

/** Deletes a plan that was carried out. Only inside a transaction. */
export const forgetPlan = (hash: string): Promise<void> => deletePlan(hash);
