import { z } from 'zod';
import { Id } from '../text.ts';

/** Origin of a transfer: a person asked for this pair, or the reserve was picked. */
export const TRANSFER_ACTIONS = ['explicit', 'auto'] as const;
export type TransferAction = (typeof TRANSFER_ACTIONS)[number];

/** The transfer_history table: a row for each main domain that was replaced. The names are those at that time. */
export interface TransferHistoryRow {
  id: number;
  project_id: number | null;
  main_domain_id: number | null;
  transfer_domain_id: number | null;
  main_domain_name: string;
  transfer_domain_name: string;
  action: TransferAction;
  operation_id: number | null;
  created_at: string;
  /** Whether the redirect was seen from outside; null while it is checked, and in rows of earlier versions. */
  outcome: 'done' | 'done_with_warning' | null;
  /** Advice about a redirect that was not seen: a Said as JSON. */
  warning: string | null;
  redirect_seen_at: string | null;
}

/** The transfer_decisions table: a row for each change of the automatic decision about a domain; `reason` is a Said as JSON. */
export interface TransferDecisionRow {
  id: number;
  domain_id: number;
  target_id: number | null;
  decision: 'started' | 'declined';
  reason: string;
  operation_id: number | null;
  created_at: string;
}

/** The transfer_stops table: periods without automatic transfers. `blocked` of `total` names turned blocked at once; both 0 if the list is the cause. */
export interface TransferStopRow {
  id: number;
  cause: 'list' | 'held' | 'wave';
  blocked: number;
  total: number;
  created_at: string;
  ended_at: string | null;
}

/** A decision as every door shows it, with its reason in words. */
export interface DecisionView {
  id: number;
  domain_id: number;
  domain_name: string;
  unicode_name: string;
  project_id: number | null;
  project_name: string | null;
  target_id: number | null;
  target_name: string | null;
  decision: TransferDecisionRow['decision'];
  reason: string;
  operation_id: number | null;
  created_at: string;
}

/** A request for a project; `plan` is the hash that was shown: if the plan differs now, nothing is done. */
export const AutoTransferInput = z.object({
  project: Id,
  use_last_reserve: z.boolean().optional(),
  plan: z.string().max(100).optional(),
});
export type AutoTransferInput = z.infer<typeof AutoTransferInput>;

/** Decisions about each blocked main domain of a project; `code` is the reason for programs. */
export interface AutoTransferPlan {
  plan: string;
  items: {
    domain: string;
    target: string | null;
    decision: 'started' | 'declined' | 'waiting';
    reason: string;
    code: string;
  }[];
}
