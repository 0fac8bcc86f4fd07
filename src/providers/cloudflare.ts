import { redacting } from '../lib/redactor.ts';
import { openClient, type CallOptions, type Login } from './cloudflare/client.ts';
import { pageRulesOf } from './cloudflare/page-rules.ts';
import { recordsOf } from './cloudflare/records.ts';
import { redirectsOf } from './cloudflare/redirects.ts';
import { settingsOf } from './cloudflare/settings.ts';
import { listAccounts, verifyLogin } from './cloudflare/verify.ts';
import { zonesOf } from './cloudflare/zones.ts';

/**
 * Creates a client of Cloudflare's API v4 at `url` (which ends in `/client/v4`) for one login. All functions throw ProviderError,
 * or the signal's reason if it was aborted. No write is ever sent twice, and every answer is checked to be about what was
 * asked. All clients of a login share one budget of calls, in which a call may wait for minutes. Errors contain neither the
 * login's key nor a secret from the exchange.
 */
export function cloudflare(url: string, login: Login, options: CallOptions = {}) {
  const client = openClient(url, login, options);
  const adapter = {
    verify: () => verifyLogin(client, login),
    listAccounts: () => listAccounts(client, login),
    ...zonesOf(client),
    ...recordsOf(client),
    ...settingsOf(client),
    ...pageRulesOf(client),
    ...redirectsOf(client),
  };
  return redacting(adapter, client.redactor, { spared: () => options.signal?.reason as unknown });
}

/** The functions of the client, described in src/providers/cloudflare. */
export type Cloudflare = ReturnType<typeof cloudflare>;
