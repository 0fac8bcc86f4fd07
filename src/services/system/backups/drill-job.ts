import { config } from '../../../lib/config.ts';
import type { JobOutcome } from '../../../operations/schedule/run.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Message } from '../../../shared/i18n/index.ts';
import { drillCopies } from './copy-drill.ts';
import { notedDrill } from './drill.ts';

/** Proves the newest backup of this machine; skipped where there is none yet. */
async function proveOwn(): Promise<JobOutcome> {
  try {
    const { file, rows } = await notedDrill(undefined, config().backupPassphrase);
    return { result: 'ok', message: { key: 'backup.proved', params: { file, rows } } };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'no_backup') throw error;
    return { result: 'skipped', message: { key: error.key, params: error.params } };
  }
}

/**
 * The weekly drill of the newest backup, and of the newest copy at each place, which is fetched back. A failed drill does not stop the
 * others; afterwards the first failure is thrown, and people are told.
 */
export async function runDrill(): Promise<JobOutcome> {
  const failures: unknown[] = [];
  const own = await proveOwn().catch((error: unknown) => void failures.push(error));
  const proofs = await drillCopies(config().backupPassphrase, (error) => failures.push(error));
  if (failures.length > 0 || !own) throw failures[0];
  if (proofs.length === 0) return own;
  const also: Message[] = [
    { key: 'backup.copies_proved', params: { places: proofs.map(({ place }) => place).join(', ') } },
  ];
  return { result: 'ok', message: { ...(own.message ?? { key: 'backups.part_drill' }), also } };
}
