import { AppError } from '../../shared/errors.ts';
import { isDeployable, plainFolder } from '../../shared/portfolio/site-folders.ts';

/** Paths of a site and of its releases, which lie beside the folder that it is served from. */
export interface SitePaths {
  /** The path that the web server serves: a link to the live release. */
  live: string;
  /** The folder that `live` stands in. */
  parent: string;
  /** The folder of all releases. */
  releases: string;
}

/**
 * Returns the paths of a site: all that is ever written lies in `releases`, or is `live` itself. Throws AppError
 * `refused` for a path that could lead elsewhere, is hidden or belongs to the system, or has no folder above it.
 */
export function pathsOf(filePath: string): SitePaths {
  const path = plainFolder(filePath);
  if (!isDeployable(path)) {
    throw new AppError('refused', 'site.unsafe_path', { path: filePath.slice(0, 100) }, { code: 'unsafe_path' });
  }
  const base = path.slice(path.lastIndexOf('/') + 1);
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
