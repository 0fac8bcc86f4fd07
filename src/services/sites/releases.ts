import { createHash } from 'node:crypto';
import type { Act } from '../../operations/flow.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import type { Sftp } from '../../providers/ssh.ts';
import { AppError } from '../../shared/errors.ts';
import type { SiteFile } from '../../shared/sites/sites.ts';
import {
  isReleaseId,
  linkTo,
  pathsOf,
  releaseFolder,
  releaseOfLink,
  type SitePaths,
} from '../portfolio/release-paths.ts';
import { lookAtFolder, sendFiles, type Folder } from './release-upload.ts';

/** Number of releases that are kept on a server besides the live one. */
const KEPT = 3;

/**
 * A site as it is deployed. `id` is a hash of its paths and contents, so the same site is the same release; `marker` is
 * a file with the id, under a name that nobody can guess.
 */
export interface Release {
  id: string;
  files: SiteFile[];
  marker: SiteFile;
}

/** Returns the name of a release's marker file. */
export const markerPath = (id: string): string => `${id.slice(0, 32)}.txt`;

const sha256 = (content: Uint8Array | string): string => createHash('sha256').update(content).digest('hex');

export function releaseOf(files: SiteFile[]): Release {
  const lines = files.map(({ path, content }) => `${path}\0${sha256(content)}\n`).sort();
  const id = sha256(lines.join(''));
  return { id, files, marker: { path: markerPath(id), content: Buffer.from(`${id}\n`) } };
}

const bytesOf = (files: readonly SiteFile[]): number => files.reduce((sum, { content }) => sum + content.length, 0);

/**
 * Throws AppError `refused` where one of a site's own folders is no folder but, say, a link: writing would go
 * elsewhere.
 */
async function refuseLinks(sftp: Sftp, { parent, releases }: SitePaths, folder: string): Promise<void> {
  for (const path of [`${parent}/.releases`, releases, folder]) {
    const found = await sftp.stat(path);
    if (found && found.type !== 'directory') throw new AppError('refused', 'site.path_taken', { path });
  }
}

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

/** The thing at a site's path: a link with its target, a folder, or nothing. */
type Live = { link: string } | 'folder' | null;

async function liveOf(sftp: Sftp, { live }: SitePaths): Promise<Live> {
  const found = await sftp.stat(live);
  if (!found) return null;
  if (found.type === 'directory') return 'folder';
  const link = found.type === 'link' ? await sftp.readLink(live) : null;
  if (link === null) throw new AppError('refused', 'site.path_taken', { path: live });
  return { link };
}

/**
 * Returns the target of a site's link; null where it is none. The type is asked first, because not every server answers
 * `readLink` of a folder with the usual error.
 */
const linkAt = async (sftp: Sftp, { live }: SitePaths): Promise<string | null> =>
  (await sftp.stat(live))?.type === 'link' ? sftp.readLink(live) : null;

/** Makes the link that is to replace a site, and returns its path. */
async function prepareLink(sftp: Sftp, { releases }: SitePaths, link: string): Promise<string> {
  const next = `${releases}/.next`;
  await sftp.removeFile(next);
  await sftp.link(link, next);
  return next;
}

/** Replaces a site's link atomically: a visitor gets the old site or the new one. */
async function switchTo(sftp: Sftp, paths: SitePaths, link: string): Promise<void> {
  await sftp.rename(await prepareLink(sftp, paths, link), paths.live);
}

/**
 * Replaces a folder by a link and keeps the folder. SFTP can't exchange the two, so the site is missing between two
 * renames: both are sent at once, and the server makes one after the other without waiting for an answer.
 */
async function replaceFolder(sftp: Sftp, paths: SitePaths, link: string, kept: string): Promise<void> {
  const { live, releases } = paths;
  const next = await prepareLink(sftp, paths, link);
  await sftp.renameBoth([live, `${releases}/${kept}`], [next, live]);
}

/**
 * Returns a free name for the folder that a first release replaces. Throws AppError `refused` where releases of other
 * sites are in that folder.
 */
async function nameForFolder(sftp: Sftp, { live, releases }: SitePaths, id: string): Promise<string> {
  const inside = (await sftp.list(live)) ?? [];
  if (inside.some(({ name }) => name === '.releases')) {
    throw new AppError('refused', 'site.path_holds_sites', { path: live });
  }
  const taken = new Set(((await sftp.list(releases)) ?? []).map(({ name }) => name));
  let name = `before-${id}`;
  for (let count = 2; taken.has(name); count += 1) name = `before-${id}-${count}`;
  return name;
}

