// Of `node:crypto`: the global object would load the Web Crypto API as well.
import { randomUUID } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { open, readdir, readlink, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { AppError } from '../shared/errors.ts';
import { isAlive, pidSpace, touch } from './lock-file.ts';

// About the size of a small transaction.
const PROBE_BYTES = 16 * 1024;

const NO_ROOM = new Set(['ENOSPC', 'EDQUOT']);

/** Returns the AppError `unavailable` of a full disk. */
export const storageFull = (cause: unknown): AppError =>
  new AppError('unavailable', 'error.storage_full', {}, { retryAfter: 30, code: 'storage_full', cause });

/** Returns `storageFull` for a write that failed, itself or by its cause, as the disk is full; null for any other error. */
export function fullDisk(cause: unknown): AppError | null {
  const { code = '', cause: inner } = cause as NodeJS.ErrnoException;
  if (!NO_ROOM.has(code) && !NO_ROOM.has((inner as NodeJS.ErrnoException | undefined)?.code ?? '')) return null;
  return storageFull(cause);
}

/** Writes, syncs and removes a small file in `dir`. Throws AppError `unavailable` if the disk is full; rethrows other errors. */
export async function probeWrite(dir: string): Promise<void> {
  const path = join(dir, `.probe.${process.pid}.${randomUUID()}`);
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(Buffer.alloc(PROBE_BYTES, 1));
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (cause) {
    throw fullDisk(cause) ?? cause;
  } finally {
    await rm(path, { force: true });
  }
}

// A draft is judged by the time of its last change, because the number of a process tells nothing to another machine or container that shares
// the folder; only within one space of numbers it shows at once that the writer is dead. Clocks may differ.
const TOUCHED_MS = 10_000;
const SILENT_MS = 180_000;
// Former versions named drafts by the number alone and did not touch them.
const SILENT_FORMER_MS = 60 * 60_000;

const BESIDE = ['', '-wal', '-shm', '-journal', '.key', '.sha256', '.json'];
const DRAFT = /\.(\d+)(?:-([0-9a-f]{8})-[0-9a-f]{8})?\.part(?:-wal|-shm|-journal|\.key|\.sha256|\.json)?$/;

// The drafts on which this process works. One with our own number that is not in here was left by a predecessor.
const own = new Set<string>();

/**
 * Calls `work` with the path of a draft of `file`, a name beside it that no other process uses. Afterwards the draft is removed, with SQLite's
 * files and what a backup has beside it, unless `work` has renamed it. Until then it is touched, so that `sweepDrafts` of another machine or container leaves it.
 */
export async function withDraft<T>(file: string, work: (draft: string) => Promise<T>): Promise<T> {
  const draft = `${file}.${process.pid}-${pidSpace()}-${randomUUID().slice(0, 8)}.part`;
  own.add(basename(draft));
  const touching = setInterval(() => void touch(draft), TOUCHED_MS);
  touching.unref();
  try {
    return await work(draft);
  } finally {
    clearInterval(touching);
    for (const suffix of BESIDE) await rm(`${draft}${suffix}`, { force: true });
    own.delete(basename(draft));
  }
}

/**
 * Removes the drafts in a folder whose writer is dead, those of one file if `file` names it: at once where its process can be asked for, else once they
 * were silent for three minutes, and those of former versions for an hour.
 */
export const sweepDrafts = (folder: string, file = ''): Promise<void> =>
  sweep(folder, (name) => file === '' || name === file);

/** As `sweepDrafts`, of every file in a folder that is not ours: a former version's drafts stay, whose names may be those of somebody else's files. */
export const sweepMarkedDrafts = (folder: string): Promise<void> =>
  sweep(folder, (_name, space) => space !== undefined);

async function sweep(folder: string, isMeant: (file: string, space?: string) => boolean): Promise<void> {
  // A missing folder holds no drafts; the later write into it reports the error.
  const names = await readdir(folder).catch((): string[] => []);
  for (const name of names) {
    const [found, pid, space] = DRAFT.exec(name) ?? [];
    if (found === undefined || !isMeant(name.slice(0, -found.length), space)) continue;
    if (await isAbandoned(folder, name, Number(pid), space)) await rm(join(folder, name), { force: true });
  }
}

async function isAbandoned(folder: string, name: string, pid: number, space: string | undefined): Promise<boolean> {
  const draft = name.replace(/\.part.*$/, '.part');
  if (space === pidSpace()) return pid === process.pid ? !own.has(draft) : !isAlive(pid);
  // The draft alone is touched, and it may be there later or earlier than what lies beside it.
  const changes = BESIDE.map((suffix) =>
    stat(join(folder, `${draft}${suffix}`)).then(
      (found) => found.mtimeMs,
      () => 0,
    ),
  );
  const silentMs = Date.now() - Math.max(...(await Promise.all(changes)));
  return silentMs > (space === undefined ? SILENT_FORMER_MS : SILENT_MS);
}

const MOST_LINKS = 40;

/** Returns where a path leads over links, also where nothing is there. */
async function placeOf(path: string, links = MOST_LINKS): Promise<string> {
  const folder = dirname(path);
  if (folder === path) return path;
  const place = join(await placeOf(folder, links), basename(path));
  const link = links > 0 ? await readlink(place).catch(() => null) : null;
  return link === null ? place : placeOf(resolve(dirname(place), link), links - 1);
}

const lookAt = (path: string): Promise<BigIntStats | null> => stat(path, { bigint: true }).catch(() => null);

/** Whether a path leads to another one, or below it, by its name or by another name of the same file. */
async function leadsTo(path: string, own: string): Promise<boolean> {
  const [one, other] = await Promise.all([lookAt(path), lookAt(own)]);
  if (one && other && one.dev === other.dev && one.ino === other.ino) return true;
  const place = await placeOf(own);
  return `${await placeOf(path)}${sep}`.startsWith(`${place}${sep}`);
}

/**
 * Asks before a file is written at a path that a person has named: there may be nothing, or an ordinary file that is none of the installation's `own` paths.
 * Throws AppError `refused` for a folder, a device, a pipe, a socket and a link to one, `invalid` for an own path.
 */
export async function requireTarget(path: string, own: readonly string[] = []): Promise<void> {
  const file = resolve(path);
  for (const one of own) {
    if (await leadsTo(file, resolve(one))) throw new AppError('invalid', 'cli.own_file', { path });
  }
  const found = await lookAt(file);
  if (found?.isDirectory()) throw new AppError('refused', 'cli.is_folder', { path });
  if (found && !found.isFile()) throw new AppError('refused', 'cli.no_plain_file', { path });
}
