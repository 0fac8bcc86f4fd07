import { setTimeout as sleep } from 'node:timers/promises';

/** One entry of the journal. `login` is the e-mail of the authenticated login; `status` is 0 if the connection was cut. */
export interface JournalEntry {
  at: string;
  method: string;
  /** Without the base, such as `/zones`. */
  path: string;
  query: Record<string, string>;
  body: unknown;
  login: string | null;
  status: number;
}

/**
 * Kinds of fault. `status`, `429` and `drop-before` do not perform the call; `act-then-drop`, `malformed`, `delay` and `hold`
 * perform it first, and then cut the connection, answer rubbish, answer late, or answer once `until` has come.
 */
export type FaultKind =
  | { kind: 'status'; status: number; body?: unknown }
  | { kind: '429'; retryAfter: number }
  | { kind: 'drop-before' }
  | { kind: 'act-then-drop' }
  | { kind: 'delay'; ms: number }
  | { kind: 'hold'; until: Promise<void> }
  | { kind: 'malformed' };

/**
 * A fault and the calls that it affects. `call` is `METHOD /path`, where `*` stands for one segment of the path and a
 * trailing `/**` for any number; without it, and without `match`, every call. `times`: 1 by default.
 */
export type Fault = FaultKind & {
  call?: string;
  match?: (entry: JournalEntry) => boolean;
  times?: number;
};

/** Returns a fault whose calls are performed, and are answered once it is released. */
export function hold(): { fault: FaultKind; release: () => void } {
  let release = (): void => undefined;
  const until = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { fault: { kind: 'hold', until }, release };
}

/** Waits until a call that was performed may be answered. */
export async function untilAnswer(fault: Fault | undefined): Promise<void> {
  if (fault?.kind === 'delay') await sleep(fault.ms);
  if (fault?.kind === 'hold') await fault.until;
}

const patternOf = (call: string): RegExp => {
  const escaped = call.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`);
  const inner = escaped.replaceAll(/\/\*\*$|\*/g, (star) => (star === '*' ? '[^/]+' : '(?:/.*)?'));
  return new RegExp(`^${inner}$`);
};

const meets = ({ call, match }: Fault, entry: JournalEntry): boolean =>
  (call === undefined || patternOf(call).test(`${entry.method} ${entry.path}`)) && (match?.(entry) ?? true);

/** Returns the first fault for a call and counts down its `times`; removes it from the list after the last. */
export function takeFault(faults: Fault[], entry: JournalEntry): Fault | undefined {
  const fault = faults.find((fault) => meets(fault, entry));
  if (!fault) return undefined;
  fault.times = (fault.times ?? 1) - 1;
  if (fault.times <= 0) faults.splice(faults.indexOf(fault), 1);
  return fault;
}
