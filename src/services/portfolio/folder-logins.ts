// Folders of one host as its other logins see them: each may have a root folder of its own.
import type { Config } from '../../lib/config.ts';
import { saidOf } from '../../operations/failure.ts';
import { ProviderError, type ProviderErrorKind } from '../../providers/provider-error.ts';
import type { RemoteEntry, Sftp } from '../../providers/ssh.ts';
import { openServer } from '../accounts/servers.ts';

/** A session as far as folders are looked for. */
export type Sight = Pick<Sftp, 'realPath' | 'list'>;

// A folder of too many entries is none that could be looked through.
const UNSEEN = new Set<ProviderErrorKind>(['refused', 'malformed']);

/** What a session may not see is not there for it. */
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

/** A session of another login: how it fails is neither told to the caller, who may not know its folders, nor does it stop him. */
const asAnother = ({ realPath, list }: Sight): Sight => ({
  realPath: (path) => orUnseen(realPath(path), () => true),
  list: (path) => orUnseen(list(path), () => true),
});

/** The names in a folder. */
export const namesIn = async (sight: Sight, path: string): Promise<Set<string>> =>
  new Set((await orUnseen(sight.list(path)))?.map(({ name }) => name));

/** A path as the server resolves it: the last part is left, for it may be a link of ours. */
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

/** Whether two sessions see the same in two places; an empty folder is nothing. */
async function isSameFolder(one: Sight, path: string, other: Sight, otherPath: string): Promise<boolean> {
  const content = contentOf(await orUnseen(one.list(path)));
  return content !== '' && content === contentOf(await orUnseen(other.list(otherPath)));
}

const foldersAbove = (path: string): string[] => {
  const parts = path.split('/').slice(1, -1);
  return parts.map((_, index) => `/${parts.slice(0, index + 1).join('/')}`);
};

/**
 * The ways in which `mine` would write a path of another login's: as that one resolves it, and with the root folder of either
 * before it or cut off, where both see the same there. Only what `meets` is looked at.
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

/** A folder of a domain on a host, to which further ways are added. */
interface Folder {
  server_id: number;
  path: string;
  paths: string[];
}

/** Finds how folders of other logins are written by `mine`. A login that does not work tells nothing. */
export async function seeByLogins(
  config: Config,
  folders: readonly Folder[],
  mine: { sight: Sight; path: string },
  meets: (path: string) => boolean,
  signal: AbortSignal,
): Promise<void> {
  for (const server_id of new Set(folders.map((folder) => folder.server_id))) {
    const theirs = await openServer(config, server_id, signal).catch((error: unknown) => {
      if (!saidOf(error)) throw error;
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
