/** The time of a frozen demo, so that pictures and tests made years apart agree. */
export const FROZEN_NOW = new Date('2026-11-20T06:30:00Z');

/**
 * Moves this process's clock permanently: `Date` continues from the given moment. It is not stopped, because leases and
 * limits depend on it. SQLite and timers are not affected.
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
