/** By which protocol a registry was asked. */
export type RegistrySource = 'rdap' | 'whois';

/** The answer of a registry about a name. Times are ISO 8601 in UTC, null if it tells none. */
export interface RegistryRecord {
  state: 'registered' | 'free';
  expires_at: string | null;
  /** When a name of .ru, .su or .рф that is not renewed becomes free. */
  free_at: string | null;
  registrar: string | null;
  /** In the registry's own words, such as `clientHold` or `NOT DELEGATED`. */
  statuses: string[];
  /** Lower case, without a dot at the end. */
  name_servers: string[];
  /** The server that answered. */
  server: string;
}
