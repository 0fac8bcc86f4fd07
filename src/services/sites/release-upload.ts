import { createHash } from 'node:crypto';
import type { RemoteEntry, Sftp } from '../../providers/ssh/sftp.ts';
import type { SiteFile } from '../../shared/sites/sites.ts';
import type { Act } from '../../operations/flow.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import { AppError } from '../../shared/errors.ts';
import { type SitePaths, releaseFolder, pathsOf, releaseOfLink, isReleaseId } from '../portfolio/release-paths.ts';
import { linkAt, nextOf } from './release-switch.ts';
import { type Release, refuseLinks } from './releases.ts';

const FILES_AT_ONCE = 64;
const FOLDERS_AT_ONCE = 16;

// A file that is sent in one request arrives whole or has another size; a longer one could be left with a hole.
const ONE_REQUEST = 32 * 1024;

// Begins the name of a file that is not complete. It lies in the release's root and has a fixed length, so that it is
// valid even for the longest file name.
const PART = '.part-';

/** The difference between a folder on a server and the files that are to be in it. */
export interface Folder {
  missing: SiteFile[];
  /** Paths in it that are in the way, or were left by an upload that was cut off. */
  waste: string[];
}

/** Groups files by their folder; the root is ''. Folders that hold only folders are there as well. */
function treeOf(files: readonly SiteFile[]): Map<string, { folders: Set<string>; files: SiteFile[] }> {
  const tree = new Map([['', { folders: new Set<string>(), files: [] as SiteFile[] }]]);
  const at = (folder: string) => {
    const known = tree.get(folder);
    if (known) return known;
    const made = { folders: new Set<string>(), files: [] as SiteFile[] };
    tree.set(folder, made);
    at(parentOf(folder)).folders.add(folder);
    return made;
  };
  for (const file of files) at(parentOf(file.path)).files.push(file);
  return tree;
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** The name of a file until it is complete. */
const partOf = (path: string): string => `${PART}${createHash('sha256').update(path).digest('hex').slice(0, 32)}`;
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/**
 * Works on a list, `atOnce` items at a time. After a failure nothing more is begun; what is under way is waited for,
 * and the error thrown.
 */
async function each<T>(list: readonly T[], atOnce: number, work: (item: T) => Promise<void>): Promise<void> {
  const left = [...list].reverse();
  const worker = async (): Promise<void> => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) {
      await work(item).catch((error: unknown) => {
        left.length = 0;
        throw error;
      });
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: atOnce }, worker));
  const broken = ends.find((end) => end.status === 'rejected');
  if (broken) throw broken.reason;
}

/** Compares a folder with what is to be in it, by names and sizes. Other files in it are ignored. */
export async function lookAtFolder(sftp: Sftp, root: string, files: readonly SiteFile[]): Promise<Folder> {
  const tree = treeOf(files);
  const named = new Set(files.map(({ path }) => path));
  const missing: SiteFile[] = [];
  const waste: string[] = [];
  let level = [''];
  const look = async (folder: string, below: string[]): Promise<void> => {
    const wanted = tree.get(folder);
    if (!wanted) return;
    const entries = new Map<string, RemoteEntry>();
    for (const entry of (await sftp.list(pathIn(root, folder))) ?? []) entries.set(entry.name, entry);
    const inWay = (path: string, type: RemoteEntry['type']): boolean => {
      const found = entries.get(nameOf(path));
      if (found && found.type !== type) waste.push(path);
      return found !== undefined && found.type === type;
    };
    for (const sub of wanted.folders) {
      if (inWay(sub, 'directory')) below.push(sub);
      else missing.push(...filesBelow(tree, sub));
    }
    for (const file of wanted.files) {
      const isThere = inWay(file.path, 'file');
      if (!isThere || entries.get(nameOf(file.path))?.size !== file.content.length) missing.push(file);
    }
    if (folder === '') waste.push(...[...entries.keys()].filter((name) => name.startsWith(PART) && !named.has(name)));
  };
  while (level.length > 0) {
    const below: string[] = [];
    await each(level, FOLDERS_AT_ONCE, (folder) => look(folder, below));
    level = below;
  }
  return { missing, waste };
}

const pathIn = (root: string, path: string): string => (path === '' ? root : `${root}/${path}`);

function filesBelow(tree: ReturnType<typeof treeOf>, folder: string): SiteFile[] {
  const found = tree.get(folder);
  return found ? [...found.files, ...[...found.folders].flatMap((sub) => filesBelow(tree, sub))] : [];
}

/**
 * Sends files into a folder, many at once, after removing `waste`. A file under its own name is always complete: one of
 * more than one request, or any where the folder is not `fresh`, is written under another name and renamed at the end.
 */
export async function sendFiles(sftp: Sftp, root: string, { missing, waste }: Folder, fresh: boolean): Promise<void> {
  await each(waste, FOLDERS_AT_ONCE, (path) => sftp.removeTree(pathIn(root, path)));
  await sftp.makeDirs(root);
  const folders = [...new Set(missing.map(({ path }) => parentOf(path)))];
  await each(folders, FOLDERS_AT_ONCE, (folder) => sftp.makeDirs(pathIn(root, folder)));
  await each(missing, FILES_AT_ONCE, async ({ path, content }) => {
    const at = pathIn(root, path);
    if (fresh && content.length <= ONE_REQUEST) return sftp.writeFile(at, content);
    const part = pathIn(root, partOf(path));
    await sftp.writeFile(part, content);
    await sftp.rename(part, at);
  });
}

