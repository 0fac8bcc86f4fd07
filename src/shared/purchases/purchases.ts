import { z } from 'zod';
import type { Message } from '../i18n/index.ts';
import { Paging } from '../lists.ts';
import { Id, message } from '../text.ts';
import { CURRENCIES, type Currency } from './money.ts';
import { PURCHASE_STATES } from './states.ts';
import type { BudgetCapRow, PurchaseRow } from './tables.ts';

export type PurchaseKind = 'register' | 'renew';

/** States in which a purchase holds its money and its name. */
export const LIVE_STATES = ['awaiting_approval', 'reserved', 'sending', 'unknown', 'pending'] as const;

/** States from which an order is looked up. */
export const OPEN_STATES = ['unknown', 'pending'] as const;

/** An observation of an order, with its time. */
export interface Evidence {
  at: string;
  said: Message;
}

/** The scope of a cap: a day's sum of all, of a registrar, a project, a user; one purchase; a sum above which a second admin approves. */
export const CAP_SCOPES = ['all', 'registrar', 'project', 'user', 'name', 'approval'] as const;

/** A cap to set; an `amount` of null removes it. `scope_id` is 0 where the scope has one member. */
export const CapInput = z.object({
  scope: z.enum(CAP_SCOPES),
  scope_id: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
  currency: z.enum(CURRENCIES),
  amount: z
    .string()
    .regex(/^\d{1,9}(?:\.\d{1,2})?$/, message('budget.amount_invalid'))
    .nullable(),
});
export type CapInput = z.infer<typeof CapInput>;

/** Caps and limits to set; absent ones stay. */
export const BudgetInput = z.object({
  caps: z.array(CapInput).max(1_000).optional(),
  names_day: z.number().int().min(0).max(10_000).optional(),
  names_project: z.number().int().min(0).max(10_000).optional(),
  pause_minutes: z.number().int().min(0).max(1_440).optional(),
});
export type BudgetInput = z.infer<typeof BudgetInput>;

/** A cap with what it has left today; both null for one that is about a single purchase. Decimal texts. */
export interface CapView {
  scope: BudgetCapRow['scope'];
  scope_id: number;
  /** Of the registrar or project, the login of the user; null: the cap is about all, or what it was about is deleted. */
  scope_name: string | null;
  currency: Currency;
  amount: string;
  used: string | null;
  left: string | null;
}

/** The state of the budget that every user may see. `simulates`: no cap is set, nothing is bought. */
export interface PurchasesState {
  state: 'on' | 'off';
  simulates: boolean;
}

/** The budget. `day` is the one that counts, in UTC. `switched_by` is a login; null where the ledger itself has switched purchases off. */
export interface BudgetView extends PurchasesState {
  reason: Message | null;
  switched_at: string | null;
  switched_by: string | null;
  day: string;
  names_day: number;
  names_project: number;
  pause_minutes: number;
  caps: CapView[];
}

/**
 * A purchase as it is listed. Sums are decimal texts; `charged` is null until something was, and of one that is paid
 * where the charge was no sum of `currency`, or is not known: `error` tells why. A person has to decide where `needs_person`.
 * Of a renewal, `expires_day` and `renewed_day` are the days before and after it as the registry counts them.
 */
export interface PurchaseView<Text = Message> extends Pick<
  PurchaseRow,
  | 'id'
  | 'kind'
  | 'domain_name'
  | 'state'
  | 'registrar_id'
  | 'registrar_type'
  | 'project_id'
  | 'user_id'
  | 'asked_by'
  | 'operation_id'
  | 'domain_id'
  | 'years'
  | 'currency'
  | 'day'
  | 'order_id'
  | 'sent_at'
  | 'look_at'
  | 'approved_at'
  | 'resolved_at'
  | 'created_at'
  | 'changed_at'
> {
  price: string;
  charged: string | null;
  expires_day: string | null;
  renewed_day: string | null;
  registrar_name: string | null;
  project_name: string | null;
  user_login: string | null;
  asker_login: string | null;
  approver_login: string | null;
  resolver_login: string | null;
  needs_person: boolean;
  error: Text | null;
  evidence: { at: string; said: Text }[];
}

/** Whether a purchase was paid with a sum that is none of its currency or is not known, and nobody has seen that yet. */
export const hasUnseenCharge = ({
  state,
  charged,
  resolved_at,
}: Pick<PurchaseRow, 'state' | 'resolved_at'> & { charged: number | string | null }): boolean =>
  state === 'committed' && charged === null && resolved_at === null;

/** Filters of the ledger; absent: any. */
export const PurchaseSelection = Paging.pick({ limit: true, offset: true, search: true }).extend({
  state: z.enum(PURCHASE_STATES).optional(),
  project: Id.optional(),
});
export type PurchaseSelection = z.infer<typeof PurchaseSelection>;

/** The switch of all purchases. */
export const SwitchInput = z.object({ state: z.enum(['on', 'off']) });

/** How a person ends a purchase; `state`: the one that was seen, which it must still have. */
export const ResolveInput = z.object({
  outcome: z.enum(['bought', 'not_bought']),
  state: z.enum(PURCHASE_STATES).optional(),
});
