import type { CloudflareAccountRow } from '../../shared/accounts/tables.ts';
import { cloudflare, type Cloudflare } from '../../providers/cloudflare.ts';
import { cloudflareKind, type CloudflareAccountView } from '../../shared/accounts/cloudflare-accounts.ts';
import { config } from '../../lib/config.ts';
import { watching } from './refusals.ts';
import { findTeamRow, readSecret } from './team.ts';

/** An account that is open for calls: its client, with the key inside, and its row without the key. */
interface OpenAccount {
  client: Cloudflare;
  account: Omit<CloudflareAccountRow, 'api_key'>;
}

/**
 * Opens an account of the team's for calls. Throws `not_found`, and `not_configured` where its key can't be read. Whether
 * the key works shows at the first call; a refusal is kept in the row and told once.
 */
export async function openCloudflare(
  accountId: number,
  options?: Parameters<typeof cloudflare>[2],
): Promise<OpenAccount> {
  const { cloudflareUrl } = config();
  const row = await findTeamRow<CloudflareAccountRow>('cloudflare_accounts', accountId);
  const { api_key: sealed, ...account } = row;
  const api_key = readSecret('cloudflare_accounts', accountId, sealed);
  const seen = JSON.parse(account.cf_accounts) as CloudflareAccountView['cf_accounts'];
  const account_id = account.cf_account_id ?? (seen.length === 1 ? seen[0]!.id : null);
  const client = cloudflare(cloudflareUrl, { email: account.email, api_key, account_id }, options);
  return { client: watching(client, cloudflareKind, { ...row }), account };
}
