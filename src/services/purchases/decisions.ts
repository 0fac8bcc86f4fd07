import { transaction } from '../../../db/index.ts';
import { endingOf } from '../../operations/lease.ts';
import { AppError } from '../../shared/errors.ts';
import type { PurchaseState } from '../../shared/purchases/states.ts';
import type { PurchaseRow } from '../../shared/purchases/tables.ts';
import type { Actor } from '../access/scope.ts';
import { hasUnseenCharge } from '../../shared/purchases/purchases.ts';
import { acknowledgeCharge, change, commitPurchase, purchaseRow, refuse, releaseProven } from './ledger.ts';

/** Returns a purchase that an actor may approve. Throws as `approvePurchase`. */
export async function purchaseToApprove(actor: Actor, id: number): Promise<PurchaseRow> {
  const row = await purchaseRow(id);
  const { state, asked_by, asker_id, user_id, operation_id } = row;
  if (state !== 'awaiting_approval') throw new AppError('conflict', 'purchase.not_awaiting', { id });
  // A purchase that begins by itself does so by the settings of the user who pays for it.
  const asker = asked_by === 'automation' ? user_id : asker_id;
  if (actor.id === null || actor.id === asker) throw new AppError('forbidden', 'purchase.own_approval');
  // Its money is given back in a moment.
  if (operation_id !== null && (await endingOf(operation_id)) !== null)
    throw new AppError('conflict', 'purchase.cancelled');
  return row;
}

/**
 * Approves a purchase in the name of an admin who has not asked for it, nor pays for one that began by itself. Throws AppError `forbidden` for
 * these, and for the command line on the host, which is nobody in particular; `conflict` where none is awaited, or its operation is cancelled.
 */
export const approvePurchase = (actor: Actor, id: number): Promise<PurchaseRow> =>
  transaction(async () => {
    const row = await purchaseToApprove(actor, id);
    return change(row, { state: 'reserved', approver_id: actor.id, approved_at: new Date().toISOString() });
  });

/**
 * Ends a purchase by a person's word: bought or not. An unsent purchase can only be declined. For a purchase with an unseen charge, as in
 * another currency than its quote, `bought` says that the charge was seen. Throws AppError `not_found`, and `conflict` where its end is
 * known, its order is being sent, or its state is not the `seen` one: the same word means something else then.
 */
export const resolvePurchase = (
  actor: Actor,
  id: number,
  isBought: boolean,
  seen?: PurchaseState,
): Promise<PurchaseRow> =>
  transaction(async () => {
    const row = await purchaseRow(id);
    const { state, domain_name, order_id } = row;
    if (seen !== undefined && seen !== state) throw new AppError('conflict', 'purchase.changed_meanwhile', { id });
    if (state === 'sending') throw new AppError('conflict', 'purchase.is_sending', { id });
    const isUnsent = state === 'awaiting_approval' || state === 'reserved';
    if (isUnsent && !isBought) return refuse(id, { key: 'purchase.declined', params: { name: domain_name } });
    const params = { login: actor.login };
    const resolver_id = actor.id;
    if (hasUnseenCharge(row) && isBought) {
      return acknowledgeCharge(id, { key: 'purchase.charge_seen', params }, resolver_id);
    }
    if (state !== 'unknown' && state !== 'pending') throw new AppError('conflict', 'purchase.not_open', { id });
    if (!isBought) return releaseProven(id, { key: 'purchase.resolved_not', params }, resolver_id);
    const how = { key: 'purchase.resolved_bought', params } as const;
    return commitPurchase(id, { order_id, charged: null, expires_at: null, how, resolver_id });
  });
