import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../shared/errors.ts';

/**
 * The failures of a database, whichever it is: its lock is held, the connection to it is lost, its disk is full or fails, it
 * cannot be opened for writing, it is damaged, or a row breaks a constraint.
 */
export type Trouble = 'busy' | 'lost' | 'full' | 'failing' | 'unopened' | 'damaged' | 'constraint';

const CODES: Record<string, Trouble> = {
  SQLITE_BUSY: 'busy',
  SQLITE_FULL: 'full',
  SQLITE_IOERR: 'failing',
  SQLITE_CANTOPEN: 'unopened',
  SQLITE_READONLY: 'unopened',
  SQLITE_CORRUPT: 'damaged',
  SQLITE_NOTADB: 'damaged',
  SQLITE_CONSTRAINT: 'constraint',
  // PostgreSQL: lock_not_available, serialization_failure, deadlock_detected, too_many_connections.
  '55P03': 'busy',
  '40001': 'busy',
  '40P01': 'busy',
  '53300': 'busy',
  // query_canceled (statement_timeout), out_of_memory, io_error.
  '57014': 'failing',
  '53200': 'failing',
  '58030': 'failing',
  '53100': 'full',
  // read_only_sql_transaction, insufficient_privilege.
  '25006': 'unopened',
  '42501': 'unopened',
  XX001: 'damaged',
  XX002: 'damaged',
};

// Classes of PostgreSQL's codes, whose last letters say which kind.
const CLASSES: [RegExp, Trouble][] = [
  [/^08...$/, 'lost'],
  // The server or this connection was shut down, crashed, or is starting.
  [/^57P0.$/, 'lost'],
  [/^25P03$/, 'lost'],
  [/^28...$/, 'unopened'],
  [/^3D000$/, 'unopened'],
  [/^23...$/, 'constraint'],
];

/** Returns which failure of a database an error of its driver is; undefined: none of them. */
export function troubleOf(error: unknown): Trouble | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code !== 'string') return undefined;
  return CODES[code] ?? CLASSES.find(([pattern]) => pattern.test(code))?.[1];
}

/** Whether a transaction could not begin because another process has the lock, or the server is away for a moment. */
export const isBusy = (error: unknown): boolean => ['busy', 'lost'].includes(troubleOf(error) ?? '');

// Errors of `db`: the database does not answer, or too many writes wait.
const TROUBLE_KEYS = new Set(['error.database', 'error.queue_full']);
const PASSING = new Set(['busy', 'lost', 'full', 'failing']);

/** Whether an error is a passing failure of our own storage: nothing was written, and a retry may succeed. */
export function isStorageTrouble(error: unknown): boolean {
  if (error instanceof AppError) return TROUBLE_KEYS.has(error.key);
  return error instanceof Error && PASSING.has(troubleOf(error) ?? '');
}

const AGAIN_MS = 500;

/**
 * Stores the end of a call that must not be made twice: tries again twice a second, whatever the failure, until `until` (milliseconds
 * of the clock), when somebody else may take the call for lost, or `signal`. Rethrows the last failure.
 */
export async function storeEnd<T>(work: () => Promise<T>, until: number, signal?: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (signal?.aborted || Date.now() + AGAIN_MS > until) throw error;
      await sleep(AGAIN_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}
