import { readFile, stat } from 'node:fs/promises';
import { config } from '../../../lib/config.ts';
import { openFolder } from '../../../providers/backups/folder.ts';
import type { CopyTarget } from '../../../providers/backups/target.ts';
import { secretIn } from '../../../shared/accounts/secrets.ts';
import { AppError } from '../../../shared/errors.ts';

/** The kinds of places for copies: an installation has one of each at most. */
export const TARGETS = ['folder', 'sftp', 's3'] as const;
export type TargetKind = (typeof TARGETS)[number];

/** A place for copies: `address` is what people see, without secrets. */
export interface Target {
  kind: TargetKind;
  address: string;
  /** Throws AppError `not_configured` for what the configuration lacks, and ProviderError. */
  open: () => Promise<CopyTarget>;
}

const unset = (kind: TargetKind, name: string): AppError =>
  new AppError('not_configured', 'backup.copy_unset', { target: kind, name });

/** Reads a secret from its file, which only its owner may read. Throws AppError `not_configured`; no error repeats it. */
async function readSecret(kind: TargetKind, path: string | undefined, name: string): Promise<string> {
  if (path === undefined) throw unset(kind, name);
  try {
    const { mode } = await stat(path);
    const isOpen = process.platform !== 'win32' && (mode & 0o077) !== 0;
    if (isOpen) throw new AppError('not_configured', 'backup.secret_open', { path });
    return secretIn(await readFile(path, 'utf8'));
  } catch (error) {
    if (error instanceof AppError) throw error;
    const reason = (error as NodeJS.ErrnoException).code ?? 'error';
    throw new AppError('not_configured', 'backup.secret_unreadable', { path, reason });
  }
}

async function openOnServer({ url, hostKey, secretFile }: { url: string; hostKey?: string; secretFile?: string }) {
  const { hostname, port, username, pathname } = new URL(url);
  if (hostKey === undefined) throw unset('sftp', 'SEO_ADMIN_BACKUP_SFTP_HOST_KEY');
  const { openSftpTarget } = await import('../../../providers/backups/sftp.ts');
  return openSftpTarget({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || 22),
    user: decodeURIComponent(username),
    secret: await readSecret('sftp', secretFile, 'SEO_ADMIN_BACKUP_SFTP_SECRET_FILE'),
    folder: decodeURIComponent(pathname).replace(/(?<=.)\/+$/, ''),
    hostKey,
  });
}

async function openBucket({ url, region, secretFile }: { url: string; region: string; secretFile?: string }) {
  const text = await readSecret('s3', secretFile, 'SEO_ADMIN_BACKUP_S3_SECRET_FILE');
  const [keyId = '', secret = '', ...more] = text.trim().split(/\s+/);
  if (secret === '' || more.length > 0) {
    throw new AppError('not_configured', 'backup.secret_form', { path: secretFile ?? '' });
  }
  const { openS3 } = await import('../../../providers/backups/s3.ts');
  return openS3({ url, region, keyId, secret });
}

/** Returns the places for copies that are configured. */
export function targets(): Target[] {
  const { folder, sftp, s3 } = config().backupCopies;
  return [
    ...(folder === undefined
      ? []
      : [{ kind: 'folder' as const, address: folder, open: async () => openFolder(folder) }]),
    ...(sftp ? [{ kind: 'sftp' as const, address: sftp.url, open: () => openOnServer(sftp) }] : []),
    ...(s3 ? [{ kind: 's3' as const, address: s3.url, open: () => openBucket(s3) }] : []),
  ];
}
