import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { open, readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Contents } from '../../../../db/beside.ts';
import type { Config } from '../../../lib/config.ts';

/** The manifest of a backup, in `.json` beside it: a drill compares the restored database with it. `bytes` and `sha256` are of the file. */
export interface Manifest extends Contents {
  made_at: string;
  /** The version of the program. */
  version: string;
  dialect: 'sqlite' | 'postgres';
  bytes: number;
  sha256: string;
}

/** Returns the path of a backup's digest. It is written last: a backup without it is not whole. */
export const digestFile = (file: string): string => `${file}.sha256`;

/** Returns the path of a backup's manifest. */
export const manifestFile = (file: string): string => `${file}.json`;

/** Returns the path of the key in clear beside a backup of an older version. */
export const keyCopy = (file: string): string => `${file}.key`;

/** Returns the path of the sealed key beside a backup. */
export const sealedCopy = (file: string): string => `${file}.key.sealed`;

/** Returns the paths that a backup writes or removes. */
export const writtenBy = (file: string): string[] => [
  file,
  digestFile(file),
  manifestFile(file),
  keyCopy(file),
  sealedCopy(file),
];

/** Returns the SHA-256 of a file, in hexadecimal. */
export async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file, { highWaterMark: 2 ** 20 })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** Syncs to disk what has to outlast a power failure: a file's bytes, or a folder's entries. */
export async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Returns what a backup says of itself; null for one of an older version, and where that can't be read. */
export async function readManifest(file: string): Promise<Manifest | null> {
  try {
    const read = JSON.parse(await readFile(manifestFile(file), 'utf8')) as Partial<Manifest>;
    return typeof read.counts === 'object' && Array.isArray(read.migrations) ? (read as Manifest) : null;
  } catch {
    return null;
  }
}

const BEGINNINGS = { sqlite: 'SQLite format 3\0', postgres: 'PGDMP' };

/** Returns what database a backup is of, by its first bytes; null for anything else. */
export async function dialectOf(file: string): Promise<Manifest['dialect'] | null> {
  const handle = await open(file, 'r');
  try {
    const start = Buffer.alloc(16);
    await handle.read(start, 0, 16, 0);
    const text = start.toString('latin1');
    const found = Object.entries(BEGINNINGS).find(([, beginning]) => text.startsWith(beginning));
    return (found?.[0] as Manifest['dialect'] | undefined) ?? null;
  } finally {
    await handle.close();
  }
}

/** Returns the folder of the backups that the schedule makes. */
export const backupsFolder = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'backups');

const OURS = /^seo-admin-(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})\.(?:sqlite|dump)$/;

/** Returns the name of a backup that the schedule makes at a time. */
export const nameOf = (now: Date, dialect: Manifest['dialect']): string =>
  `seo-admin-${now.toISOString().slice(0, 19).replaceAll(':', '-')}.${dialect === 'sqlite' ? 'sqlite' : 'dump'}`;

/** Returns when a backup of the schedule was made, by its name; null for a name of anything else. */
export function timeOf(name: string): Date | null {
  const [, day, hour, minute, second] = OURS.exec(name) ?? [];
  const time = new Date(`${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(time.getTime()) ? null : time;
}

/** A backup of the schedule; one that is not `whole` was left by a process that died. */
export interface KeptFile {
  name: string;
  at: Date;
  whole: boolean;
}

/** Returns the backups of the schedule in a folder, oldest first; none where there is no folder. */
export async function listBackups(folder: string): Promise<KeptFile[]> {
  const names = await readdir(folder).catch((): string[] => []);
  return names.toSorted().flatMap((name) => {
    const at = timeOf(name);
    return at ? [{ name, at, whole: existsSync(digestFile(join(folder, name))) }] : [];
  });
}

/** Deletes a backup with what lies beside it. Its digest goes first: from then on it is not whole. */
export async function removeBackup(file: string): Promise<void> {
  for (const path of [digestFile(file), manifestFile(file), sealedCopy(file), file]) await rm(path, { force: true });
}
