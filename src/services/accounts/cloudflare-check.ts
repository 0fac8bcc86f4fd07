import { transaction } from '../../../db/index.ts';
import type { CloudflareAccountRow } from '../../shared/accounts/tables.ts';
import type { Config } from '../../lib/config.ts';
import { asAppError } from '../../operations/failure.ts';
import { cloudflare, type Cloudflare } from '../../providers/cloudflare.ts';
import type { CloudflareLogin } from '../../shared/accounts/cloudflare-accounts.ts';
import { AppError } from '../../shared/errors.ts';
import type { Message } from '../../shared/i18n/index.ts';
import type { Actor } from '../access/scope.ts';
import { setAccountTest } from './rows.ts';
import { findOwnTeamRow, findTeamRow, readSecret, requireSecret } from './team.ts';

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

/** The result of testing a login: `code` is null where all is well, `said` is the message for a person. */
export interface CloudflareCheck {
  code: string | null;
  said: Message;
  verified: Verified | null;
}

const wrong = (code: string, said: Message, verified: Verified | null = null): CloudflareCheck => ({
  code,
  said,
  verified,
});

function failed(error: unknown, signal: AbortSignal): CloudflareCheck {
  if (signal.aborted) return wrong('provider_unavailable', { key: 'cloudflare_account.slow' });
  const known = asAppError(error);
  if (!(known instanceof AppError)) throw error;
  return wrong(known.code, { key: known.key, params: known.params });
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
function choiceOf({ accounts, complete }: Verified, chosen: string | null): Message[] {
  const names = { accounts: accounts.map(({ id, name }) => `${name} (${id})`).join(', ') };
  if (chosen === null) return accounts.length > 1 ? [{ key: 'cloudflare_account.choose', params: names }] : [];
  const isSeen = !complete || accounts.some(({ id }) => id === chosen);
  return isSeen ? [] : [{ key: 'cloudflare_account.not_seen', params: { ...names, id: chosen } }];
}

/** A login with the account that was chosen for its new zones. */
interface Asked {
  email: string;
  api_key: string;
  account_id: string | null;
}

/**
 * Tests a login at the CDN, by reading only: whether it works, and which permission it lacks. A failure is a result,
 * not an error.
 */
async function check({ cloudflareUrl }: Config, login: Asked): Promise<CloudflareCheck> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  try {
    const verified = await cloudflare(cloudflareUrl, login, { signal, foreground: true }).verify();
    const { missing, zones } = verified;
    const limits = limitsOf(verified);
    const choice = choiceOf(verified, login.account_id);
    const also = [...limits.also, ...choice];
    if (!limits.isEnough) {
      const permissions = missing.map((permission) => PERMISSIONS[permission]).join(', ');
      return wrong('permission_missing', { key: 'cloudflare_account.lacks', params: { permissions }, also }, verified);
    }
    const said: Message = { key: 'cloudflare_account.works', params: { zones }, ...(also.length > 0 && { also }) };
    return choice.length > 0 ? wrong('account_not_chosen', said, verified) : { code: null, said, verified };
  } catch (error) {
    return failed(error, signal);
  }
}

/** Tests a login that is not saved. Throws AppError `invalid` for the mask. */
export async function checkCloudflareLogin(config: Config, login: CloudflareLogin): Promise<CloudflareCheck> {
  const api_key = requireSecret('api_key', login.api_key);
  return check(config, { email: login.email ?? '', api_key, account_id: login.cf_account_id || null });
}

/**
 * Tests a saved account and stores the result. Throws AppError `not_found`, and `not_configured` where its key can't be
 * read.
 */
export async function checkCloudflareAccount(config: Config, id: number): Promise<CloudflareCheck> {
  const row = await findTeamRow<CloudflareAccountRow>('cloudflare_accounts', id);
  const api_key = readSecret('cloudflare_accounts', id, row.api_key);
  const found = await check(config, { email: row.email, api_key, account_id: row.cf_account_id });
  await keep(row, found);
  return found;
}

/** As `checkCloudflareAccount`, for a user who may edit the account. Throws `forbidden`, too. */
export async function testCloudflareAccount(config: Config, actor: Actor, id: number): Promise<CloudflareCheck> {
  await findOwnTeamRow(actor, 'cloudflare_accounts', id);
  return checkCloudflareAccount(config, id);
}

/**
 * Stores a result. A value that is not known this time stays; an account whose login was edited meanwhile is left
 * alone.
 */
async function keep(row: CloudflareAccountRow, { code, said, verified }: CloudflareCheck): Promise<void> {
  const zone = verified?.zone;
  await transaction(() =>
    setAccountTest(row, {
      checked_at: new Date().toISOString(),
      check_error: code === null ? null : JSON.stringify(said),
      zones: verified?.zones ?? null,
      cf_accounts: verified ? JSON.stringify(verified.accounts.map(({ id, name }) => ({ id, name }))) : null,
      ns_1: zone?.name_servers[0] ?? null,
      ns_2: zone?.name_servers[1] ?? null,
    }),
  );
}
