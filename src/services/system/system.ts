import { setTimeout as sleep } from 'node:timers/promises';
import { databaseFileExists, tryWriter } from '../../../db/index.ts';
import { writerWaitsMs } from '../../../db/waiting/turns.ts';
import { config } from '../../lib/config.ts';
import { probeWrite } from '../../lib/disk.ts';
import { AppError } from '../../shared/errors.ts';
import { forClient } from '../access/calls.ts';
import { hasNoUsers } from '../access/users.ts';
import { readCheckRounds, type CheckRounds } from './lateness.ts';

// Health requests may come often.
const PROBED_FOR_MS = 5_000;
let probe: { dir: string; at: number; result: Promise<void> } | undefined;

/** Throws AppError `unavailable` while the data directory takes no write; tested every five seconds at most. */
export function checkDisk(): Promise<void> {
  const { dataDir } = config();
  const now = performance.now();
  if (probe?.dir !== dataDir || now - probe.at > PROBED_FOR_MS) {
    const result = probeWrite(dataDir).catch((cause: unknown) => {
      if (cause instanceof AppError) throw cause;
      throw new AppError('unavailable', 'error.database', {}, { cause });
    });
    probe = { dir: dataDir, at: now, result };
  }
  return probe.result;
}

// A large import or a migration holds the lock for a moment.
const STUCK_MS = 3_000;
const TRY_WAIT_MS = 500;
const RETRY_AFTER_S = 5;
let trying: Promise<void> | undefined;

/**
 * Throws AppError `unavailable` once no write has gone through for some seconds, because another process keeps the database locked.
 * Tries for itself, because nobody else may have tried to write; a try that has to wait goes on, and the next call sees its end.
 */
export async function checkWrites(): Promise<void> {
  trying ??= tryWriter()
    .catch(() => undefined)
    .finally(() => (trying = undefined));
  const late = new AbortController();
  const patience = sleep(TRY_WAIT_MS, undefined, { ref: false, signal: late.signal }).catch(() => undefined);
  await Promise.race([trying, patience]);
  late.abort();
  const waits = writerWaitsMs();
  if (waits < STUCK_MS) return;
  const n = Math.floor(waits / 1000);
  throw new AppError('unavailable', 'error.no_writes', { n }, { code: 'database_locked', retryAfter: RETRY_AFTER_S });
}

/** Returns how the rounds of checks stand. Throws `unavailable` while the database does not answer. */
export async function checkRounds(): Promise<CheckRounds> {
  try {
    return await readCheckRounds();
  } catch (cause) {
    throw new AppError('unavailable', 'error.database', {}, { cause });
  }
}

/** Whether there are no users yet. Throws `unavailable` while the database does not answer or its file is gone. */
export async function pingDatabase(): Promise<boolean> {
  try {
    const empty = await hasNoUsers();
    if (databaseFileExists()) return empty;
  } catch (cause) {
    throw new AppError('unavailable', 'error.database', {}, { cause });
  }
  throw new AppError('unavailable', 'error.database');
}

const READY_MS = 2_000;

/** Throws AppError `unavailable` unless the database answers within two seconds and is the one that was opened. */
export async function requireReady(): Promise<void> {
  const late = new AbortController();
  const silence = sleep(READY_MS, undefined, { ref: false, signal: late.signal }).then(() => {
    throw new AppError('unavailable', 'error.database');
  });
  try {
    await Promise.race([forClient({ urgent: true }, pingDatabase), silence]);
  } finally {
    late.abort();
    silence.catch(() => undefined);
  }
}
