/**
 * What needs somebody, the weightiest first: a blocked main domain without a reserve that is ready, one that has one, many names behind one cause,
 * a name that does not answer, names that end, a purchase that waits, an operation that waits. Alone in its file: the help of a command loads it.
 */
export const TRIAGE_KINDS = ['no_reserve', 'blocked', 'cause', 'down', 'ends', 'purchase', 'operation'] as const;
export type TriageKind = (typeof TRIAGE_KINDS)[number];

/** What is told of a month. */
export const TRENDS = ['blocked', 'down', 'moved', 'repair'] as const;
export type TrendName = (typeof TRENDS)[number];
