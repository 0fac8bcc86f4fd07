import { z } from 'zod';
import { ProviderError } from '../provider-error.ts';
import { path, type Client, type Login } from './client.ts';
import { pageRulesOf } from './page-rules.ts';
import { redirectsOf } from './redirects.ts';
import { settingsOf } from './settings.ts';
import { Zone, ZONES_PER_PAGE } from './zones.ts';

/** What a login may be unable to read. */
export type Permission = 'zones' | 'dns' | 'settings' | 'page_rules' | 'redirects';

const Account = z.object({ id: z.string().min(1), name: z.string(), type: z.string().nullish() });
/** An account of the login; `type` is not told to every token. */
export type Account = z.infer<typeof Account>;

/** What is known of a login that works. */
export interface Verified {
  /** The global key of a user, or a token. */
  kind: 'key' | 'token';
  accounts: Account[];
  /** What the login can't read. Whether it can write shows only when it does. */
  missing: Permission[];
  /** How many zones it sees. */
  zones: number;
  /** The zone at which the permissions were tried; without one they were not. */
  zone: Zone | null;
}

/** Finds out whether a login works and what it lacks, by reading only. Throws `credentials` for one that does not work. */
export async function verifyLogin(client: Client, login: Login): Promise<Verified> {
  const kind = login.email === '' ? 'token' : 'key';
  const first = await readZones(client, kind);
  if (first === null) return { kind, accounts: [], missing: ['zones'], zones: 0, zone: null };
  const [zone = null] = first.rows;
  const [accounts, missing] = await Promise.all([
    readAccounts(client, kind, first.rows),
    zone === null ? [] : tryPermissions(client, zone.id),
  ]);
  return { kind, accounts, missing, zones: first.total, zone };
}

// A wrong token and one without the right to read zones get alike answers: only the first is no token at all.
async function readZones(client: Client, kind: Verified['kind']) {
  try {
    return await client.getPage('/zones', Zone, { per_page: ZONES_PER_PAGE });
  } catch (error) {
    if (kind === 'key' || !isLacking(error)) throw error;
    const { status } = await client.get('/user/tokens/verify', z.object({ status: z.string() }));
    if (status !== 'active') throw new ProviderError('credentials', `the token is ${status}`);
    return null;
  }
}

// A token may be kept from the list of accounts, and one that an account owns always is: then its zones tell them.
async function readAccounts(client: Client, kind: Verified['kind'], zones: Zone[]): Promise<Account[]> {
  const ofZones = zones.map(({ account }) => ({ id: account.id, name: account.name ?? '' }));
  const seen = [...new Map(ofZones.map((account) => [account.id, account])).values()];
  try {
    const accounts = await client.getAll('/accounts', Account, { per_page: 50 });
    return accounts.length > 0 ? accounts : seen;
  } catch (error) {
    const isRefused = isLacking(error) || (error instanceof ProviderError && error.kind === 'refused');
    if (kind === 'token' && isRefused) return seen;
    throw error;
  }
}

async function tryPermissions(client: Client, zoneId: string): Promise<Permission[]> {
  const reads: [Permission, Promise<unknown>][] = [
    ['dns', client.get(path`/zones/${zoneId}/dns_records`, z.array(z.unknown()), { per_page: 1 })],
    ['settings', settingsOf(client).getSetting(zoneId, 'tls_1_3')],
    ['page_rules', pageRulesOf(client).listPageRules(zoneId)],
    ['redirects', redirectsOf(client).listRedirects(zoneId)],
  ];
  const lacking = await Promise.all(
    reads.map(async ([permission, read]) => {
      try {
        await read;
        return [];
      } catch (error) {
        if (isLacking(error)) return [permission];
        throw error;
      }
    }),
  );
  return lacking.flat();
}

const isLacking = (error: unknown): boolean => error instanceof ProviderError && error.kind === 'credentials';
