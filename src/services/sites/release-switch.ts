import type { Act } from '../../operations/flow.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import type { Sftp } from '../../providers/ssh/sftp.ts';
import { AppError } from '../../shared/errors.ts';
import { type SitePaths, pathsOf, linkTo, releaseOfLink, releaseFolder } from '../portfolio/release-paths.ts';
import { type Release, refuseLinks, markerPath, wordsOf } from './releases.ts';

/** The entry at a site's path: a link with its target, a folder, or null. */
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
export const linkAt = async (sftp: Sftp, { live }: SitePaths): Promise<string | null> =>
  (await sftp.stat(live))?.type === 'link' ? sftp.readLink(live) : null;
/** The path of the link that is to replace a site. */
export const nextOf = ({ releases }: SitePaths): string => `${releases}/.next`;

/** Makes the link that is to replace a site, and puts it in place by `place`. Where the server refuses that, the link does not stay. */
async function withLink(
  sftp: Sftp,
  paths: SitePaths,
  link: string,
  place: (next: string) => Promise<void>,
): Promise<void> {
  const next = nextOf(paths);
  await sftp.removeFile(next);
  await sftp.link(link, next);
  try {
    await place(next);
  } catch (error) {
    if (error instanceof ProviderError && error.kind === 'refused') await sftp.removeFile(next).catch(() => undefined);
    throw error;
  }
}

/** Replaces a site's link atomically: a visitor gets the old site or the new one. */
async function switchTo(sftp: Sftp, paths: SitePaths, link: string): Promise<void> {
  await withLink(sftp, paths, link, (next) => sftp.rename(next, paths.live));
}

/**
 * Replaces a folder by a link and keeps the folder. SFTP can't exchange the two, so the site is missing between two
 * renames: both are sent at once, and the server makes one after the other without waiting for an answer.
 */
async function replaceFolder(sftp: Sftp, paths: SitePaths, link: string, kept: string): Promise<void> {
  const { live, releases } = paths;
  await withLink(sftp, paths, link, (next) => sftp.renameBoth([live, `${releases}/${kept}`], [next, live]));
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
