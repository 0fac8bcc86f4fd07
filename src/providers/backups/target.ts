/** A file at a target. */
export interface StoredFile {
  name: string;
  bytes: number;
}

/** A file to be stored, with its size and its sums in hexadecimal. */
export interface Sending {
  path: string;
  bytes: number;
  sha256: string;
  md5: string;
}

/**
 * A place for copies of backups. Names are plain, without folders. Throws ProviderError; messages hold no secret. A file that was sent in
 * part is never listed.
 */
export interface CopyTarget {
  /** Returns the files of the target, in any order; of others than copies, too. */
  list: () => Promise<StoredFile[]>;
  /** Stores a file, replacing one of that name, and looks that what is stored is what was sent: else it throws `malformed`. */
  put: (name: string, file: Sending) => Promise<void>;
  /** Fetches a file into `path`, which may be left in part after an error. */
  get: (name: string, path: string) => Promise<void>;
  remove: (name: string) => Promise<void>;
  close: () => Promise<void>;
}

/** The name of a file while it is sent. */
export const draftOf = (name: string): string => `.${name}.part`;

// Long enough for the slowest line; what is older was left by a process that died.
const LONGEST_SENDING_MS = 24 * 3_600_000;

/** Whether a file was left by a sending that died, by its name and the time of its last change. */
export const isLeft = (name: string, modifiedMs: number): boolean =>
  /^\.seo-admin-.*\.part$/.test(name) && Date.now() - modifiedMs > LONGEST_SENDING_MS;
