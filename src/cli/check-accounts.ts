import type { Actor } from '../services/access/scope.ts';
import { testCloudflareAccount } from '../services/accounts/cloudflare-check.ts';
import type { Context } from './context.ts';
import type { Result } from './output.ts';
import { tryEach } from './try-each.ts';

/** Tests the keys of CDN accounts and returns a result for each. */
export function checkAccounts(
  context: Context,
  actor: Actor,
  accounts: readonly { id: number; name: string }[],
): Promise<Result> {
  return tryEach(context, accounts, (id) => testCloudflareAccount(context.config(), actor, id));
}
