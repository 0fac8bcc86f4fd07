import type { EventKind, Level } from './events.ts';

/** The ways in which notices reach people; a webhook reaches a program. */
export const CHANNELS = ['telegram', 'email'] as const;
export type PersonalChannel = (typeof CHANNELS)[number];
export type Channel = PersonalChannel | 'webhook';

/** Occasion of a delivery: its notice is open, has grown, was not acknowledged in time, or is over; or a test of the channel; or another address
 * has replaced this one, to which nothing goes any more. */
export type DeliveryKind = 'opened' | 'grown' | 'escalated' | 'closed' | 'test' | 'replaced';

/**
 * The state of a delivery. `gone`: the address exists no more; `failed`: refused for good; `dropped`: not wanted any more, or not sent
 * within a day; `unknown`: a process died while it sent, and the channel can't tell whether it arrived.
 */
export const DELIVERY_STATES = ['queued', 'sending', 'sent', 'failed', 'gone', 'dropped', 'unknown'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/**
 * A notice as its reader sees it: `subjects` are those that he may see, of which `open_subjects` last; `path` leads to it in the
 * interface.
 */
export interface NoticeView<Text = string> {
  id: number;
  kind: EventKind;
  level: Level;
  title: Text;
  cause: string;
  subjects: number;
  open_subjects: number;
  domain_id: number | null;
  path: string;
  opened_at: string;
  closed_at: string | null;
  acknowledged_at: string | null;
}

/** The subject of a notice as its reader sees it: its name, and where it is in the interface. */
export interface NoticeSubjectView<Text = string> {
  id: number;
  name: Text;
  path: string;
  closed_at: string | null;
}
