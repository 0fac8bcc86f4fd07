const BEAT_MS = 20;

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
  const timer = setInterval(() => {
    const now = performance.now();
    if (now - last > 2 * BEAT_MS) stalled += now - last - BEAT_MS;
    last = now;
  }, BEAT_MS);
  return { now: () => performance.now() - stalled, stop: () => clearInterval(timer) };
}

/** Rings once when the clock reaches the moment it was last set to. */
export function alarm(clock: Clock, ring: () => void): { set(moment: number): void; clear(): void } {
  let timer: NodeJS.Timeout | undefined;
  const set = (moment: number) => {
    clearTimeout(timer);
    const own = setTimeout(() => {
      // Timers run ahead of input and setImmediate after it: what arrived while the process was busy is read first, and
      // may clear the alarm or set it anew.
      setImmediate(() => {
        if (timer !== own) return;
        if (moment - clock.now() > 1) set(moment);
        else ring();
      });
    }, moment - clock.now());
    timer = own;
  };
  const clear = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  return { set, clear };
}
