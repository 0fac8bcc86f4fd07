import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { config } from '../../../lib/config.ts';
import type { Message } from '../../../shared/i18n/index.ts';
import type { BackupPart, BackupRow } from '../../../shared/system/backups.ts';
import { SYSTEM } from '../../access/scope.ts';
import { readRules } from '../schedules.ts';
import { readBackups } from './overview.ts';

/** A finding of `doctor` about the backups. */
export interface BackupFinding {
  check: string;
  status: 'ok' | 'warn' | 'fail';
  said: Message;
}

const PROGRAM = 'pg_dump';

const CHECKS: Record<BackupPart, string> = {
  backup: 'backup',
  drill: 'drill',
  folder: 'copy_folder',
  sftp: 'copy_sftp',
  s3: 'copy_s3',
};

const keyOf = (part: BackupPart): 'backup' | 'drill' | 'copy' =>
  part === 'backup' || part === 'drill' ? part : 'copy';

function findingOf({ part, state, good_at, message }: BackupRow): BackupFinding {
  const check = CHECKS[part];
  const at = good_at ?? '';
  if (state === 'failed') return { check, status: 'fail', said: message ?? { key: 'schedule.crashed' } };
  if (state === 'never') return { check, status: 'warn', said: { key: `doctor.${keyOf(part)}_never` } };
  if (state === 'late') return { check, status: 'warn', said: { key: `doctor.${keyOf(part)}_late`, params: { at } } };
  return { check, status: 'ok', said: { key: 'doctor.ok', params: { what: at } } };
}

/** Whether PostgreSQL's own programs are installed: without them no backup of a server is made. */
async function examineTool(): Promise<BackupFinding[]> {
  if (config().databaseUrl === undefined) return [];
  const child = spawn(PROGRAM, ['--version'], { env: { PATH: process.env['PATH'] }, stdio: 'ignore' });
  const isThere = await Promise.race([
    once(child, 'close').then(([code]) => code === 0),
    once(child, 'error').then(() => false),
  ]).catch(() => false);
  const missing: Message = { key: 'backup.no_tool', params: { tool: PROGRAM } };
  const found: Message = { key: 'doctor.ok', params: { what: '' } };
  return [{ check: PROGRAM, status: isThere ? 'ok' : 'warn', said: isThere ? found : missing }];
}

/**
 * Returns how the backups stand: the newest one, its copies, what was last restored of each. A backup, a drill or a copy that fails is `fail`; what is late,
 * off or was never made is `warn`. Needs the open database, and asks no place: what they have answered last is noted.
 */
export async function examineBackups(): Promise<BackupFinding[]> {
  const { rules } = await readRules();
  const isOff = (part: BackupPart): boolean =>
    (part === 'backup' || part === 'drill') && rules.get(part)?.active === false;
  const { rows } = await readBackups(SYSTEM);
  const hasBackup = rows.some(({ part, good_at }) => part === 'backup' && good_at !== null);
  const findings = rows
    // Before the first backup there is nothing to be proved.
    .filter(({ part, state }) => hasBackup || part === 'backup' || state === 'failed')
    .map((row): BackupFinding => {
      if (!isOff(row.part) || row.state === 'failed') return findingOf(row);
      const key = row.part === 'backup' ? 'backups.off_backup' : 'backups.off_drill';
      return { check: CHECKS[row.part], status: 'warn', said: { key } };
    });
  const hasCopies = rows.some(({ part }) => keyOf(part) === 'copy');
  const none: BackupFinding = { check: 'copies', status: 'warn', said: { key: 'backups.no_copies' } };
  return [
    ...findings.toSorted((a, b) => a.check.localeCompare(b.check)),
    ...(hasCopies ? [] : [none]),
    ...(await examineTool()),
  ];
}
