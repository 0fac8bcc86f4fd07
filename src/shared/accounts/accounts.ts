/**
 * The servers table. `ssh_password` is sealed. `host_key` (`ssh-ed25519 SHA256:…`) is the key pinned at the first contact,
 * `host_key_seen` a different key that the server has shown since; null: none. `check_error` is a Said as JSON.
 */
export interface ServerRow {
  id: number;
  user_id: number | null;
  name: string;
  ssh_host: string;
  ssh_user: string;
  ssh_password: string;
  created_at: string;
  host_key: string | null;
  host_key_seen: string | null;
  checked_at: string | null;
  check_error: string | null;
}

/**
 * The cloudflare_accounts table. `api_key` is sealed. `cf_account_id` is the account at the CDN chosen for new zones. Results
 * of the last test at `checked_at`: the accounts that the login sees (`cf_accounts`, `{id, name}` as JSON), the number of its
 * `zones`, and `check_error` (a Said as JSON; null: no error).
 */
export interface CloudflareAccountRow {
  id: number;
  user_id: number | null;
  name: string;
  email: string;
  api_key: string;
  ns_1: string | null;
  ns_2: string | null;
  created_at: string;
  cf_account_id: string | null;
  cf_accounts: string;
  zones: number | null;
  checked_at: string | null;
  check_error: string | null;
}

/** The cloudflare_groups table. */
export interface CloudflareGroupRow {
  id: number;
  user_id: number | null;
  name: string;
  created_at: string;
}

/** The cloudflare_group_accounts table: the accounts of a group. */
export interface CloudflareGroupAccountRow {
  id: number;
  cloudflare_group_id: number;
  cloudflare_account_id: number;
}

/** The registrars table. */
export interface RegistrarRow {
  id: number;
  user_id: number | null;
  type: string;
  name: string;
  login: string;
  password: string;
  created_at: string;
}

/** The templates table: a ZIP of `size` bytes with so many `files`; `placeholders` found in it are JSON. */
export interface TemplateRow {
  id: number;
  user_id: number | null;
  name: string;
  created_at: string;
  file_name: string;
  sha256: string;
  size: number;
  files: number;
  placeholders: string;
  updated_at: string;
}

/** The template_archives table: the ZIP of a template. */
export interface TemplateArchiveRow {
  id: number;
  template_id: number;
  archive: Uint8Array;
}
