/** A day in milliseconds. */
export const DAY_MS = 86_400_000;

/** Returns the hour and minute of an ISO 8601 time, in its zone. */
export const minuteOf = (time: string): string => time.slice(11, 16);

// Making one takes as long as a thousand uses.
const clocks = new Map<string, Intl.DateTimeFormat>();

/** Returns the time of day in a zone of the IANA database, as `23:05`. Throws RangeError for an unknown zone. */
export function clockTime(time: number, zone: string): string {
  let clock = clocks.get(zone);
  if (!clock) {
    clock = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
    clocks.set(zone, clock);
  }
  return clock.format(time);
}

/** Whether a text is the name of a time zone that this runtime knows. */
export function isZone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).format(0) !== '';
  } catch {
    return false;
  }
}
