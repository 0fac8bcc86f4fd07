/**
 * Kinds of triage items, the weightiest first: a blocked main domain without a ready reserve, a blocked one with it, many names behind one
 * cause, a name that does not answer, names that end, a purchase that waits, an operation that waits. Alone in its file: the help of a
 * command loads it.
 */
export const TRIAGE_KINDS = ['no_reserve', 'blocked', 'cause', 'down', 'ends', 'purchase', 'operation'] as const;
export type TriageKind = (typeof TRIAGE_KINDS)[number];

/** Trends of the last thirty days; `repair` is the time to repair. */
export const TRENDS = ['blocked', 'down', 'moved', 'repair'] as const;
export type TrendName = (typeof TRENDS)[number];
