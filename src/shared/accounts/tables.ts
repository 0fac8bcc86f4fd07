import {
  audited,
  id,
  integer,
  json,
  optional,
  reference,
  secret,
  table,
  text,
  time,
  type Row,
  machine,
} from '../table.ts';

// The result of the last test of a login.
const TEST = ['checked_at', 'check_error'];
const SEARCH_TEST = [...TEST, 'balance', 'balance_currency'];
const ACCOUNT_TEST = [...TEST, 'ns_1', 'ns_2', 'zones', 'cf_accounts'];

/**
 * The servers table. `ssh_password` is sealed. `host_key` (`ssh-ed25519 SHA256:…`) is the key pinned at the first contact,
 * `host_key_seen` a different key that the server has shown since; null: none. `check_error` is a Message as JSON.
 */
export const servers = table('servers', audited('name', TEST), {
  id: id(),
  user_id: optional(reference('users', 'SET NULL')),
  name: text(),
  ssh_host: text(),
  ssh_user: text(),
  ssh_password: secret(),
  created_at: time(),
  host_key: optional(text()),
  host_key_seen: optional(text()),
  checked_at: optional(time()),
  check_error: optional(json()),
});
export type ServerRow = Row<typeof servers>;

/**
 * The cloudflare_accounts table. `api_key` is sealed. `cf_account_id` is the account at the CDN chosen for new zones. Results
 * of the last test at `checked_at`: the accounts that the login sees (`cf_accounts`, `{id, name}` as JSON), the number of its
 * `zones`, and `check_error` (a Message as JSON; null: no error).
 */
export const cloudflareAccounts = table('cloudflare_accounts', audited('name', ACCOUNT_TEST), {
  id: id(),
  user_id: optional(reference('users', 'SET NULL')),
  name: text(),
  email: text(),
  api_key: secret(),
  ns_1: optional(text()),
  ns_2: optional(text()),
  created_at: time(),
  cf_account_id: optional(text()),
  zones: optional(integer()),
  checked_at: optional(time()),
  check_error: optional(json()),
  cf_accounts: json(),
});
export type CloudflareAccountRow = Row<typeof cloudflareAccounts>;

/**
 * The xmlriver_accounts table. `login` is the number of the account there, `key` is sealed. `balance` is what was last read, a
 * decimal text in `balance_currency`; `check_error` a Message as JSON.
 */
export const xmlriverAccounts = table('xmlriver_accounts', audited('name', SEARCH_TEST), {
  id: id(),
  user_id: optional(reference('users', 'SET NULL')),
  name: text(),
  login: text(),
  key: secret(),
  balance: optional(text()),
  balance_currency: optional(text()),
  created_at: time(),
  checked_at: optional(time()),
  check_error: optional(json()),
});
export type XmlriverAccountRow = Row<typeof xmlriverAccounts>;

/** The arsenkin_accounts table. `token` is sealed; the rest as in `xmlriver_accounts`, the balance in limits. */
export const arsenkinAccounts = table('arsenkin_accounts', audited('name', SEARCH_TEST), {
  id: id(),
  user_id: optional(reference('users', 'SET NULL')),
  name: text(),
  token: secret(),
  balance: optional(text()),
  balance_currency: optional(text()),
  created_at: time(),
  checked_at: optional(time()),
  check_error: optional(json()),
});
export type ArsenkinAccountRow = Row<typeof arsenkinAccounts>;

/**
 * The search_tasks table: tasks of operations at Arsenkin. `state`: `reserved` not sent · `sent` sent, its answer not stored ·
 * `running` begun, with a `task_id` · `unknown` sent, and whether it was begun is not known · `ended`. `members` is what it asks
 * for, as JSON; `error` why members were left open (a Message as JSON); `tries` those of the operation when that was found.
 */
export const searchTasks = table('search_tasks', machine('what search services work on'), {
  id: id(),
  operation_id: reference('operations', 'CASCADE'),
  tries: integer(),
  /** No reference: a task outlives its account. */
  arsenkin_id: integer(),
  state: text<'reserved' | 'sent' | 'running' | 'unknown' | 'ended'>(),
  task_id: optional(text()),
  members: json(),
  error: optional(json()),
  created_at: time(),
});
export type SearchTaskRow = Row<typeof searchTasks>;

/** The cloudflare_groups table. */
export const cloudflareGroups = table('cloudflare_groups', audited('name'), {
  id: id(),
  user_id: optional(reference('users', 'SET NULL')),
  name: text(),
  created_at: time(),
});
export type CloudflareGroupRow = Row<typeof cloudflareGroups>;

/** The cloudflare_group_accounts table: the accounts of a group. */
export const cloudflareGroupAccounts = table('cloudflare_group_accounts', audited(null), {
  id: id(),
  cloudflare_group_id: reference('cloudflare_groups', 'CASCADE'),
  cloudflare_account_id: reference('cloudflare_accounts', 'RESTRICT'),
});
export type CloudflareGroupAccountRow = Row<typeof cloudflareGroupAccounts>;

/**
 * The registrars table. `password` is sealed. Settings are null where the type has none. Results of the last test at
 * `checked_at`: `balance` (a decimal text) with its currency, and `check_error` (a Message as JSON; null: no error).
 */
export const registrars = table('registrars', audited('name', [...TEST, 'balance', 'balance_currency']), {
  id: id(),
  user_id: optional(reference('users', 'SET NULL')),
  type: text(),
  name: text(),
  login: text(),
  password: secret(),
  created_at: time(),
  base_url: optional(text()),
  contact: optional(text()),
  profile_type: optional(text()),
  profile_name: optional(text()),
  client_ip: optional(text()),
  sandbox: optional(text()),
  price: optional(text()),
  highest_price: optional(text()),
  balance: optional(text()),
  balance_currency: optional(text()),
  checked_at: optional(time()),
  check_error: optional(json()),
});
export type RegistrarRow = Row<typeof registrars>;

/**
 * The call_budgets table: what all processes together have taken of a login's limit of `calls` in `seconds`. `key` is a hash of the
 * login; `slices` is JSON, `{id, calls, until}` with a time in ms since 1970; until `blocked_until` the service refuses all calls.
 */
export const callBudgets = table(
  'call_budgets',
  machine('how many calls were made'),
  {
    key: text(),
    service: text(),
    calls: integer(),
    seconds: integer(),
    slices: json(),
    blocked_until: optional(time()),
    changed_at: time(),
  },
  { key: ['key'] },
);
export type CallBudgetRow = Row<typeof callBudgets>;
