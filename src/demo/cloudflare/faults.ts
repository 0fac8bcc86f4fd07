/** One entry of the journal. `login` is the e-mail of who was let in; `status` is 0 where the connection was cut. */
export interface JournalEntry {
  at: string;
  method: string;
  /** From `/zones` on. */
  path: string;
  query: Record<string, string>;
  body: unknown;
  login: string | null;
  status: number;
}

/**
 * What goes wrong. `status`, `429` and `drop-before` do nothing; `act-then-drop`, `malformed` and `delay` do the work
 * first, and then cut the connection, answer rubbish, or answer late.
 */
export type FaultKind =
  | { kind: 'status'; status: number; body?: unknown }
  | { kind: '429'; retryAfter: number }
  | { kind: 'drop-before' }
  | { kind: 'act-then-drop' }
  | { kind: 'delay'; ms: number }
  | { kind: 'malformed' };

/**
 * A fault and the calls that it meets. `call` is `METHOD /path` where `*` stands for one segment of the path and a
 * trailing `/**` for any number; without it, and without `match`, every call. `times`: 1 unless told otherwise.
 */
export type Fault = FaultKind & {
  call?: string;
  match?: (entry: JournalEntry) => boolean;
  times?: number;
};

const patternOf = (call: string): RegExp => {
  const escaped = call.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`);
  const inner = escaped.replaceAll(/\/\*\*$|\*/g, (star) => (star === '*' ? '[^/]+' : '(?:/.*)?'));
  return new RegExp(`^${inner}$`);
};

const meets = ({ call, match }: Fault, entry: JournalEntry): boolean =>
  (call === undefined || patternOf(call).test(`${entry.method} ${entry.path}`)) && (match?.(entry) ?? true);

/** The first fault that meets a call; it has one time less then, and leaves the list after its last. */
export function takeFault(faults: Fault[], entry: JournalEntry): Fault | undefined {
  const fault = faults.find((fault) => meets(fault, entry));
  if (!fault) return undefined;
  fault.times = (fault.times ?? 1) - 1;
  if (fault.times <= 0) faults.splice(faults.indexOf(fault), 1);
  return fault;
}
