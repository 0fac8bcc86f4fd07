import type { SFTPWrapper, Attributes } from 'ssh2';
import { STATUS, statusOf } from './answers.ts';
import { makeFolders } from './folders.ts';
import { fetch, send } from './pieces.ts';
import { type Ask, unlessDenied, orNull, typeOf, list, entryOf, read, write } from './handles.ts';
import { inOnePacket } from './one-packet.ts';
import { pathOf, targetOf } from './paths.ts';
import type { Session } from './session.ts';
import type { Sftp } from './sftp.ts';

const REMOVALS_AT_ONCE = 16;
const FOLDER_MODE = 0o755;

/** Returns the methods of a session over SFTP. */
export function filesOf(session: Session, sftp: SFTPWrapper): Omit<Sftp, 'hostKey' | 'close'> {
  const ask: Ask = (subject, send) => session.ask(subject, (done) => send(sftp, done));
  const { makeDirs, forget } = makeFolders({
    make: async (path) => {
      await ask<void>(path, (sftp, done) => sftp.mkdir(path, done));
      await unlessDenied(ask<void>(path, (sftp, done) => sftp.chmod(path, FOLDER_MODE, done)));
    },
    isFolder: async (path) => {
      const found = await orNull(ask<Attributes>(path, (sftp, done) => sftp.stat(path, done)));
      return found !== null && typeOf(found.mode) === 'directory';
    },
  });
  const files: Omit<Sftp, 'hostKey' | 'close'> = {
    list: async (dir) => orNull(list(ask, pathOf(dir))),
    stat: async (path) => {
      const found = await orNull(ask<Attributes>(pathOf(path), (sftp, done) => sftp.lstat(path, done)));
      return found && entryOf(path.slice(path.lastIndexOf('/') + 1), found);
    },
    // OpenSSH answers "bad message" to readlink on something that is no link.
    readLink: async (path) =>
      orNull(
        ask<string>(pathOf(path), (sftp, done) => sftp.readlink(path, done)),
        STATUS.badMessage,
      ),
    realPath: async (path) => orNull(ask<string>(pathOf(path), (sftp, done) => sftp.realpath(path, done))),
    readFile: async (path, limit) => orNull(read(ask, pathOf(path), limit)),
    writeFile: async (path, content) => write(ask, pathOf(path), content),
    sendFile: async (from, path) => send(ask, from, pathOf(path)),
    fetchFile: async (path, take) => fetch(ask, pathOf(path), take),
    makeDirs: async (path) => makeDirs(pathOf(path)),
    rename: async (from, to) => {
      forget();
      await rename(ask, [pathOf(from), pathOf(to)]);
    },
    renameBoth: async (first, second) => {
      forget();
      await renameBoth(sftp, ask, first, second);
    },
    freeSpace: (path) => freeSpace(ask, path),
    link: async (target, path) => {
      await ask<void>(pathOf(path), (sftp, done) => sftp.symlink(targetOf(target), path, done));
    },
    removeFile: async (path) => {
      await orNull(ask<void>(pathOf(path), (sftp, done) => sftp.unlink(path, done)));
    },
    removeTree: async (path) => {
      forget();
      const found = await files.stat(path);
      if (found?.type === 'directory') await removeFolder(files, ask, path);
      else if (found) await files.removeFile(path);
    },
    removeEmpty: async (path) => {
      forget();
      await unlessDenied(orNull(ask<void>(pathOf(path), (sftp, done) => sftp.rmdir(path, done))));
    },
  };
  return files;
}

type Renaming = readonly [from: string, to: string];

const rename = (ask: Ask, [from, to]: Renaming): Promise<void> =>
  ask<void>(from, (sftp, done) => sftp.ext_openssh_rename(from, to, done));

/** Sends two renames at once; if only the second is refused, undoes the first. */
async function renameBoth(sftp: SFTPWrapper, ask: Ask, first: Renaming, second: Renaming): Promise<void> {
  const one: Renaming = [pathOf(first[0]), pathOf(first[1])];
  const other: Renaming = [pathOf(second[0]), pathOf(second[1])];
  const [moved, placed] = await inOnePacket(sftp, () => Promise.allSettled([rename(ask, one), rename(ask, other)]));
  if (moved.status === 'rejected') throw moved.reason;
  if (placed.status === 'fulfilled') return;
  if (statusOf(placed.reason) !== undefined) await rename(ask, [one[1], one[0]]);
  throw placed.reason;
}

type FileSystem = Record<'f_bavail' | 'f_frsize' | 'f_favail' | 'f_files', number | bigint>;

async function freeSpace(ask: Ask, path: string): ReturnType<Sftp['freeSpace']> {
  const found = await unlessDenied(
    ask<FileSystem>(path === '/' ? path : pathOf(path), (sftp, done) => sftp.ext_openssh_statvfs(path, done)),
  );
  if (!found) return null;
  const [blocks, size, left, all] = [found.f_bavail, found.f_frsize, found.f_favail, found.f_files].map(Number);
  // Some file systems have no limit of files, and report zero.
  return { bytes: (blocks ?? 0) * (size ?? 0), files: all === 0 ? Infinity : (left ?? Infinity) };
}

/** Removes a folder. Entries are removed by their listed type, so that links are not followed. */
async function removeFolder(files: Pick<Sftp, 'list' | 'removeFile'>, ask: Ask, path: string): Promise<void> {
  const entries = (await files.list(path)) ?? [];
  const next = entries.values();
  const work = async (): Promise<void> => {
    for (const { name, type } of next) {
      if (type === 'directory') await removeFolder(files, ask, `${path}/${name}`);
      else await files.removeFile(`${path}/${name}`);
    }
  };
  await Promise.all(Array.from({ length: REMOVALS_AT_ONCE }, work));
  await orNull(ask<void>(path, (sftp, done) => sftp.rmdir(path, done)));
}
