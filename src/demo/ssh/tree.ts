import { lstat, readlink } from 'node:fs/promises';
import { join, posix } from 'node:path';

const MOST_LINKS = 40;

/** Makes an error like those of the file system, with a code. */
export const refusal = (code: string, path: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`${code}: ${path}`), { code });

async function linkAt(path: string): Promise<string | null> {
  try {
    return (await lstat(path)).isSymbolicLink() ? await readlink(path) : null;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

/** Resolves a path to an absolute one without `..`, which cannot lead above `/`. */
export const plainPath = (path: string): string => posix.resolve('/', path);

/**
 * Returns the place on disk of a path of the server. Links are resolved inside the folder, as in a `chroot`; the last one only
 * with `follow`. The file system itself must not follow links, because they would lead out. Throws ELOOP.
 */
export async function placeOf(root: string, path: string, follow = true): Promise<string> {
  let todo = plainPath(path).split('/').slice(1);
  let at = '/';
  for (let links = 0; todo.length > 0;) {
    const [name = '', ...rest] = todo;
    todo = rest;
    if (name === '' || name === '.') continue;
    const next = posix.resolve(at, name);
    const target = rest.length > 0 || follow ? await linkAt(join(root, next)) : null;
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
