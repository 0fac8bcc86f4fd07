const BEAT_MS = 20;
// A beat is later than this only if the process was kept from running.
const LATE_MS = 30;

/** A clock in milliseconds that stops while this process cannot run. */
export interface Clock {
  now(): number;
  /** Each alarm rings once, at most a beat after its moment, and is removed from the set. */
  alarms: Set<Alarm>;
  stop(): void;
}

/** `ring` is called when the clock has reached the moment, which may be changed until then. */
export interface Alarm {
  moment: number;
  ring(): void;
}

/**
 * Starts a clock for timeouts that leaves out the time in which this process could not run: a busy machine, other work of the
 * server, a sleeping laptop. A check then takes longer, but a local delay is not taken for a dead host.
 */
export function startClock(): Clock {
  let last = performance.now();
  let stalled = 0;
  const alarms = new Set<Alarm>();
  // Applied between two beats, too: a clock that is corrected only at beats would go back.
  const late = (now: number): number => Math.max(now - last - LATE_MS, 0);
  const ringUntil = (moment: number): void => {
    for (const alarm of alarms) {
      if (alarm.moment <= moment && alarms.delete(alarm)) alarm.ring();
    }
  };
  const timer = setInterval(() => {
    const now = performance.now();
    stalled += late(now);
    last = now;
    // Timers run before input, setImmediate after it: input that arrived before this beat is read first, and may delete or
    // move its alarm.
    setImmediate(ringUntil, now - stalled);
  }, BEAT_MS);
  const tell = (): number => {
    const now = performance.now();
    return now - stalled - late(now);
  };
  return { now: tell, alarms, stop: () => clearInterval(timer) };
}
