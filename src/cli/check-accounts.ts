import type { Actor } from '../services/access/scope.ts';
import type { Context } from './context.ts';
import type { Result } from './output.ts';
import { tryEach } from './try-each.ts';

/** Tests the keys of CDN accounts and returns a result for each. */
export async function checkAccounts(
  context: Context,
  actor: Actor,
  accounts: readonly { id: number; name: string }[],
): Promise<Result> {
  const { testCloudflareAccount } = await import('../services/accounts/cloudflare-check.ts');
  return tryEach(context, accounts, (id) => testCloudflareAccount(context.config(), actor, id));
}