/**
 * Returns the act that makes an uploaded release the live one. `before` and `after` are targets of the site's link. A
 * folder in its place is kept beside the releases; if that is cut off in the middle, the next look goes on.
 */
export function activateAct(sftp: Sftp, filePath: string, { id }: Pick<Release, 'id'>): Act {
  const paths = pathsOf(filePath);
  const after = linkTo(paths, id);
  return {
    name: 'activate',
    class: 'set',
    look: async () => {
      const found = await liveOf(sftp, paths);
      if (found !== null && found !== 'folder' && releaseOfLink(paths, found.link) === id) return null;
      const kept = found === 'folder' ? await nameForFolder(sftp, paths, id) : null;
      const before = kept === null ? ((found as { link: string } | null)?.link ?? null) : linkTo(paths, kept);
      const perform = async (): Promise<void> => {
        const folder = releaseFolder(paths, id);
        await refuseLinks(sftp, paths, folder);
        if (!(await sftp.stat(`${folder}/${markerPath(id)}`))) throw new AppError('refused', 'site.incomplete');
        if (kept === null) await switchTo(sftp, paths, after);
        else await replaceFolder(sftp, paths, after, kept);
      };
      return { before, after, perform };
    },
  };
}

// A site with more is reported to have at least as many.
const MOST_COUNTED = 10_000;
const MOST_FOLDERS = 500;

async function countFiles(sftp: Sftp, root: string): Promise<{ files: number; more: boolean }> {
  let [files, folders] = [0, 0];
  const queue = [root];
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    folders += 1;
    for (const { name, type } of (await sftp.list(path)) ?? []) {
      if (type === 'directory') queue.push(`${path}/${name}`);
      else files += 1;
    }
    if (files >= MOST_COUNTED || folders >= MOST_FOLDERS) return { files, more: true };
  }
  return { files, more: false };
}

/**
 * Returns the act that reports what leaves the web where a first release replaces a folder: how many files, and the
 * folder in which they are kept. It changes nothing; `activateAct` does.
 */
export function keepAct(sftp: Sftp, filePath: string, { id }: Pick<Release, 'id'>): Act {
  const paths = pathsOf(filePath);
  return {
    name: 'keep',
    class: 'read',
    look: async () => {
      if ((await liveOf(sftp, paths)) !== 'folder') return null;
      const folder = `${paths.releases}/${await nameForFolder(sftp, paths, id)}`;
      const counted = await countFiles(sftp, paths.live);
      return { before: { folder: paths.live, ...counted }, after: { folder }, perform: async () => undefined };
    },
  };
}

const wordsOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** Throws AppError `refused` where the release that is to be live again does not exist any more. */
async function refuseGone(sftp: Sftp, paths: SitePaths, link: string): Promise<void> {
  const name = releaseOfLink(paths, link);
  if (name !== null && (await sftp.stat(`${paths.releases}/${name}`))?.type !== 'directory') {
    throw new AppError('refused', 'site.former_gone', { path: paths.live });
  }
}

/**
 * Returns the act that makes live again what was live before an `activateAct`, by the targets of its link. A site that
 * somebody has switched since is left alone; one that is missing was cut off in the middle.
 */
export function activateBack(sftp: Sftp, filePath: string, before: unknown, after: unknown): Act {
  const paths = pathsOf(filePath);
  const former = wordsOf(before);
  return {
    name: 'activate',
    class: 'set',
    look: async () => {
      const found = await liveOf(sftp, paths);
      if (found === 'folder' || found?.link === former || (found && found.link !== after)) return null;
      if (found === null && former === null) return null;
      if (former !== null) await refuseGone(sftp, paths, former);
      const perform = (): Promise<void> =>
        former === null ? sftp.removeFile(paths.live) : switchTo(sftp, paths, former);
      return { before: found?.link ?? null, after: former, perform };
    },
    differs: async () => {
      const found = await liveOf(sftp, paths);
      const is = found === 'folder' ? found : (found?.link ?? null);
      return is === former ? [] : [{ name: 'activate', was: former, is }];
    },
  };
}

/** Returns the act that removes an uploaded release, unless it is live. */
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
      return { before: { release: id }, after: null, perform: () => sftp.removeTree(folder) };
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

/** Returns the id of the release that a site's link leads to, or null. */
export function releaseIdOf(filePath: string, link: unknown): string | null {
  const words = wordsOf(link);
  const name = words === null ? null : releaseOfLink(pathsOf(filePath), words);
  return name !== null && isReleaseId(name) ? name : null;
}
