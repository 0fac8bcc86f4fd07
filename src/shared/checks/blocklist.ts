/** A list older than this proves nothing: every verdict becomes `unknown`. */
export const BLOCKLIST_MAX_AGE_HOURS = 72;

/** `csv` is the z-i dump, `list` one name a line, `json` an array of names, `xml` the register's own dump. */
export type BlocklistFormat = 'csv' | 'list' | 'json' | 'xml';

/** Distinct names by how they are listed: alone, as `*.name`, or only as the host of listed URLs. */
export interface BlocklistEntries {
  exact: number;
  mask: number;
  url: number;
}

/** The loaded list. Times are ISO 8601 in UTC. */
export interface BlocklistMeta {
  /** Equal for equal names in equal order: tells an observation on a new list from a repeated one. */
  list_version: string;
  /** The URL without credentials, or the file's name. */
  source: string;
  format: BlocklistFormat;
  entries: BlocklistEntries;
  /** Rows whose name could not be read. */
  unusable: number;
  /** When it was read, or when its source last reported no change. */
  fetched_at: string;
  /** The date in the list itself; a plain list has none. */
  updated_at: string | null;
}

/** A list that differs too much from earlier ones: it waits for a person, and the current one stays. */
export interface DoubtfulList {
  list_version: string;
  source: string;
  reason: 'shrunk' | 'grown' | 'given_back';
  /** The number of names that it blocks, and that of the list of the last seven days that it is compared with. */
  found: number;
  expected: number;
  fetched_at: string;
}

/** The list that a rollback would restore. */
export interface FormerList {
  list_version: string;
  /** Number of its names. */
  total: number;
  taken_at: string;
}

/** Lists kept beside the current one. */
export interface ListsBeside {
  doubt: DoubtfulList | null;
  former: FormerList | null;
}

/** A complete list. `stale`: older than BLOCKLIST_MAX_AGE_HOURS. Only a `fresh` one gives verdicts. */
export interface LoadedBlocklist extends BlocklistMeta, ListsBeside {
  state: 'fresh' | 'stale';
  age_hours: number;
}

/** No list, or an incomplete one. */
export type NoBlocklist = { [Field in keyof BlocklistMeta]: null } & {
  state: 'missing' | 'damaged';
  age_hours: null;
} & ListsBeside;

/** The loaded list, and whether it may be used. */
export type BlocklistStatus = LoadedBlocklist | NoBlocklist;

/**
 * The answer for one host. `entry` is the entry that blocks it, as the list spells it (`*.name` for a mask). `parent`: a name above it
 * is in a list that does not tell masks from names.
 * `url_listed`: pages of the host are listed, which does not block the host.
 */
export interface Verdict {
  status: 'blocked' | 'free' | 'unknown';
  reason: null | 'domain' | 'mask' | 'parent';
  entry: null | string;
  url_listed: boolean;
}

/** Progress of an update. `total` is in bytes like `bytes`; null if the source does not tell. */
export interface BlocklistProgress {
  phase: 'download' | 'import';
  bytes: number;
  total: number | null;
}
