/** When an order whose end is open is looked up: soon at first, then ever more rarely, for three days. */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

// After the order was sent.
const LOOKS_MS = [
  10_000,
  30_000,
  MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  HOUR_MS,
  6 * HOUR_MS,
  24 * HOUR_MS,
  72 * HOUR_MS,
] as const;

/** How long an order is looked up; then it waits for a person. */
export const LOOKED_UP_MS = LOOKS_MS.at(-1) ?? 0;

/** Two lists without a name prove something if so long lies between them. */
export const APART_MS = 30 * MINUTE_MS;

const after = (time: string, ms: number): string => new Date(Date.parse(time) + ms).toISOString();

/** Returns when an order that was sent at a time is looked up first. */
export const firstLook = (sentAt: string): string => after(sentAt, LOOKS_MS[0]);

/**
 * Returns when an order is looked up after the look that is made now; null: it waits for a person. An order whose times have passed,
 * because no process ran, is still looked up every hour, as often as it would have been.
 */
export function nextLook(sentAt: string, looks: number): string | null {
  const now = Date.now();
  const next = LOOKS_MS.map((ms) => Date.parse(sentAt) + ms).find((time) => time > now);
  if (next !== undefined) return new Date(next).toISOString();
  return looks + 1 < LOOKS_MS.length ? new Date(now + HOUR_MS).toISOString() : null;
}
