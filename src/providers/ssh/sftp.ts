/** An entry of a folder; for a link, the link itself. */
export interface RemoteEntry {
  name: string;
  type: 'file' | 'directory' | 'link' | 'other';
  size: number;
  /** Time of the last change, in seconds by the server's clock. */
  modified: number;
}

/**
 * A session over SFTP; there is no shell, every path is a literal. Paths are absolute and plain (no `..`). Any number of
 * calls may be in flight. All methods throw ProviderError: `refused` if the server refuses (permission, disk full), and
 * `unavailable` once the connection is lost; a file being written may then exist in part.
 */
export interface Sftp {
  hostKey: string;
  /** Returns the entries of a folder, unsorted; null if there is none. Follows a link. */
  list: (dir: string) => Promise<RemoteEntry[] | null>;
  /** Returns null if nothing is there. Does not follow a link. */
  stat: (path: string) => Promise<RemoteEntry | null>;
  /** Returns the target of a link as written in it; null if there is no link. */
  readLink: (path: string) => Promise<string | null>;
  /** Returns the path as the server resolves it, links followed; null if nothing is there. */
  realPath: (path: string) => Promise<string | null>;
  /** Returns null if nothing is there. Throws `refused` with the code `too_large` for a file of more than `limit` bytes. */
  readFile: (path: string, limit: number) => Promise<Buffer | null>;
  /** Creates or truncates a file, readable for everybody whatever the server's umask. */
  writeFile: (path: string, content: Uint8Array) => Promise<void>;
  /** Sends a file of this machine by pieces into a new or truncated one, readable by its owner only. */
  sendFile: (from: string, path: string) => Promise<void>;
  /** Reads a file of any size by pieces, in their order; `take` is awaited before the next is asked for. Throws `refused` where there is none. */
  fetchFile: (path: string, take: (chunk: Buffer) => Promise<void>) => Promise<void>;
  /** Creates a folder and those above it, readable for everybody; skips folders that this session has created or seen. */
  makeDirs: (path: string) => Promise<void>;
  /** Atomic; replaces a file or a link. */
  rename: (from: string, to: string) => Promise<void>;
  /**
   * Sends two renames in one packet of SSH, so that almost no time passes between them at the server, which gets both or none. If only the second is refused,
   * the first is undone. Choose them so that the second fails if the first does: it is not undone.
   */
  renameBoth: (first: readonly [string, string], second: readonly [string, string]) => Promise<void>;
  /** Returns the free bytes and files on the file system of a path; null if the server does not tell. */
  freeSpace: (path: string) => Promise<{ bytes: number; files: number } | null>;
  /** Creates a symbolic link at `path`. Throws `refused` if something exists there. */
  link: (target: string, path: string) => Promise<void>;
  removeFile: (path: string) => Promise<void>;
  /** Removes a folder with its content; of a link only the link itself. */
  removeTree: (path: string) => Promise<void>;
  /** Removes a folder that holds nothing; any other stays. */
  removeEmpty: (path: string) => Promise<void>;
  close: () => Promise<void>;
}
