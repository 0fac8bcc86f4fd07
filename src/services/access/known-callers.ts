import { commitCount } from '../../../db/index.ts';

// Cached for less than a second, because another process may end the session. Any commit of this process makes it stale
// at once.
const KNOWN_MS = 800;
const MAX_KNOWN = 5000;

interface Known<Caller> {
  key: Buffer | null;
  caller: Caller;
  commits: number;
  readAt: number;
  expires: number;
}

/** The callers that were read from the database within the last moment, by what they signed in with. */
export class KnownCallers<Caller> {
  private readonly known = new Map<string, Known<Caller>>();

  /** Returns the caller of a token; undefined: the database has to be asked. */
  find(token: string, key: Buffer | null = null): Caller | undefined {
    const found = this.known.get(token);
    if (!found) return undefined;
    const holds = found.key === key && found.commits === commitCount() && Date.now() < found.expires;
    if (holds && performance.now() - found.readAt < KNOWN_MS) return found.caller;
    this.known.delete(token);
    return undefined;
  }

  /** Reads a caller and keeps it; `read` returns also the time in ms at which the token expires. */
  async read(
    token: string,
    read: () => Promise<{ caller: Caller; expires: number }>,
    key: Buffer | null = null,
  ): Promise<Caller> {
    // Taken before the read: a commit meanwhile makes the result stale.
    const [commits, readAt] = [commitCount(), performance.now()];
    const { caller, expires } = await read();
    if (this.known.size >= MAX_KNOWN) this.known.clear();
    this.known.set(token, { key, caller, commits, readAt, expires });
    return caller;
  }
}
