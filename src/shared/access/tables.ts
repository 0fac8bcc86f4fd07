import {
  audited,
  flag,
  hash,
  id,
  integer,
  json,
  machine,
  optional,
  reference,
  secret,
  table,
  text,
  time,
  type Row,
} from '../table.ts';
import type { Density, ListName } from './list-views.ts';
import type { TokenScope } from './tokens.ts';
import type { Role } from './users.ts';

/** The installation table: named values of the whole installation, such as the fingerprint of its key. */
export const installation = table('installation', machine('what the program notes about the installation'), {
  id: id(),
  name: text(),
  value: text(),
});
export type InstallationRow = Row<typeof installation>;

/**
 * The api_tokens table: what programs sign in with. `hint` are the last characters, by which a person knows a token again;
 * without `expires_at` it does not expire.
 */
export const apiTokens = table('api_tokens', audited('name', ['last_used_at']), {
  id: id(),
  user_id: reference('users', 'CASCADE'),
  name: text(),
  scope: text<TokenScope>(),
  token_hash: hash(),
  hint: text(),
  created_at: time(),
  expires_at: optional(time()),
  last_used_at: optional(time()),
});
export type ApiTokenRow = Row<typeof apiTokens>;

/** The passkeys table: keys of authenticators (WebAuthn), of which the server has the public half. */
export const passkeys = table('passkeys', machine('adding and removing one is noted with its user'), {
  id: id(),
  user_id: reference('users', 'CASCADE'),
  name: text(),
  rp_id: text(),
  credential_id: text(),
  public_key: text(),
  counter: integer(),
  transports: json(),
  created_at: time(),
  last_used_at: optional(time()),
});
export type PasskeyRow = Row<typeof passkeys>;

/** The recovery_codes table: codes that stand in for a lost second factor, each once. */
export const recoveryCodes = table('recovery_codes', machine('making and using them is noted with their user'), {
  id: id(),
  user_id: reference('users', 'CASCADE'),
  code_hash: hash(),
  used_at: optional(time()),
});

/**
 * The sign_in_challenges table: sign-ins whose password was right and whose second factor is awaited, passkeys being added, and the
 * challenges by which a passkey alone has signed in (`spent`).
 */
export const signInChallenges = table('sign_in_challenges', machine('for one use within minutes'), {
  id: id(),
  user_id: reference('users', 'CASCADE'),
  kind: text<'sign_in' | 'passkey' | 'spent'>(),
  token_hash: hash(),
  tries: integer(),
  expires_at: time(),
});

/** The totp_secrets table: the secret of an authenticator app. Without `confirmed_at` it is not in use yet. */
export const totpSecrets = table('totp_secrets', machine('turning it on and off is noted with its user'), {
  id: id(),
  user_id: reference('users', 'CASCADE'),
  secret: secret(),
  confirmed_at: optional(time()),
  last_step: integer(),
  created_at: time(),
});

/** The sessions table. The id of a token is kept as a hash; `address` and `agent` are those of the sign-in. */
export const sessions = table('sessions', machine('signing in and out is noted; else only when it was last used'), {
  id: id(),
  user_id: reference('users', 'CASCADE'),
  sid_hash: hash(),
  address: text(),
  created_at: time(),
  last_seen_at: time(),
  expires_at: time(),
  agent: optional(text()),
});
export type SessionRow = Row<typeof sessions>;

/** The setup_links table: the hash of a link's token, while there are no users. */
export const setupLinks = table('setup_links', machine('for one use; the user that it makes is audited'), {
  id: id(),
  token_hash: hash(),
  expires_at: time(),
});
export type SetupLinkRow = Row<typeof setupLinks>;

/** The sign_in_networks table: an IPv4 address or the first 64 bits of an IPv6 address from which a user has signed in. */
export const signInNetworks = table('sign_in_networks', machine('kept by each sign-in, which is noted'), {
  id: id(),
  user_id: reference('users', 'CASCADE'),
  network: text(),
  last_at: time(),
});
export type SignInNetworkRow = Row<typeof signInNetworks>;

/**
 * The sign_in_tries table: the tries of signing in, and of codes that link a chat, that count for all servers, until `expires_at`. `key` is a digest of a login, a network, both, or a user's codes;
 * `book` is JSON with times in ms since 1970: `[time, network, known]` of a login, times of a network, the beginning of the wait of both, times of codes.
 */
export const signInTries = table(
  'sign_in_tries',
  machine('tries of signing in, for a quarter of an hour'),
  { key: text(), book: json(), expires_at: time() },
  { key: ['key'] },
);
export type SignInTriesRow = Row<typeof signInTries>;

/** The users table. `password` holds the hash; `active` 0 keeps the row but refuses sign-in. */
export const users = table('users', audited('login'), {
  id: id(),
  login: text(),
  password: hash(),
  telegram: optional(text()),
  role: text<Role>(),
  active: flag(),
  created_at: time(),
});
export type UserRow = Row<typeof users>;

/** The list_settings table: how a person sees a list. Without `columns`, a JSON list of ids in their order, it has those of the program. */
export const listSettings = table(
  'list_settings',
  machine('how a person sees a list, which nobody else does'),
  {
    user_id: reference('users', 'CASCADE'),
    list: text<ListName>(),
    columns: optional(json()),
    density: text<Density>(),
  },
  { key: ['user_id', 'list'] },
);
export type ListSettingsRow = Row<typeof listSettings>;

/** The list_views table: views of lists that a person keeps; `query` is that of the address. */
export const listViews = table('list_views', machine('what a person looks at, which nobody else does'), {
  id: id(),
  user_id: reference('users', 'CASCADE'),
  list: text<ListName>(),
  name: text(),
  query: text(),
  created_at: time(),
});
