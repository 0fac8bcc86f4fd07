/** The day of a frozen demo: pictures and tests made years apart agree. */
export const FROZEN_NOW = new Date('2026-11-20T06:30:00Z');

/**
 * Sets this process's clock, for good: `Date` goes on from the given moment. It is moved, not stopped, because leases and
 * limits wait for it. SQLite and the timers keep their own.
 */
export function setClock(moment: Date): void {
  const Real = Date;
  const offset = moment.getTime() - Real.now();
  globalThis.Date = new Proxy(Real, {
    construct: (target, args: unknown[], self) =>
      Reflect.construct(target, args.length === 0 ? [target.now() + offset] : args, self) as object,
    get: (target, name) => (name === 'now' ? () => target.now() + offset : (Reflect.get(target, name) as unknown)),
  });
}
