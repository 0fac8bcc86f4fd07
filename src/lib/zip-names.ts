import { AppError } from '../shared/errors.ts';
import type { Key, Params } from '../shared/i18n/index.ts';

const MAX_NAME_BYTES = 255;
const MAX_PATH_BYTES = 1000;
// Every folder of a path is stored: without a limit a small archive would take much memory.
const MAX_DEPTH = 20;
const SHOWN_CHARACTERS = 100;

// Characters that can't be shown, or reverse the text after them.
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u001F\u007F-\u009F\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu;
// Names of devices on Windows, with any extension; COM0 and the like are allowed, superscript digits are not.
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[1-9¹²³])(?:\.|$)/i;
const LITTER = /^(?:\.ds_store|thumbs\.db|desktop\.ini)$/i;
const ARCHIVE =
  /\.(?:zip|zipx|jar|war|ear|apk|rar|7z|tar|tgz|tbz2?|txz|gz|gzip|bz2|xz|zst|lz|lz4|lzma|cab|arj|ace|iso|dmg|phar)$/i;

/** Returns a name for an error message: shortened, with invisible characters escaped. */
export function shownName(name: string): string {
  const visible = name.replace(CONTROLS, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const characters = Array.from(visible);
  return characters.length > SHOWN_CHARACTERS ? `${characters.slice(0, SHOWN_CHARACTERS - 1).join('')}…` : visible;
}

/** Makes the AppError `invalid` (code `bad_archive`) for an entry of an archive that breaks a rule. */
export const refusal = (key: Key, name = '', params: Params = {}): AppError =>
  new AppError('invalid', key, { ...params, name: shownName(name) }, { code: 'bad_archive' });

/** Whether a path was added by macOS or Windows and does not belong to a site. */
export const isLitter = (path: string): boolean => {
  const parts = path.split('/');
  return parts.includes('__MACOSX') || LITTER.test(parts.at(-1) ?? '');
};

/** Whether a file is itself an archive, by its name. */
export const isArchiveName = (path: string): boolean => ARCHIVE.test(path);

function ruleBroken(name: string): Key | null {
  CONTROLS.lastIndex = 0;
  if (CONTROLS.test(name)) return 'zip.control';
  if (name.includes('\\')) return 'zip.backslash';
  if (name.startsWith('/') || /^[a-z]:/i.test(name)) return 'zip.absolute';
  const parts = name.replace(/\/$/, '').split('/');
  if (parts.includes('..')) return 'zip.parent';
  if (parts.some((part) => part === '' || part === '.')) return 'zip.dots';
  if (parts.some((part) => /^[-~]/.test(part))) return 'zip.leading';
  if (parts.some((part) => DEVICE.test(part) || /[. ]$|:/.test(part))) return 'zip.reserved';
  const isLong = Buffer.byteLength(name) > MAX_PATH_BYTES || parts.length > MAX_DEPTH;
  return isLong || parts.some((part) => Buffer.byteLength(part) > MAX_NAME_BYTES) ? 'zip.long' : null;
}

/** Throws `invalid` for a name that would be written outside its folder, or can't be written on every system. */
export function checkName(name: string): void {
  const key = ruleBroken(name);
  if (key) throw refusal(key, name);
}

/**
 * The paths of an archive: each must be unique, a file or a folder, and in one spelling. On a system that ignores case two
 * spellings are one file, so that the file written would not be the one checked here.
 */
export class Paths {
  private readonly known = new Map<string, { path: string; isFolder: boolean }>();

  /** Adds a path. Throws `invalid` if the path, or a folder in it, exists as something else. */
  add(path: string, isFolder: boolean): void {
    const parts = path.split('/');
    for (let length = 1; length < parts.length; length++) this.note(parts.slice(0, length).join('/'), true, path);
    this.note(path, isFolder, path);
  }

  private note(path: string, isFolder: boolean, whole: string): void {
    const folded = path.normalize('NFC').toLowerCase();
    const there = this.known.get(folded);
    if (!there) {
      this.known.set(folded, { path, isFolder });
      return;
    }
    if (there.isFolder !== isFolder) throw refusal('zip.file_and_folder', path);
    if (there.path !== path) throw refusal('zip.case', whole, { other: shownName(there.path) });
    if (!isFolder) throw refusal('zip.duplicate', path);
  }
}
