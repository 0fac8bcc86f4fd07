import { ProviderError } from '../provider-error.ts';

// PATH_MAX of Linux: longer paths can't exist.
const MAX_BYTES = 4096;

const refuse = (): never => {
  throw new ProviderError('refused', 'not a path that can be used', { code: 'bad_path' });
};

/**
 * Returns a text that may be sent as a path or target. Throws `refused` if it is empty, too long, or has characters that no name
 * can have. SFTP has no shell, so no other characters are special.
 */
export function targetOf(text: string): string {
  const bytes = Buffer.from(text);
  const isText = text !== '' && !text.includes('\0') && bytes.toString() === text;
  return isText && bytes.length <= MAX_BYTES ? text : refuse();
}

/** Returns an absolute path without `.`, `..` and empty parts, unchanged. Throws `refused` for any other. */
export function pathOf(path: string): string {
  const parts = targetOf(path).split('/');
  const isPlain = parts.length > 1 && parts.every((part, at) => (at === 0 ? part === '' : !/^\.{0,2}$/.test(part)));
  return isPlain ? path : refuse();
}

/** Returns the folder of a path. */
export const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/';
