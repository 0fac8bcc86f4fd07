// Folders of one host as its other logins see them: each may have a root folder of its own.
import { messageFor } from '../../operations/failure.ts';
import { ProviderError, type ProviderErrorKind } from '../../providers/provider-error.ts';
import type { RemoteEntry, Sftp } from '../../providers/ssh/sftp.ts';
import { openServer } from '../accounts/servers.ts';

/** The part of a session that looks at folders. */
export type Sight = Pick<Sftp, 'realPath' | 'list'>;

// `malformed`: a folder with too many entries can't be searched.
const UNSEEN = new Set<ProviderErrorKind>(['refused', 'malformed']);

/** Returns null for a look at something that the session may not see. */
async function orUnseen<T>(
  look: Promise<T | null>,
  isUnseen = (kind: ProviderErrorKind) => UNSEEN.has(kind),
): Promise<T | null> {
  try {
    return await look;
  } catch (error) {
    if (error instanceof ProviderError && isUnseen(error.kind)) return null;
    throw error;
  }
}

/**
 * Wraps a session of another login: its failures are neither told to the caller, who may not know its folders, nor do
 * they stop the caller.
 */
const asAnother = ({ realPath, list }: Sight): Sight => ({
  realPath: (path) => orUnseen(realPath(path), () => true),
  list: (path) => orUnseen(list(path), () => true),
});

/** Returns the names in a folder; none where it can't be seen. */
export const namesIn = async (sight: Sight, path: string): Promise<Set<string>> =>
  new Set((await orUnseen(sight.list(path)))?.map(({ name }) => name));

/**
 * Returns a path as the server resolves it, except for the last part, which may be a link of ours. `known` caches
 * resolved parents.
 */
export async function resolved(sight: Sight, path: string, known: Map<string, string>): Promise<string> {
  const rest: string[] = [];
  let parent = path;
  for (;;) {
    const cut = parent.lastIndexOf('/');
    rest.unshift(parent.slice(cut + 1));
    parent = parent.slice(0, cut);
    if (parent === '') return `/${rest.join('/')}`;
    const real = known.get(parent) ?? (await orUnseen(sight.realPath(parent)));
    if (real === null) continue;
    known.set(parent, real);
    return `${real === '/' ? '' : real}/${rest.join('/')}`;
  }
}

const contentOf = (entries: readonly RemoteEntry[] | null): string =>
  (entries ?? [])
    .map(({ name, type, size, modified }) => `${name} ${type} ${size} ${modified}`)
    .toSorted()
    .join('\n');

/** Whether two sessions see the same content in two places; an empty folder never counts. */
async function isSameFolder(one: Sight, path: string, other: Sight, otherPath: string): Promise<boolean> {
  const content = contentOf(await orUnseen(one.list(path)));
  return content !== '' && content === contentOf(await orUnseen(other.list(otherPath)));
}

const foldersAbove = (path: string): string[] => {
  const parts = path.split('/').slice(1, -1);
  return parts.map((_, index) => `/${parts.slice(0, index + 1).join('/')}`);
};

/**
 * Returns the paths by which `mine` may reach a folder of another login: as either of them resolves it, and with a root
 * folder of either put before it or cut off, where both see the same content. Only paths that `meets` accepts are
 * compared.
 */
async function waysTo(
  path: string,
  mine: { sight: Sight; path: string },
  theirs: Sight,
  meets: (path: string) => boolean,
): Promise<string[]> {
  const real = await resolved(theirs, path, new Map());
  const ways = [real, await resolved(mine.sight, path, new Map())];
  const within = [...foldersAbove(mine.path), mine.path].map((root) => `${root}${real}`);
  const without = foldersAbove(real).map((root) => real.slice(root.length));
  for (const way of [...within, ...without].filter(meets)) {
    if (await isSameFolder(mine.sight, way, theirs, real)) ways.push(way);
  }
  return ways;
}

/** A folder of a domain on a host, to which further paths are added. */
interface Folder {
  server_id: number;
  path: string;
  paths: string[];
}

/**
 * Adds to each folder of other logins the paths by which `mine` may reach it. Where a login does not work, `mine` alone
 * is used.
 */
export async function seeByLogins(
  folders: readonly Folder[],
  mine: { sight: Sight; path: string },
  meets: (path: string) => boolean,
  signal: AbortSignal,
): Promise<void> {
  for (const server_id of new Set(folders.map((folder) => folder.server_id))) {
    const theirs = await openServer(server_id, signal).catch((error: unknown) => {
      if (!messageFor(error)) throw error;
      return null;
    });
    try {
      for (const folder of folders.filter((one) => one.server_id === server_id)) {
        folder.paths.push(...(await waysTo(folder.path, mine, theirs ? asAnother(theirs) : mine.sight, meets)));
      }
    } finally {
      await theirs?.close();
    }
  }
}
