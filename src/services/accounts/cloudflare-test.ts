import { config } from '../../lib/config.ts';
import { asAppError } from '../../operations/failure.ts';
import { cloudflare, type Cloudflare } from '../../providers/cloudflare.ts';
import { AppError } from '../../shared/errors.ts';
import type { Message } from '../../shared/i18n/index.ts';
import type { Login, Tested, Tester } from './tester.ts';

// A person waits for the answer.
const PATIENCE_MS = 15_000;

type Verified = Awaited<ReturnType<Cloudflare['verify']>>;

// Cloudflare's names of the permissions of a token.
const PERMISSIONS: Record<Verified['missing'][number], string> = {
  zones: 'Zone: Read',
  dns: 'DNS: Edit',
  settings: 'Zone Settings: Edit',
  page_rules: 'Page Rules: Edit',
  redirects: 'Single Redirect: Edit',
};

interface Details {
  kind: Verified['kind'] | null;
  zones: number | null;
  accounts: { id: string; name: string }[];
  missing: Verified['missing'];
  name_servers: string[];
}

/** Returns a result with what was seen of the account: null, nothing. */
function resultOf(code: string | null, message: Message, verified: Verified | null): Tested<Details> {
  const { kind = null, zones = null, missing = [] } = verified ?? {};
  const accounts = verified?.accounts.map(({ id, name }) => ({ id, name })) ?? [];
  const [ns_1 = null, ns_2 = null] = verified?.zone?.name_servers ?? [];
  return {
    code,
    message,
    details: { kind, zones, accounts, missing, name_servers: verified?.zone?.name_servers ?? [] },
    known: { zones, cf_accounts: verified && JSON.stringify(accounts), ns_1, ns_2 },
  };
}

function failed(error: unknown, signal: AbortSignal): Tested<Details> {
  if (signal.aborted) return resultOf('provider_unavailable', { key: 'cloudflare_account.slow' }, null);
  const known = asAppError(error);
  if (!(known instanceof AppError)) throw error;
  return resultOf(known.code, { key: known.key, params: known.params }, null);
}

type Missing = Verified['missing'][number];

const WITHOUT: Record<Missing, Message> = {
  zones: { key: 'cloudflare_account.without_zones' },
  dns: { key: 'cloudflare_account.without_dns' },
  settings: { key: 'cloudflare_account.without_settings' },
  page_rules: { key: 'cloudflare_account.without_page_rules' },
  redirects: { key: 'cloudflare_account.without_redirects' },
};

/**
 * Returns messages about the permissions that a working login lacks, and whether it has enough. Page rules and single
 * redirects do the same: one of them is enough.
 */
function limitsOf({ missing }: Verified): { also: Message[]; isEnough: boolean } {
  const forwards = ['page_rules', 'redirects'] as const;
  const canForward = !forwards.every((one) => missing.includes(one));
  const also = missing.filter((one) => canForward || one === 'zones' || one === 'dns' || one === 'settings');
  return {
    also: [
      ...also.map((one) => WITHOUT[one]),
      ...(canForward ? [] : [{ key: 'cloudflare_account.without_forwarding' } as const]),
    ],
    isEnough: canForward && missing.every((one) => one === 'page_rules' || one === 'redirects'),
  };
}

/** Returns messages where it is not settled which account new zones would go into. */
function choiceOf({ accounts, complete, missing }: Verified, chosen: string | null): Message[] {
  const names = { accounts: accounts.map(({ id, name }) => `${name} (${id})`).join(', ') };
  // Without the right to read zones nothing was asked about accounts.
  if (chosen === null && accounts.length === 0 && !missing.includes('zones')) {
    return [{ key: 'cloudflare_account.none_seen' }];
  }
  if (chosen === null) return accounts.length > 1 ? [{ key: 'cloudflare_account.choose', params: names }] : [];
  const isSeen = !complete || accounts.some(({ id }) => id === chosen);
  return isSeen ? [] : [{ key: 'cloudflare_account.not_seen', params: { ...names, id: chosen } }];
}

/** Tests a login at the CDN, by reading only: whether it works, and which permission it lacks. */
async function test({ fields, secret }: Login): Promise<Tested<Details>> {
  const { cloudflareUrl } = config();
  const account_id = fields['cf_account_id'] || null;
  const login = { email: fields['email'] ?? '', api_key: secret(), account_id };
  const signal = AbortSignal.timeout(PATIENCE_MS);
  try {
    const verified = await cloudflare(cloudflareUrl, login, { signal, foreground: true }).verify();
    const { missing, zones } = verified;
    const limits = limitsOf(verified);
    const choice = choiceOf(verified, account_id);
    const also = [...limits.also, ...choice];
    if (!limits.isEnough) {
      const permissions = missing.map((permission) => PERMISSIONS[permission]).join(', ');
      const message: Message = { key: 'cloudflare_account.lacks', params: { permissions }, also };
      return resultOf('permission_missing', message, verified);
    }
    const message: Message = { key: 'cloudflare_account.works', params: { zones }, ...(also.length > 0 && { also }) };
    return resultOf(choice.length > 0 ? 'account_not_chosen' : null, message, verified);
  } catch (error) {
    return failed(error, signal);
  }
}

export const cloudflareTester: Tester<Details> = { test };
