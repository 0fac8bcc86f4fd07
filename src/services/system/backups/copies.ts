import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { config } from '../../../lib/config.ts';
import { withDraft } from '../../../lib/disk.ts';
import { messageFor } from '../../../operations/failure.ts';
import type { CopyTarget, Sending } from '../../../providers/backups/target.ts';
import { ProviderError } from '../../../providers/provider-error.ts';
import { AppError } from '../../../shared/errors.ts';
import { findInstalled } from '../../access/rows.ts';
import { timeOf } from './files.ts';
import { requireRoom } from './room.ts';
import { outdated, type Keep } from './rotation.ts';
import { sealBackup } from './sealed.ts';
import { noteFailed, noteGood } from './state.ts';
import { targets, type Target } from './targets.ts';

const SUFFIX = '.sealed';

/** Returns what names of this installation's copies begin with: several may share a folder, and none may rotate another's. */
async function ownPrefix(): Promise<string> {
  const made = (await findInstalled('key_check')) ?? '';
  return `seo-admin-${createHash('sha256').update(made).digest('hex').slice(0, 8)}-`;
}

/** Returns the name of a backup's copy at a target. */
const copyName = (prefix: string, backup: string): string => `${backup.replace(/^seo-admin-/, prefix)}${SUFFIX}`;

interface FoundCopy {
  name: string;
  at: Date;
  bytes: number;
}

/** Returns this installation's copies at a target, oldest first. */
export async function listCopies(target: CopyTarget): Promise<FoundCopy[]> {
  const prefix = await ownPrefix();
  const found = (await target.list()).flatMap(({ name, bytes }) => {
    const isOwn = name.startsWith(prefix) && name.endsWith(SUFFIX);
    const at = isOwn ? timeOf(`seo-admin-${name.slice(prefix.length, -SUFFIX.length)}`) : null;
    return at ? [{ name, at, bytes }] : [];
  });
  return found.toSorted((a, b) => a.at.getTime() - b.at.getTime());
}

async function copyTo(target: Target, name: string, sending: Sending, keep: Keep): Promise<void> {
  const opened = await target.open();
  try {
    await opened.put(name, sending);
    // Only now, with a copy that was looked at: the last good one never goes first.
    for (const old of outdated(await listCopies(opened), keep, name)) await opened.remove(old.name);
  } finally {
    await opened.close();
  }
}

/** Returns what to throw where a place has failed: what it has answered as an AppError of `key`, anything else as it is. */
export const failedAt = (
  { kind }: Target,
  error: unknown,
  message: 'backup.copy_failed' | 'backup.copy_unproved' = 'backup.copy_failed',
): unknown => {
  if (!(error instanceof ProviderError)) return error;
  const { key = 'error.internal' } = messageFor(error) ?? {};
  const reason = `${error.kind}: ${error.message}`;
  return new AppError('upstream', message, { target: kind, reason }, { code: key, cause: error });
};

/**
 * Copies a backup of the schedule, sealed, to each place that is configured, and deletes what is outdated there. How each one ended is noted;
 * one that fails keeps no other one waiting, and then the first failure is thrown: AppError `not_configured`, `upstream`, `unavailable`.
 */
export async function copyBackup(file: string, keep: Keep): Promise<void> {
  const wanted = targets();
  if (wanted.length === 0) return;
  const failures: unknown[] = [];
  const failing = async (target: Target, error: unknown): Promise<void> => {
    const failure = failedAt(target, error);
    failures.push(failure);
    await noteFailed(`copy ${target.kind}`, messageFor(failure) ?? { key: 'schedule.crashed' });
  };
  await withDraft(`${file}${SUFFIX}`, async (sealed) => {
    const sending = await seal(file, sealed).catch(async (error: unknown) => {
      for (const target of wanted) await failing(target, error);
      throw error;
    });
    const name = copyName(await ownPrefix(), basename(file));
    for (const target of wanted) {
      await copyTo(target, name, sending, keep).then(
        () => noteGood(`copy ${target.kind}`, name),
        (error: unknown) => failing(target, error),
      );
    }
  });
  if (failures.length > 0) throw failures[0];
}

async function seal(file: string, sealed: string): Promise<Sending> {
  const { backupPassphrase, keyFile } = config();
  if (backupPassphrase === undefined) throw new AppError('not_configured', 'backup.copy_unsealed');
  await requireRoom(dirname(file), (await stat(file)).size);
  return { path: sealed, ...(await sealBackup(file, sealed, keyFile, backupPassphrase)) };
}
