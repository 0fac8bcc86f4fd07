/** One entry of the log: an SFTP operation or a login. `size` is the number of bytes to read or write. */
export interface SshEntry {
  operation: string;
  /** The path as requested; for a login the user. */
  path: string;
  /** The target of a rename or a link. */
  target?: string;
  size?: number;
  outcome: 'done' | 'failed' | 'cut';
}

/**
 * Kinds of fault. `cut-before` and `act-then-cut` end the connection without an answer, `denied` and `failure` do nothing,
 * `malformed` does the work and answers rubbish, `act-then-hang` does it and never answers. A login can be cut or denied.
 */
export type SshFaultKind = 'cut-before' | 'act-then-cut' | 'denied' | 'failure' | 'malformed' | 'act-then-hang';

/** A fault and the operations that it affects: all but logins, unless limited by `operation` or `under`. */
export interface SshFault {
  kind: SshFaultKind;
  /** As in the log. */
  operation?: string;
  /** Only this path, and all paths under it. */
  under?: string;
  /** So many matching operations succeed before it. */
  after?: number;
  /** So many bytes are written before it. */
  afterBytes?: number;
  /** Default 1. */
  times?: number;
}

const isUnder = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

function meets({ operation, under }: SshFault, entry: SshEntry): boolean {
  if (operation === undefined ? entry.operation === 'login' : operation !== entry.operation) return false;
  if (under === undefined) return true;
  return isUnder(entry.path, under) || (entry.target !== undefined && isUnder(entry.target, under));
}

/** Returns the kind of the first fault that is due for an operation and counts down its `times`; removes it after the last. */
export function takeSshFault(faults: SshFault[], entry: SshEntry): SshFaultKind | undefined {
  for (const fault of faults.filter((fault) => meets(fault, entry))) {
    if (fault.after !== undefined && fault.after > 0) {
      fault.after -= 1;
      continue;
    }
    if (fault.afterBytes !== undefined && fault.afterBytes > 0) {
      fault.afterBytes -= entry.operation === 'write' ? (entry.size ?? 0) : 0;
      continue;
    }
    fault.times = (fault.times ?? 1) - 1;
    if (fault.times <= 0) faults.splice(faults.indexOf(fault), 1);
    return fault.kind;
  }
  return undefined;
}
