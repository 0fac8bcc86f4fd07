import { lstatSync, readlinkSync } from 'node:fs';
import { join, posix } from 'node:path';

const MOST_LINKS = 40;

/** Makes an error like those of the file system, with a code. */
export const refusal = (code: string, path: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`${code}: ${path}`), { code });

// Each request looks at every part of its path: handing these looks to the pool takes several times as long as they do.
function linkAt(path: string): string | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(path) : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return null;
    throw error;
  }
}

/** Resolves a path to an absolute one without `..`, which cannot lead above `/`. */
export const plainPath = (path: string): string => posix.resolve('/', path);

/**
 * Returns the place on disk of a path of the server. Links are resolved inside the folder, as in a `chroot`; the last one only
 * with `follow`. The file system itself must not follow links, because they would lead out. Throws ELOOP.
 */
export function placeOf(root: string, path: string, follow = true): string {
  let todo = plainPath(path).split('/').slice(1);
  let at = '/';
  for (let links = 0; todo.length > 0;) {
    const [name = '', ...rest] = todo;
    todo = rest;
    if (name === '' || name === '.') continue;
    const next = posix.resolve(at, name);
    const target = rest.length > 0 || follow ? linkAt(join(root, next)) : null;
    if (target === null) {
      at = next;
      continue;
    }
    links += 1;
    if (links > MOST_LINKS) throw refusal('ELOOP', path);
    if (target.startsWith('/')) at = '/';
    todo = [...target.split('/'), ...rest];
  }
  return join(root, at);
}
