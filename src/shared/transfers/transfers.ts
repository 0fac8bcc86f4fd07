import { z } from 'zod';
import type { TransferDecisionRow } from './tables.ts';
import { Id } from '../text.ts';

/** Origin of a transfer: a person asked for this pair, or the reserve was picked. */
export const TRANSFER_ACTIONS = ['explicit', 'auto'] as const;
export type TransferAction = (typeof TRANSFER_ACTIONS)[number];

/** A decision as every door shows it; `Text` is Message in services and text at the doors. */
export interface DecisionView<Text = string> {
  id: number;
  domain_id: number;
  domain_name: string;
  unicode_name: string;
  project_id: number | null;
  project_name: string | null;
  target_id: number | null;
  target_name: string | null;
  decision: TransferDecisionRow['decision'];
  reason: Text;
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
