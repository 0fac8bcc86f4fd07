import { transaction } from '../../../db/index.ts';
import type { CloudflareAccountRow } from '../../shared/accounts/tables.ts';
import { insertRow, updateRow } from '../../../db/rows.ts';
import { cloudflareAccounts } from '../../shared/accounts/tables.ts';
import { cloudflare, type Cloudflare } from '../../providers/cloudflare.ts';
import type {
  CloudflareAccountChange,
  CloudflareAccountInput,
  CloudflareAccountView,
} from '../../shared/accounts/cloudflare-accounts.ts';
import { checkCloudflareAccount } from './cloudflare-check.ts';
import type { Message } from '../../shared/i18n/index.ts';
import type { Config } from '../../lib/config.ts';
import type { Actor } from '../access/scope.ts';
import { listAccountRows } from './rows.ts';
import {
  canEdit,
  findOwnTeamRow,
  findTeamRow,
  newSecret,
  readSecret,
  requireSecret,
  shownSecret,
  storeSecret,
  storedMessage,
  type SecretsShown,
} from './team.ts';

async function views(actor: Actor, shown: SecretsShown, only?: number): Promise<CloudflareAccountView<Message>[]> {
  const rows = await listAccountRows(only);
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    email: row.email,
    api_key: shownSecret(actor, shown, 'cloudflare_accounts', row, row.api_key),
    ns_1: row.ns_1,
    ns_2: row.ns_2,
    created_at: row.created_at,
    domains: row.domains,
    groups: JSON.parse(row.groups) as CloudflareAccountView['groups'],
    zones: row.zones,
    checked_at: row.checked_at,
    check_error: storedMessage(row.check_error),
    cf_account_id: row.cf_account_id,
    cf_accounts: JSON.parse(row.cf_accounts) as CloudflareAccountView['cf_accounts'],
    can_edit: canEdit(actor, row),
  }));
}

/** Returns every CDN account, by name; keys as the caller may see them. */
export const listCloudflareAccounts = (actor: Actor, shown: SecretsShown): Promise<CloudflareAccountView<Message>[]> =>
  views(actor, shown);

async function viewOf(actor: Actor, id: number, shown: SecretsShown): Promise<CloudflareAccountView<Message>> {
  const [view] = await views(actor, shown, id);
  if (!view) throw new Error(`CDN account ${id} is not there`);
  return view;
}

/**
 * Adds a CDN account that belongs to the actor and tests its key at the CDN. A key that does not work is stored all the
 * same, and its error with it.
 */
export async function createCloudflareAccount(
  config: Config,
  actor: Actor,
  input: CloudflareAccountInput,
  shown: SecretsShown,
): Promise<CloudflareAccountView<Message>> {
  const key = requireSecret('api_key', input.api_key);
  const id = await transaction(async () => {
    const made = await insertRow(cloudflareAccounts, {
      name: input.name,
      email: input.email ?? '',
      cf_account_id: input.cf_account_id || null,
      cf_accounts: '[]',
      api_key: '',
      user_id: actor.id,
      created_at: new Date().toISOString(),
    });
    await storeSecret('cloudflare_accounts', made, key);
    return made;
  });
  await checkCloudflareAccount(config, id);
  return viewOf(actor, id, shown);
}

/**
 * Edits a CDN account; what is absent stays, and so does the key where the mask is sent. A new e-mail, key or account
 * for new zones is tested at the CDN.
 */
export async function updateCloudflareAccount(
  config: Config,
  actor: Actor,
  id: number,
  { api_key, cf_account_id, ...change }: CloudflareAccountChange,
  shown: SecretsShown,
): Promise<CloudflareAccountView<Message>> {
  const key = newSecret(api_key);
  const isNewLogin = await transaction(async () => {
    const before = await findOwnTeamRow<CloudflareAccountRow>(actor, 'cloudflare_accounts', id);
    const chosen = cf_account_id === undefined ? before.cf_account_id : cf_account_id || null;
    await updateRow(cloudflareAccounts, id, { ...change, cf_account_id: chosen });
    if (key !== undefined) await storeSecret('cloudflare_accounts', id, key);
    return key !== undefined || (change.email ?? before.email) !== before.email || chosen !== before.cf_account_id;
  });
  if (isNewLogin) await checkCloudflareAccount(config, id);
  return viewOf(actor, id, shown);
}

/** An account that is open for calls: its client, with the key inside, and its row without the key. */
interface OpenAccount {
  client: Cloudflare;
  account: Omit<CloudflareAccountRow, 'api_key'>;
}

/**
 * Opens an account of the team's for calls. Throws `not_found`, and `not_configured` where its key can't be read. Whether
 * the key works shows at the first call.
 */
export async function openCloudflare(
  { cloudflareUrl }: Config,
  accountId: number,
  options?: Parameters<typeof cloudflare>[2],
): Promise<OpenAccount> {
  const { api_key: sealed, ...account } = await findTeamRow<CloudflareAccountRow>('cloudflare_accounts', accountId);
  const api_key = readSecret('cloudflare_accounts', accountId, sealed);
  const seen = JSON.parse(account.cf_accounts) as CloudflareAccountView['cf_accounts'];
  const account_id = account.cf_account_id ?? (seen.length === 1 ? seen[0]!.id : null);
  return { client: cloudflare(cloudflareUrl, { email: account.email, api_key, account_id }, options), account };
}
