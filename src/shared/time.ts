/** A day in milliseconds. */
export const DAY_MS = 86_400_000;

/** Returns the hour and minute of an ISO 8601 time, in its zone. */
export const minuteOf = (time: string): string => time.slice(11, 16);
