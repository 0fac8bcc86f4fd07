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

// What OpenSSH's own client has in flight for a file is twice this.
const CHUNK = 32 * 1024;
const CHUNKS_AT_ONCE = 32;
// A server that goes on listing is no folder.
const MAX_ENTRIES = 20_000;
const REMOVALS_AT_ONCE = 16;
// A web server is another user than who uploads, whose umask may close everything to it.
const FILE_MODE = 0o644;
const FOLDER_MODE = 0o755;

/** What is at a path: of a link, the link itself. */
export interface RemoteEntry {
  name: string;
  type: 'file' | 'directory' | 'link' | 'other';
  size: number;
  /** When it was changed last: seconds by the server's clock. */
  modified: number;
}

/**
 * A session over SFTP; there is no shell, every path is a literal. Paths are absolute and plain (no `..`). Any number of
 * calls may be in flight. Everything throws ProviderError: `refused` where the server says no (permission, disk full), and
 * `unavailable` once the connection is gone. What was being written then may be there in part.
 */
export interface Sftp {
  hostKey: string;
  /** The entries of a folder, unsorted; null where there is none. Follows a link. */
  list: (dir: string) => Promise<RemoteEntry[] | null>;
  /** Does not follow a link. */
  stat: (path: string) => Promise<RemoteEntry | null>;
  /** Where a link leads, as it is written in it; null where there is no link. */
  readLink: (path: string) => Promise<string | null>;
  /** A path as the server resolves it, links followed; null where nothing is there. */
  realPath: (path: string) => Promise<string | null>;
  /** Throws `refused` with the code `too_large` for a file of more than `limit` bytes. */
  readFile: (path: string, limit: number) => Promise<Buffer | null>;
  /** Creates or truncates. Everybody may read the file then, whatever the server's umask; folders that are made, too. */
  writeFile: (path: string, content: Uint8Array) => Promise<void>;
  /** Makes a folder with those above it; one that this session has made or seen is not asked about again. */
  makeDirs: (path: string) => Promise<void>;
  /** Atomic; replaces a file or a link. */
  rename: (from: string, to: string) => Promise<void>;
  /**
   * Two renames that go out in one packet, so that next to no time passes between them at the server. Where the first fails the
   * second does as well; where the second alone fails the first is taken back.
   */
  renameBoth: (first: readonly [string, string], second: readonly [string, string]) => Promise<void>;
  /** Bytes and files that may still be written where a path lies; null where the server does not say. */
  freeSpace: (path: string) => Promise<{ bytes: number; files: number } | null>;
  /** Makes a symbolic link at `path`. Throws `refused` where something is there. */
  link: (target: string, path: string) => Promise<void>;
  removeFile: (path: string) => Promise<void>;
  /** Removes a folder with all in it, and of a link the link alone. */
  removeTree: (path: string) => Promise<void>;
  close: () => Promise<void>;
}

/**
 * Signs in to a server. The host's key is compared before anything secret is sent. Throws ProviderError: `credentials`,
 * `untrusted` (UntrustedHost) for another key than `hostKey`, `unavailable`, `malformed`, `refused` where there is no SFTP.
 * What is thrown holds the secret only where a path of the caller's does: there it is a public name as well.
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

// A key may come back by its lines.
const secretsOf = ({ secret }: SshLogin): string[] => [
  secret,
  ...(isPrivateKey(secret)
    ? secret.split(/\s*\n\s*/).filter((line) => line.length > 30 && !line.startsWith('-----'))
    : []),
];

type Ask = <T>(subject: string, send: (sftp: SFTPWrapper, done: Done<T>) => void) => Promise<T>;

/** What came, or null where the server says that nothing is there. */
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
    // "Bad message" is OpenSSH's answer to the question where something leads that is no link.
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
      // Some file systems have no such limit, and say zero.
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

/** What a server says no to and what does not matter: it may not know the request, or not let anybody change modes. */
async function unlessDenied<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ProviderError && error.kind === 'refused') return null;
    throw error;
  }
}

/** Works with an open file or folder, and closes it. What closing says counts, too: a disk may be full only then. */
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

/** A small file is three questions; of a large one many chunks are under way at once. */
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

/** Entries are removed by what they are listed as, so no link is ever followed. */
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
