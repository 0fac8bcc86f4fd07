import { setTimeout as sleep } from 'node:timers/promises';
import { isBusy, isStorageTrouble } from '../lib/database-trouble.ts';
import { redact } from '../lib/redact.ts';
import { noteStorage } from '../lib/waits.ts';
import { ProviderError, type ProviderErrorKind, type RefusalReason } from '../providers/provider-error.ts';
import { AppError, type ErrorKind } from '../shared/errors.ts';
import type { Key, Message } from '../shared/i18n/index.ts';

const ANSWERS: Record<ProviderErrorKind, [ErrorKind, Key]> = {
  credentials: ['refused', 'provider.credentials'],
  rate_limited: ['too_many', 'provider.rate_limited'],
  unavailable: ['upstream', 'provider.unavailable'],
  malformed: ['upstream', 'provider.malformed'],
  refused: ['refused', 'provider.refused'],
  untrusted: ['refused', 'provider.untrusted'],
};

// Provider error codes with a message of their own, because the user can act on them.
const WORDS: Record<string, Key> = {
  login_refused: 'ssh.login_refused',
  key_encrypted: 'ssh.key_encrypted',
  key_unreadable: 'ssh.key_unreadable',
  no_sftp: 'ssh.no_sftp',
  no_algorithm: 'ssh.no_algorithm',
  not_ssh: 'ssh.not_ssh',
};

// As WORDS, by the reason of a refusal.
const REASONS: Partial<Record<RefusalReason, Key>> = { locked: 'provider.locked', absent: 'provider.absent' };

export { isStorageTrouble };

const STORAGE_PAUSE_MS = 500;
// More than the 1.5 s after which a waiting write notes itself.
const NOTED_MS = 2_000;

/** Notes for `ms` and two seconds more that work waits for our own storage: its queue is full, its lock held or its disk in trouble. */
export function noteTrouble(error: unknown, ms: number): void {
  const { key } = error as { key?: Key };
  const isLock = key === 'error.database' || isBusy(error);
  const why = key === 'error.queue_full' ? 'queue' : isLock ? 'lock' : 'disk';
  // Outlives the pause, so that the note stays until the next try can renew it.
  setTimeout(noteStorage({ key: `operation.waits_${why}` }), ms + NOTED_MS).unref();
}

/**
 * Retries `work` without limit while our own database cannot be written: its lock is held, its queue or the disk is full.
 * Rethrows such an error once `signal` has fired, and any other error at once.
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

/** Turns a ProviderError into the AppError for the caller, with the service's own text redacted. Returns any other error unchanged. */
export function asAppError(error: unknown): unknown {
  if (!(error instanceof ProviderError)) return error;
  const [kind, key] = ANSWERS[error.kind];
  const { reason, domain } = error;
  const details = { code: `provider_${error.kind}`, cause: error };
  return new AppError(
    kind,
    error.forbidden ? 'provider.forbidden' : (WORDS[String(error.code)] ?? (reason && REASONS[reason]) ?? key),
    // The service may repeat our key in its text: it must be neither stored nor shown.
    { message: redact(error.message), ...(domain !== undefined && { domain }) },
    error.retryAfter ? { ...details, retryAfter: error.retryAfter } : details,
  );
}

/** Returns the message that an item stores for a failure; null for an unexpected error, which is a bug and no item's failure. */
export function messageFor(error: unknown): Message | null {
  const known = asAppError(error);
  return known instanceof AppError ? { key: known.key, params: known.params } : null;
}
