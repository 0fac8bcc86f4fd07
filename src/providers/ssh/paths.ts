import { ProviderError } from '../provider-error.ts';

// PATH_MAX of Linux; what is longer can't be there.
const MAX_BYTES = 4096;

const refuse = (): never => {
  throw new ProviderError('refused', 'not a path that can be used', { code: 'bad_path' });
};

/**
 * Whether a text may go out as a target: any but one that is empty, too long, or holds what no name can hold. SFTP knows
 * no shell, so nothing else in it means anything.
 */
export function targetOf(text: string): string {
  const bytes = Buffer.from(text);
  const isText = text !== '' && !text.includes('\0') && bytes.toString() === text;
  return isText && bytes.length <= MAX_BYTES ? text : refuse();
}

/** An absolute path without `.`, `..` and empty parts, as it came. Throws `refused` for all else. */
export function pathOf(path: string): string {
  const parts = targetOf(path).split('/');
  const isPlain = parts.length > 1 && parts.every((part, at) => (at === 0 ? part === '' : !/^\.{0,2}$/.test(part)));
  return isPlain ? path : refuse();
}

/** The folder of a path. */
export const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/';
