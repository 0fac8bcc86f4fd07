import { constants } from 'node:fs';
import type { Attributes, FileEntryWithStats, SFTPWrapper } from 'ssh2';
import { redacting, redactorOf } from '../lib/redactor.ts';
import { ProviderError } from './provider-error.ts';
import { STATUS, statusOf } from './ssh/answers.ts';
import { makeFolders } from './ssh/folders.ts';
import { logIn, type SshLogin, type SshOptions } from './ssh/login.ts';
import { pathOf, targetOf } from './ssh/paths.ts';
import { isPrivateKey } from './ssh/private-key.ts';
import type { Done, Session } from './ssh/session.ts';

export { UntrustedHost, type SshLogin } from './ssh/login.ts';

// Chunks of a file in flight: half of what OpenSSH's own client has.
const CHUNK = 32 * 1024;
const CHUNKS_AT_ONCE = 32;
// A longer list is refused: the server may never end it.
const MAX_ENTRIES = 20_000;
const REMOVALS_AT_ONCE = 16;
// The web server runs as another user than the uploading one, whose umask may deny it access.
const FILE_MODE = 0o644;
const FOLDER_MODE = 0o755;

/** An entry of a folder; for a link, the link itself. */
export interface RemoteEntry {
  name: string;
  type: 'file' | 'directory' | 'link' | 'other';
  size: number;
  /** Time of the last change, in seconds by the server's clock. */
  modified: number;
}

/**
 * A session over SFTP; there is no shell, every path is a literal. Paths are absolute and plain (no `..`). Any number of
 * calls may be in flight. All methods throw ProviderError: `refused` if the server refuses (permission, disk full), and
 * `unavailable` once the connection is lost; a file being written may then exist in part.
 */
export interface Sftp {
  hostKey: string;
  /** Returns the entries of a folder, unsorted; null if there is none. Follows a link. */
  list: (dir: string) => Promise<RemoteEntry[] | null>;
  /** Returns null if nothing is there. Does not follow a link. */
  stat: (path: string) => Promise<RemoteEntry | null>;
  /** Returns the target of a link as written in it; null if there is no link. */
  readLink: (path: string) => Promise<string | null>;
  /** Returns the path as the server resolves it, links followed; null if nothing is there. */
  realPath: (path: string) => Promise<string | null>;
  /** Returns null if nothing is there. Throws `refused` with the code `too_large` for a file of more than `limit` bytes. */
  readFile: (path: string, limit: number) => Promise<Buffer | null>;
  /** Creates or truncates a file, readable for everybody whatever the server's umask. */
  writeFile: (path: string, content: Uint8Array) => Promise<void>;
  /** Creates a folder and those above it, readable for everybody; skips folders that this session has created or seen. */
  makeDirs: (path: string) => Promise<void>;
  /** Atomic; replaces a file or a link. */
  rename: (from: string, to: string) => Promise<void>;
  /**
   * Sends two renames in one packet, so that almost no time passes between them at the server. If only the second is refused,
   * the first is undone. Choose them so that the second fails if the first does: it is not undone.
   */
  renameBoth: (first: readonly [string, string], second: readonly [string, string]) => Promise<void>;
  /** Returns the free bytes and files on the file system of a path; null if the server does not tell. */
  freeSpace: (path: string) => Promise<{ bytes: number; files: number } | null>;
  /** Creates a symbolic link at `path`. Throws `refused` if something exists there. */
  link: (target: string, path: string) => Promise<void>;
  removeFile: (path: string) => Promise<void>;
  /** Removes a folder with its content; of a link only the link itself. */
  removeTree: (path: string) => Promise<void>;
  close: () => Promise<void>;
}

/**
 * Signs in to a server. The host's key is compared before anything secret is sent. Throws ProviderError: `credentials`,
 * `untrusted` (UntrustedHost) for another key than `hostKey`, `unavailable`, `malformed`, `refused` if there is no SFTP.
 * Errors contain the secret only as part of a path given by the caller: there it is a public name, too.
 */
export async function openSftp(login: SshLogin, options: SshOptions): Promise<Sftp> {
  const redactor = redactorOf(secretsOf(login));
  const spared = (): unknown => options.signal?.reason as unknown;
  const open = redacting({ logIn: () => logIn(login, options) }, redactor, { spared });
  const { session, sftp, hostKey } = await open.logIn();
  return {
    hostKey,
    ...redacting(filesOf(session, sftp), redactor, { ownIn: (args) => args.flat().filter(isText), spared }),
    close: session.close,
  };
}

const isText = (value: unknown): value is string => typeof value === 'string';

// A server may repeat single lines of a key.
const secretsOf = ({ secret }: SshLogin): string[] => [
  secret,
  ...(isPrivateKey(secret)
    ? secret.split(/\s*\n\s*/).filter((line) => line.length > 30 && !line.startsWith('-----'))
    : []),
];

type Ask = <T>(subject: string, send: (sftp: SFTPWrapper, done: Done<T>) => void) => Promise<T>;

/** Awaits an answer; null if the server answers that nothing is there, or with the status `also`. */
async function orNull<T>(found: Promise<T>, also?: number): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    const status = statusOf(error);
    if (status === STATUS.missing || (status !== undefined && status === also)) return null;
    throw error;
  }
}

function typeOf(mode: number): RemoteEntry['type'] {
  const kind = mode & constants.S_IFMT;
  if (kind === constants.S_IFREG) return 'file';
  if (kind === constants.S_IFDIR) return 'directory';
  return kind === constants.S_IFLNK ? 'link' : 'other';
}

