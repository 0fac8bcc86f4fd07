const BEAT_MS = 20;
// A beat may come later than this only where the process was kept from running.
const LATE_MS = 30;

/** Milliseconds that pass only while this process gets to run. */
export interface Clock {
  now(): number;
  /** Each rings once, at most a beat after its moment, and is out of the set then. */
  alarms: Set<Alarm>;
  stop(): void;
}

/** `ring` is called when the clock has reached the moment, which may be changed until then. */
export interface Alarm {
  moment: number;
  ring(): void;
}

/**
 * A clock for time-outs that leaves out the time in which this process was kept from running: a busy machine, other
 * work of the server, a laptop asleep. A check then takes longer, but no host is called dead for what happened here.
 */
export function startClock(): Clock {
  let last = performance.now();
  let stalled = 0;
  const alarms = new Set<Alarm>();
  // Between two beats as well: a clock that is corrected at the beat only would go back.
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
    // Timers run ahead of input and setImmediate after it: input that arrived before this beat is read first, and may
    // take its alarm away or move it.
    setImmediate(ringUntil, now - stalled);
  }, BEAT_MS);
  const tell = (): number => {
    const now = performance.now();
    return now - stalled - late(now);
  };
  return { now: tell, alarms, stop: () => clearInterval(timer) };
}
