import { setTimeout as sleep } from 'node:timers/promises';
import { isStorageTrouble } from '../../db/index.ts';
import { redact } from '../lib/redact.ts';
import { noteStorage } from '../lib/waits.ts';
import { ProviderError, type ProviderErrorKind } from '../providers/provider-error.ts';
import { AppError, type ErrorKind } from '../shared/errors.ts';
import type { Key, Said } from '../shared/i18n/index.ts';

const ANSWERS: Record<ProviderErrorKind, [ErrorKind, Key]> = {
  credentials: ['refused', 'provider.credentials'],
  rate_limited: ['too_many', 'provider.rate_limited'],
  unavailable: ['upstream', 'provider.unavailable'],
  malformed: ['upstream', 'provider.malformed'],
  refused: ['refused', 'provider.refused'],
  untrusted: ['refused', 'provider.untrusted'],
};

// What an adapter can tell apart and a person can do something about: words of their own.
const WORDS: Record<string, Key> = {
  login_refused: 'ssh.login_refused',
  key_encrypted: 'ssh.key_encrypted',
  key_unreadable: 'ssh.key_unreadable',
  no_sftp: 'ssh.no_sftp',
  no_algorithm: 'ssh.no_algorithm',
  not_ssh: 'ssh.not_ssh',
};

export { isStorageTrouble };

const STORAGE_PAUSE_MS = 500;
// Longer than a write waits before its own note.
const NOTED_MS = 2_000;

/** Notes for so long that work waits because our own storage could not do what was asked. */
export function noteTrouble(error: unknown, ms: number): void {
  const { key, code, original } = error as { key?: Key; code?: string; original?: { code?: string } };
  const isLock = key === 'error.database' || (original?.code ?? code) === 'SQLITE_BUSY';
  const why = key === 'error.queue_full' ? 'queue' : isLock ? 'lock' : 'disk';
  // Until the next try has shown whether it is still so.
  setTimeout(noteStorage({ key: `operation.waits_${why}` }), ms + NOTED_MS).unref();
}

/**
 * Tries again, as long as it takes, what our own database keeps from being written: its lock is held, its queue or the disk
 * is full. Throws what `work` throws once `signal` has fired, and any other error at once.
 */
export async function patiently<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isStorageTrouble(error) || signal.aborted) throw error;
      noteTrouble(error, STORAGE_PAUSE_MS);
      await sleep(STORAGE_PAUSE_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** What the caller is told of a failure outside: its kind here, and the service's own words. Anything else as it is. */
export function asAppError(error: unknown): unknown {
  if (!(error instanceof ProviderError)) return error;
  const [kind, key] = ANSWERS[error.kind];
  const details = { code: `provider_${error.kind}`, cause: error };
  return new AppError(
    kind,
    error.forbidden ? 'provider.forbidden' : (WORDS[String(error.code)] ?? key),
    // What is kept and shown must not hold the key that the service repeats.
    { message: redact(error.message) },
    error.retryAfter ? { ...details, retryAfter: error.retryAfter } : details,
  );
}

/** The sentence that an item keeps of what went wrong; null for a bug, which is not an item's failure. */
export function saidOf(error: unknown): Said | null {
  const known = asAppError(error);
  return known instanceof AppError ? { key: known.key, params: known.params } : null;
}
