import { createHash } from 'node:crypto';
import type { Sftp } from '../../providers/ssh/sftp.ts';
import { AppError } from '../../shared/errors.ts';
import type { SiteFile } from '../../shared/sites/sites.ts';
import { isReleaseId, pathsOf, releaseOfLink, type SitePaths } from '../portfolio/release-paths.ts';

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

/** Returns the release that these files are. */
export function releaseOf(files: SiteFile[]): Release {
  const lines = files.map(({ path, content }) => `${path}\0${sha256(content)}\n`).sort();
  const id = sha256(lines.join(''));
  return { id, files, marker: { path: markerPath(id), content: Buffer.from(`${id}\n`) } };
}

/**
 * Throws AppError `refused` where one of a site's own folders is no folder but, say, a link: writing would go
 * elsewhere.
 */
export async function refuseLinks(sftp: Sftp, { parent, releases }: SitePaths, folder: string): Promise<void> {
  for (const path of [`${parent}/.releases`, releases, folder]) {
    const found = await sftp.stat(path);
    if (found && found.type !== 'directory') throw new AppError('refused', 'site.path_taken', { path });
  }
}

/** Returns a text of a stored act that is not empty, or null. */
export const wordsOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** Returns the id of the release that a site's link leads to, or null. */
export function releaseIdOf(filePath: string, link: unknown): string | null {
  const words = wordsOf(link);
  const name = words === null ? null : releaseOfLink(pathsOf(filePath), words);
  return name !== null && isReleaseId(name) ? name : null;
}
