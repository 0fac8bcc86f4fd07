import { id, integer, json, machine, optional, reference, table, text, time, type Row } from '../table.ts';
import type { TransferAction } from './transfers.ts';

/**
 * The transfer_history table: a row for each main domain that was replaced. The names are those at that time; `gone_…` are the ids
 * of domains that were purged since, under which their positions stay.
 */
export const transferHistory = table('transfer_history', machine('a log itself: what transfers have done'), {
  id: id(),
  project_id: optional(reference('projects', 'SET NULL')),
  main_domain_id: optional(reference('domains', 'SET NULL')),
  transfer_domain_id: optional(reference('domains', 'SET NULL')),
  main_domain_name: text(),
  transfer_domain_name: text(),
  action: text<TransferAction>(),
  operation_id: optional(reference('operations', 'SET NULL')),
  created_at: time(),
  /** Whether the redirect was seen from outside; null while it is checked, and in rows of earlier versions. */
  outcome: optional(text<'done' | 'done_with_warning'>()),
  /** Advice about a redirect that was not seen: a Message as JSON. */
  warning: optional(json()),
  redirect_seen_at: optional(time()),
  gone_main_id: optional(integer()),
  gone_transfer_id: optional(integer()),
});
export type TransferHistoryRow = Row<typeof transferHistory>;

/** The transfer_decisions table: a row for each change of the automatic decision about a domain; `reason` is a Message as JSON. */
export const transferDecisions = table(
  'transfer_decisions',
  machine('a log itself: what was decided about automatic transfers'),
  {
    id: id(),
    domain_id: reference('domains', 'CASCADE'),
    target_id: optional(reference('domains', 'SET NULL')),
    decision: text<'started' | 'declined'>(),
    reason: json(),
    operation_id: optional(reference('operations', 'SET NULL')),
    created_at: time(),
  },
);
export type TransferDecisionRow = Row<typeof transferDecisions>;

/** The transfer_stops table: periods without automatic transfers. `blocked` of `total` names turned blocked at once; both 0 if the list is the cause. */
export const transferStops = table('transfer_stops', machine('a log itself: when automatic transfers stood still'), {
  id: id(),
  cause: text<'list' | 'held' | 'wave'>(),
  blocked: integer(),
  total: integer(),
  created_at: time(),
  ended_at: optional(time()),
});
export type TransferStopRow = Row<typeof transferStops>;