/** Number of releases that are kept on a server besides the live one. */
const KEPT = 3;
const bytesOf = (files: readonly SiteFile[]): number => files.reduce((sum, { content }) => sum + content.length, 0);

/** Returns what a release's folder lacks: everything where there is no folder yet. */
async function lookAt(sftp: Sftp, paths: SitePaths, { id, files, marker }: Release): Promise<Folder> {
  const folder = releaseFolder(paths, id);
  await refuseLinks(sftp, paths, folder);
  return lookAtFolder(sftp, folder, [...files, marker]);
}

// A file takes whole blocks.
const BLOCK = 4096;

/** Throws `refused` where the server has less room than these files take. */
async function refuseWithoutSpace(sftp: Sftp, { parent }: SitePaths, files: readonly SiteFile[]): Promise<void> {
  let path = parent;
  while (path !== '' && !(await sftp.stat(path))) path = path.slice(0, path.lastIndexOf('/'));
  const free = await sftp.freeSpace(path || '/');
  const bytes = files.reduce((sum, { content }) => sum + Math.ceil(content.length / BLOCK) * BLOCK, 0);
  if (!free || (free.bytes >= bytes && free.files >= files.length)) return;
  const params = { need: Math.ceil(bytes / 1024), free: Math.floor(free.bytes / 1024), files: files.length };
  throw new AppError('refused', 'site.no_space', params, { code: 'no_space' });
}

/**
 * Returns the act that uploads a release into a folder of its own beside the site. Only files that are missing there or
 * differ are sent; the marker comes last, once all others were found there. The live release is not touched.
 */
export function uploadAct(sftp: Sftp, filePath: string, release: Release): Act {
  const paths = pathsOf(filePath);
  const { id, files, marker } = release;
  return {
    name: 'upload',
    class: 'set',
    look: async () => {
      const found = await lookAt(sftp, paths, release);
      const { missing } = found;
      if (missing.length === 0) return null;
      await refuseWithoutSpace(sftp, paths, missing);
      const whole = { files: files.length, bytes: bytesOf(files) };
      const sent = missing.filter((file) => file !== marker);
      const perform = async (): Promise<void> => {
        // With its marker there the release may be live: nobody must see a partial file.
        await sendFiles(sftp, releaseFolder(paths, id), { ...found, missing: sent }, missing.includes(marker));
        const left = (await lookAt(sftp, paths, release)).missing.filter((file) => file !== marker);
        if (left.length > 0) throw new ProviderError('malformed', `${left.length} files have not arrived`);
        await sftp.writeFile(`${releaseFolder(paths, id)}/${marker.path}`, marker.content);
      };
      const after = { release: id, ...whole, new_files: sent.length, new_bytes: bytesOf(sent) };
      // A release that was complete before is not removed when this upload is undone.
      return { before: missing.includes(marker) ? null : { release: id }, after, perform };
    },
  };
}

/** Returns the act that removes an uploaded release, unless it is live, and the folders of releases that are empty then. */
export function uploadBack(sftp: Sftp, filePath: string, id: string): Act {
  const paths = pathsOf(filePath);
  return {
    name: 'upload',
    class: 'set',
    look: async () => {
      const folder = releaseFolder(paths, id);
      await refuseLinks(sftp, paths, folder);
      const live = await linkAt(sftp, paths);
      if (live !== null && releaseOfLink(paths, live) === id) return null;
      if (!(await sftp.stat(folder))) return null;
      const perform = async (): Promise<void> => {
        await sftp.removeTree(folder);
        await sftp.removeFile(nextOf(paths));
        for (const empty of [paths.releases, `${paths.parent}/.releases`]) await sftp.removeEmpty(empty);
      };
      return { before: { release: id }, after: null, perform };
    },
  };
}

/**
 * Ignores a refusal: files that the site itself has written may belong to another user, and the new release is live all
 * the same.
 */
function unlessRefused(error: unknown): void {
  if (!(error instanceof ProviderError) || error.kind !== 'refused') throw error;
}

/**
 * Returns the act that removes old releases: the live one, the `former` one and the newest stay, three besides the live
 * one in all. A folder from before the first release is never removed.
 */
export function pruneAct(sftp: Sftp, filePath: string, former: () => string | null): Act {
  const paths = pathsOf(filePath);
  return {
    name: 'prune',
    class: 'set',
    look: async () => {
      await refuseLinks(sftp, paths, paths.releases);
      const live = await linkAt(sftp, paths);
      const current = live === null ? null : releaseOfLink(paths, live);
      const link = former();
      const first = link === null ? null : releaseOfLink(paths, link);
      const others = ((await sftp.list(paths.releases)) ?? [])
        .filter(({ name, type }) => type === 'directory' && isReleaseId(name) && name !== current)
        .sort(
          (one, other) => Number(other.name === first) - Number(one.name === first) || other.modified - one.modified,
        )
        .map(({ name }) => name);
      const old = others.slice(KEPT);
      if (current === null || old.length === 0) return null;
      const perform = async (): Promise<void> => {
        for (const id of old) await sftp.removeTree(releaseFolder(paths, id)).catch(unlessRefused);
      };
      return { before: others, after: others.slice(0, KEPT), perform };
    },
  };
}
