/** What the server was asked for, one line each: an SFTP operation or a login. `size` is what was read or written. */
export interface SshEntry {
  operation: string;
  /** As it was asked for; of a login, the user. */
  path: string;
  /** Where a rename leads to, or a link. */
  target?: string;
  size?: number;
  outcome: 'done' | 'failed' | 'cut';
}

/**
 * What goes wrong. `cut-before` and `act-then-cut` end the connection without an answer, `denied` and `failure` do nothing,
 * `malformed` does the work and answers rubbish, `act-then-hang` does it and never answers. A login can be cut or denied.
 */
export type SshFaultKind = 'cut-before' | 'act-then-cut' | 'denied' | 'failure' | 'malformed' | 'act-then-hang';

/** A fault and what it meets: every operation but logins, unless `operation` or `under` says less. */
export interface SshFault {
  kind: SshFaultKind;
  /** As in the log. */
  operation?: string;
  /** The path, and all that lies under it. */
  under?: string;
  /** So many operations that it would meet go well before. */
  after?: number;
  /** So many bytes are written well before. */
  afterBytes?: number;
  /** 1 unless told otherwise. */
  times?: number;
}

const isUnder = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

function meets({ operation, under }: SshFault, entry: SshEntry): boolean {
  if (operation === undefined ? entry.operation === 'login' : operation !== entry.operation) return false;
  if (under === undefined) return true;
  return isUnder(entry.path, under) || (entry.target !== undefined && isUnder(entry.target, under));
}

/** The first fault that is due for an operation; it has one time less then, and leaves the list after its last. */
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
