/** How urgent a notice is, the most urgent first. */
export const LEVELS = ['critical', 'warning', 'info'] as const;
export type Level = (typeof LEVELS)[number];

/** The kinds of events, with the level of each. */
export const EVENT_LEVELS = {
  domain_blocked: 'critical',
  domain_unblocked: 'info',
  domain_down: 'critical',
  domain_up: 'info',
  domain_renamed: 'info',
  name_ends: 'warning',
  name_ended: 'critical',
  certificate_ends: 'warning',
  transfer_done: 'info',
  transfer_waits: 'critical',
  transfer_failed: 'critical',
  transfer_over: 'info',
  reserve_bought: 'info',
  purchase_failed: 'warning',
  purchase_unknown: 'critical',
  cap_reached: 'warning',
  no_reserve: 'warning',
  reserve_ready: 'info',
  account_refused: 'critical',
  account_empty: 'critical',
  balance_low: 'warning',
  list_stale: 'warning',
  list_doubted: 'critical',
  operation_failed: 'warning',
  operation_partial: 'warning',
  operation_attention: 'critical',
  job_failed: 'warning',
  new_network: 'warning',
  telegram_changed: 'warning',
  email_changed: 'warning',
} as const satisfies Record<string, Level>;
export type EventKind = keyof typeof EVENT_LEVELS;

/** The kinds whose state lasts, and the kinds that end it. All others are over when they are told. */
export const ENDED_BY = {
  domain_blocked: ['domain_unblocked'],
  domain_down: ['domain_up'],
  no_reserve: ['reserve_ready'],
  transfer_failed: ['transfer_over', 'domain_unblocked'],
} as const satisfies Partial<Record<EventKind, readonly EventKind[]>>;
export type StateKind = keyof typeof ENDED_BY;
/** The kinds that make no notice of their own. */
export type UntoldKind = 'domain_up' | 'reserve_ready' | 'domain_renamed' | 'transfer_over';

/**
 * Something that happened. `name` is what people call its subject: a domain, an account, a job. `domain_id` and `project_id` say whose it
 * is; an event with a `user_id` alone is that person's own, and one with none of them is for administrators. `cause` is the common cause where
 * it is known (`list:<version>`, `operation:12`). `params` are numbers and names for the text, never a message of an outside service.
 */
export interface NewEvent {
  kind: EventKind;
  name: string;
  level?: Level;
  domain_id?: number | null;
  project_id?: number | null;
  user_id?: number | null;
  cause?: string;
  params?: Record<string, string | number>;
}
