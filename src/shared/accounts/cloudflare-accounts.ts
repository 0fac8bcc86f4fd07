import { accountKind, type AnyView } from './kind.ts';
import { cloudflareAccounts, type CloudflareAccountRow } from './tables.ts';
import { ACCOUNT_SCREENS } from './screens.ts';

/**
 * A CDN account in a list. `zones` counts those at the CDN; `cf_accounts` are the accounts at the CDN that the login was
 * last seen to reach.
 */
export interface CloudflareAccountView
  extends AnyView, Pick<CloudflareAccountRow, 'email' | 'api_key' | 'ns_1' | 'ns_2' | 'zones' | 'cf_account_id'> {
  cf_accounts: { id: string; name: string }[];
  groups: { id: number; name: string }[];
}

/**
 * CDN accounts. `api_key` is an account's global key, which needs the e-mail, or an API token, which goes without one.
 * `cf_account_id` is the account at the CDN for new zones; empty: the only one that the login sees.
 */
export const cloudflareKind = accountKind<CloudflareAccountView>()({
  noun: 'cloudflare',
  table: cloudflareAccounts,
  path: '/api/cloudflare_accounts',
  edit: 'POST',
  called: { one: 'a CDN account', many: 'CDN accounts' },
  texts: 'cloudflare',
  name: 'cloudflare.name',
  fields: {
    email: {
      kind: 'email',
      max: 254,
      flag: 'email',
      label: 'cloudflare.email',
      help: 'cloudflare.email_help',
      invalid: 'cloudflare_account.email_invalid',
    },
    api_key: {
      kind: 'secret',
      max: 500,
      flag: 'key',
      label: 'cloudflare.key',
      help: 'cloudflare.key_help',
      kept: 'cloudflare.key_kept',
      empty: 'cloudflare_account.key_empty',
    },
    cf_account_id: {
      kind: 'choice',
      max: 32,
      pattern: /^([0-9a-f]{32})?$/,
      flag: 'account-id',
      label: 'cloudflare.zones_account',
      help: 'cloudflare.zones_account_help',
      invalid: 'cloudflare_account.id_invalid',
      among: 'cf_accounts',
      none: 'cloudflare.zones_account_none',
    },
  },
  test: { by: 'owner', onSave: true, unsaved: true },
  inGroups: true,
  listed: {
    id: true,
    name: true,
    email: true,
    zones: true,
    domains: true,
    ns_1: true,
    ns_2: true,
    checked_at: 'checked',
    check_error: 'error',
    api_key: false,
    created_at: false,
    cf_account_id: false,
    cf_accounts: false,
    groups: false,
    can_edit: false,
  },
  screen: {
    ...ACCOUNT_SCREENS.cloudflare,
    layout: 'cards',
    shown: [
      { column: 'email', header: 'cloudflare.email' },
      { column: 'api_key', header: 'cloudflare.key' },
      { column: 'ns_1', header: 'cloudflare.ns' },
      { column: 'zones', header: 'cloudflare.zones' },
      { column: 'domains', header: 'cloudflare.domains' },
      { column: 'groups', header: 'cloudflare.groups' },
      { column: 'created_at', header: 'cloudflare.created' },
    ],
    search: { label: 'cloudflare.search', columns: ['email'] },
    question: { text: 'cloudflare.remove_question', confirm: 'cloudflare.yes', cancel: 'cloudflare.no' },
  },
  chosen: {
    label: 'domain_form.cloudflare',
    none: 'domain_form.no_cloudflare',
    failed: 'projects.cloudflare_failed',
  },
});
