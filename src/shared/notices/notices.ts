/** The ways in which notices reach people; a webhook reaches a program. */
export const CHANNELS = ['telegram', 'email'] as const;
export type PersonalChannel = (typeof CHANNELS)[number];
export type Channel = PersonalChannel | 'webhook';

/** What a delivery tells of its notice: that it is open, that more has come, that nobody has seen it, that it is over; or a try. */
export type DeliveryKind = 'opened' | 'grown' | 'escalated' | 'closed' | 'test';

/**
 * The state of a delivery. `gone`: the address exists no more; `failed`: refused for good; `dropped`: not wanted any more, or not sent
 * within a day; `unknown`: a process died while it sent, and the channel can't tell whether it arrived.
 */
export type DeliveryState = 'queued' | 'sending' | 'sent' | 'failed' | 'gone' | 'dropped' | 'unknown';
