import { audited, flag, hash, id, integer, json, optional, reference, table, text, time, type Row } from '../table.ts';

// Columns that the audit leaves out: results of checks, the shown form of the name, the import, and the order of claims.
const KEPT_BY_PROGRAM = [
  'unicode_name',
  'status',
  'block_entry',
  'last_block_check_at',
  'http_status_code',
  'http_error',
  'last_http_check_at',
  'google_indexation',
  'yandex_indexation',
  'last_check_indexation',
  'import_id',
  'name_claim',
  'attached_claim',
  'folder_claim',
];

/** The domains table. `domain_name` is punycode, `unicode_name` the same as people read and search it. Times are ISO 8601 in UTC; indexation is 1, 0 or null (never checked). */
export const domains = table('domains', audited('domain_name', KEPT_BY_PROGRAM), {
  id: id(),
  user_id: reference('users', 'RESTRICT'),
  project_id: optional(reference('projects', 'SET NULL')),
  domain_name: text(),
  unicode_name: text(),
  file_path: text(),
  type: text<'main' | 'transfer'>(),
  transfer_type: text<'auto' | 'manual'>(),
  transfer_dns: text<'on' | 'off'>(),
  server_id: optional(reference('servers', 'RESTRICT')),
  cloudflare_account_id: optional(reference('cloudflare_accounts', 'RESTRICT')),
  registrars_id: optional(reference('registrars', 'RESTRICT')),
  template_id: optional(reference('templates', 'RESTRICT')),
  status: text<'available' | 'blocked'>(),
  block_entry: optional(text()),
  last_block_check_at: optional(time()),
  http_status_code: optional(integer()),
  http_error: optional(text()),
  last_http_check_at: optional(time()),
  google_indexation: optional(flag()),
  yandex_indexation: optional(flag()),
  last_check_indexation: optional(time()),
  expired_at: optional(time()),
  import_id: optional(reference('imports', 'SET NULL')),
  created_at: time(),
  updated_at: time(),
  deleted_at: optional(time()),
  /** Order in which rows took their name and their folder, comparable with ids; null: the row's own id. Triggers set them. */
  name_claim: optional(integer()),
  folder_claim: optional(integer()),
  /** The claim of the attached name that the row was made of, or below which it was made; null: none. A trigger sets it. */
  attached_claim: optional(integer()),
});
export type DomainRow = Row<typeof domains>;

/** The imports table. `before` is an `ImportUndo` as JSON; once it can no longer be undone, the purge empties it. */
export const imports = table('imports', audited('source', ['before']), {
  id: id(),
  user_id: reference('users', 'CASCADE'),
  source: text(),
  created: integer(),
  updated: integer(),
  before: json(),
  created_at: time(),
  undone_at: optional(time()),
});
export type ImportRow = Row<typeof imports>;

/**
 * The projects table. `deleted_domains` holds, as JSON ids, the domains that a restore brings back. `last_reserve`: an
 * automatic transfer may use the last reserve that is left.
 */
export const projects = table('projects', audited('name'), {
  id: id(),
  user_id: reference('users', 'RESTRICT'),
  name: text(),
  created_at: time(),
  deleted_at: optional(time()),
  deleted_domains: optional(json()),
  last_reserve: text<'on' | 'off'>(),
});
export type ProjectRow = Row<typeof projects>;

/** The expiry_feeds table: the token of a user's feed of expiries, as a hash. */
export const expiryFeeds = table('expiry_feeds', audited(null), {
  id: id(),
  user_id: reference('users', 'CASCADE'),
  token_hash: hash(),
  created_at: time(),
});
