/** A moment on two clocks: the one stands still while the machine sleeps, the other can be set back. */
export interface Moment {
  running: number;
  wall: number;
}

/** Returns the moment that it is. */
export const moment = (): Moment => ({ running: performance.now(), wall: Date.now() });

/** Returns the age of a moment in ms, by the clock that tells more. */
export const ageOf = ({ running, wall }: Moment): number => Math.max(performance.now() - running, Date.now() - wall);
