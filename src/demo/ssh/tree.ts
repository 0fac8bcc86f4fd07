import { lstat, readlink } from 'node:fs/promises';
import { join, posix } from 'node:path';

const MOST_LINKS = 40;

/** An error as the file system throws it, with its code. */
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

/** An absolute path without steps upwards: above `/` there is nothing. */
export const plainPath = (path: string): string => posix.resolve('/', path);

/**
 * Where a path of the server lies on disk: links are followed inside the folder, as in a `chroot`, the last one only where
 * `follow` says so. The file system itself never sees a link, because it would lead out. Throws ELOOP.
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
