const BEAT_MS = 20;
// A beat may come later than this only where the process was kept from running.
const LATE_MS = 30;

/** Milliseconds that pass only while this process gets to run. */
export interface Clock {
  now(): number;
  stop(): void;
}

/**
 * A clock for time-outs that leaves out the time in which this process was kept from running: a busy machine, other
 * work of the server, a laptop asleep. A check then takes longer, but no host is called dead for what happened here.
 */
export function startClock(): Clock {
  let last = performance.now();
  let stalled = 0;
  // Between two beats as well: a clock that is corrected at the beat only would go back.
  const late = (now: number): number => Math.max(now - last - LATE_MS, 0);
  const timer = setInterval(() => {
    const now = performance.now();
    stalled += late(now);
    last = now;
  }, BEAT_MS);
  const tell = (): number => {
    const now = performance.now();
    return now - stalled - late(now);
  };
  return { now: tell, stop: () => clearInterval(timer) };
}

/** Rings once when the clock reaches the moment it was last set to. */
export function alarm(clock: Clock, ring: () => void): { set(moment: number): void; clear(): void } {
  let timer: NodeJS.Timeout | undefined;
  let moment = 0;
  const wait = () => {
    const own = setTimeout(() => {
      // Timers run ahead of input and setImmediate after it: what arrived while the process was busy is read first, and
      // may clear the alarm or set it anew.
      setImmediate(() => {
        if (timer !== own) return;
        if (moment - clock.now() > 1) wait();
        else ring();
      });
    }, moment - clock.now());
    timer = own;
  };
  const set = (next: number) => {
    // A timer that runs out before finds the later moment.
    const isCovered = timer !== undefined && next >= moment;
    moment = next;
    if (isCovered) return;
    clearTimeout(timer);
    wait();
  };
  const clear = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  return { set, clear };
}