const entryOf = (name: string, { mode, size, mtime }: Attributes): RemoteEntry => ({
  name,
  type: typeOf(mode),
  size,
  modified: mtime,
});

function filesOf(session: Session, sftp: SFTPWrapper): Omit<Sftp, 'hostKey' | 'close'> {
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
    makeDirs: async (path) => makeDirs(pathOf(path)),
    rename: async (from, to) => {
      forget();
      await ask<void>(pathOf(from), (sftp, done) => sftp.ext_openssh_rename(from, pathOf(to), done));
    },
    renameBoth: async (first, second) => {
      forget();
      const [one, other] = [first, second].map(([from, to]) => [pathOf(from), pathOf(to)] as const) as [
        readonly [string, string],
        readonly [string, string],
      ];
      const send = ([from, to]: readonly [string, string]): Promise<void> =>
        ask<void>(from, (sftp, done) => sftp.ext_openssh_rename(from, to, done));
      const [moved, placed] = await session.together(() => Promise.allSettled([send(one), send(other)]));
      if (moved.status === 'rejected') throw moved.reason;
      if (placed.status === 'fulfilled') return;
      if (statusOf(placed.reason) !== undefined) await send([one[1], one[0]]);
      throw placed.reason;
    },
    freeSpace: async (path) => {
      const found = await unlessDenied(
        ask<Record<'f_bavail' | 'f_frsize' | 'f_favail' | 'f_files', number | bigint>>(
          path === '/' ? path : pathOf(path),
          (sftp, done) => sftp.ext_openssh_statvfs(path, done),
        ),
      );
      if (!found) return null;
      const [blocks, size, left, all] = [found.f_bavail, found.f_frsize, found.f_favail, found.f_files].map(Number);
      // Some file systems have no limit of files, and report zero.
      return { bytes: (blocks ?? 0) * (size ?? 0), files: all === 0 ? Infinity : (left ?? Infinity) };
    },
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
  };
  return files;
}

/** Awaits an optional request; null if the server refuses it: it may not know it, or not allow changes of modes. */
async function unlessDenied<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ProviderError && error.kind === 'refused') return null;
    throw error;
  }
}

/** Works with an open file or folder, and closes it. An error of closing counts, too: a full disk may show only then. */
async function withHandle<T>(
  ask: Ask,
  path: string,
  open: (sftp: SFTPWrapper, done: Done<Buffer>) => void,
  work: (handle: Buffer) => Promise<T>,
): Promise<T> {
  const handle = await ask(path, open);
  const close = (): Promise<void> => ask<void>(path, (sftp, done) => sftp.close(handle, done));
  try {
    const result = await work(handle);
    await close();
    return result;
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
}

const list = (ask: Ask, dir: string): Promise<RemoteEntry[]> =>
  withHandle(
    ask,
    dir,
    (sftp, done) => sftp.opendir(dir, done),
    async (handle) => {
      const entries: RemoteEntry[] = [];
      for (;;) {
        const some = await untilEnd(ask<FileEntryWithStats[]>(dir, (sftp, done) => sftp.readdir(handle, done)));
        if (some === null) return entries;
        for (const { filename, attrs } of some) {
          if (filename === '.' || filename === '..') continue;
          if (filename === '' || /[/\0]/.test(filename) || entries.length >= MAX_ENTRIES) {
            throw new ProviderError('malformed', `${dir}: not a folder's list`);
          }
          entries.push(entryOf(filename, attrs));
        }
      }
    },
  );

async function untilEnd<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (statusOf(error) === STATUS.eof) return null;
    throw error;
  }
}

const read = (ask: Ask, path: string, limit: number): Promise<Buffer> =>
  withHandle(
    ask,
    path,
    (sftp, done) => sftp.open(path, 'r', done),
    async (handle) => {
      const parts: Buffer[] = [];
      let size = 0;
      for (;;) {
        const buffer = Buffer.allocUnsafe(CHUNK);
        const got = await untilEnd(ask<number>(path, (sftp, done) => sftp.read(handle, buffer, 0, CHUNK, size, done)));
        if (!got) return Buffer.concat(parts);
        size += got;
        if (size > limit) throw new ProviderError('refused', `${path}: larger than ${limit}`, { code: 'too_large' });
        parts.push(buffer.subarray(0, got));
      }
    },
  );

/** Writes a file: a small one in three round trips; up to CHUNKS_AT_ONCE chunks of a large one are in flight at once. */
const write = (ask: Ask, path: string, content: Uint8Array): Promise<void> =>
  withHandle(
    ask,
    path,
    (sftp, done) => sftp.open(path, 'w', done),
    async (handle) => {
      const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
      let next = 0;
      const send = async (): Promise<void> => {
        while (next < bytes.length) {
          const at = next;
          const length = Math.min(CHUNK, bytes.length - at);
          next += length;
          await ask<number>(path, (sftp, done) => sftp.write(handle, bytes, at, length, at, done));
        }
      };
      const opened = unlessDenied(ask<void>(path, (sftp, done) => sftp.fchmod(handle, FILE_MODE, done)));
      const senders = Math.min(CHUNKS_AT_ONCE, Math.ceil(bytes.length / CHUNK));
      await Promise.all([opened, ...Array.from({ length: senders }, send)]);
    },
  );

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
