import { AppError } from '../../shared/errors.ts';
import { isSystemFolder, plainFolder } from '../../shared/portfolio/site-folders.ts';

// oxlint-disable-next-line no-control-regex
const BAD = /[\u0000-\u001F\u007F-\u009F\u2028\u2029\\~]/;
const LONGEST = 500;

/** Paths of a site and of its releases, which lie beside the folder that it is served from. */
export interface SitePaths {
  /** The path that the web server serves: a link to the live release. */
  live: string;
  /** The folder that `live` stands in. */
  parent: string;
  /** The folder of all releases. */
  releases: string;
}

const isPlain = (part: string): boolean => part !== '' && !part.startsWith('.') && !/^[-~]/.test(part);

/**
 * Returns the paths of a site: all that is ever written lies in `releases`, or is `live` itself. Throws AppError
 * `refused` for a path that could lead elsewhere, is hidden or belongs to the system, or has no folder above it.
 */
export function pathsOf(filePath: string): SitePaths {
  const path = plainFolder(filePath);
  const parts = path.split('/').slice(1);
  const isGood = path.startsWith('/') && path.length <= LONGEST && parts.length >= 2 && parts.every(isPlain);
  if (!isGood || BAD.test(path) || isSystemFolder(path)) {
    throw new AppError('refused', 'site.unsafe_path', { path: filePath.slice(0, 100) }, { code: 'unsafe_path' });
  }
  const base = parts.at(-1) ?? '';
  const parent = path.slice(0, -base.length - 1);
  return { live: path, parent, releases: `${parent}/.releases/${base}` };
}

const RELEASE = /^[0-9a-f]{64}$/;

/** Whether a name is a valid release id. */
export const isReleaseId = (name: string): boolean => RELEASE.test(name);

/** Returns the folder of a release. Throws Error for an invalid id, because it becomes a path. */
export function releaseFolder({ releases }: SitePaths, id: string): string {
  if (!isReleaseId(id)) throw new Error(`${id} is no release`);
  return `${releases}/${id}`;
}

/** Returns the target of a site's link to a folder of its releases: relative, so that it holds in a chroot, too. */
export const linkTo = ({ parent, releases }: SitePaths, name: string): string =>
  `${releases.slice(parent.length + 1)}/${name}`;

/** Returns the name of the folder in the site's releases that a link leads to; null where it leads elsewhere. */
export function releaseOfLink({ parent, releases }: SitePaths, target: string): string | null {
  const absolute = target.startsWith('/') ? target : `${parent}/${target}`;
  const name = absolute.startsWith(`${releases}/`) ? absolute.slice(releases.length + 1).replace(/\/$/, '') : '';
  return name === '' || name.includes('/') || name.startsWith('.') ? null : name;
}
