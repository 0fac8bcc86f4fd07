import { z } from 'zod';
import { ProviderError } from '../provider-error.ts';
import { isForbidden } from './answers.ts';
import { path, type Client, type Login } from './client.ts';
import { pageRulesOf } from './page-rules.ts';
import { redirectsOf } from './redirects.ts';
import { settingsOf } from './settings.ts';
import { Zone, ZONES_PER_PAGE } from './zones.ts';

/** Permissions that a login may lack. */
export type Permission = 'zones' | 'dns' | 'settings' | 'page_rules' | 'redirects';

const Account = z.object({ id: z.string().min(1), name: z.string(), type: z.string().nullish() });
/** An account of the login; not every token gets its `type`. */
export type Account = z.infer<typeof Account>;

/**
 * The accounts that a login sees; not `complete` if it may not list them: then they are those of its zones, and of several
 * two at least.
 */
export interface Accounts {
  accounts: Account[];
  complete: boolean;
}

/** Result of the test of a login that works. */
export interface Verified extends Accounts {
  /** `key`: the global key of a user. */
  kind: 'key' | 'token';
  /** Permissions to read that the login lacks. Those to write show only on a write. */
  missing: Permission[];
  /** Number of zones that it sees. */
  zones: number;
  /** The zone on which the permissions were tested; null: there is none, and they were not. */
  zone: Zone | null;
}

/** Tests whether a login works, and which permissions it lacks, by reading only. Throws `credentials` for one that does not work. */
export async function verifyLogin(client: Client, login: Login): Promise<Verified> {
  const verified = await lookAt(client, login);
  return { ...verified, accounts: shown(client, verified.accounts) };
}

// Masks secrets in ids and names, which are stored and shown to the whole team.
const shown = ({ redactor: { hide } }: Client, accounts: Account[]): Account[] =>
  accounts.map((account) => ({ ...account, id: hide(account.id), name: hide(account.name) }));

async function lookAt(client: Client, login: Login): Promise<Verified> {
  const kind = login.email === '' ? 'token' : 'key';
  const first = await readZones(client, kind);
  if (first === null) return { kind, accounts: [], complete: false, missing: ['zones'], zones: 0, zone: null };
  const [zone = null] = first.rows;
  const [accounts, missing] = await Promise.all([
    accountsBeside(client, kind, first),
    zone === null ? [] : tryPermissions(client, zone.id),
  ]);
  return { kind, ...accounts, missing, zones: first.total, zone };
}

/** Lists the accounts of a login. */
export async function listAccounts(client: Client, login: Login): Promise<Accounts> {
  const found = await accountsBeside(client, login.email === '' ? 'token' : 'key');
  return { ...found, accounts: shown(client, found.accounts) };
}

// Null: the token works, but may not read zones.
async function readZones(client: Client, kind: Verified['kind']) {
  try {
    return await client.getPage('/zones', Zone, { per_page: ZONES_PER_PAGE });
  } catch (error) {
    if (kind === 'key' || !isForbidden(error)) throw error;
    return null;
  }
}

type FirstPage = NonNullable<Awaited<ReturnType<typeof readZones>>>;

function accountsIn(zones: readonly Zone[]): Account[] {
  const ofZones = zones.map(({ account }) => ({ id: account.id, name: account.name ?? '' }));
  return [...new Map(ofZones.map((account) => [account.id, account])).values()];
}

// A token may not be allowed to list accounts, and one owned by an account never is: then they are taken from its zones.
async function accountsBeside(client: Client, kind: Verified['kind'], first?: FirstPage): Promise<Accounts> {
  try {
    const accounts = await client.getAll('/accounts', Account, { per_page: 50 });
    if (accounts.length > 0) return { accounts, complete: true };
  } catch (error) {
    if (kind === 'key' || !isRefused(error)) throw error;
  }
  return { accounts: await accountsOfZones(client, first), complete: false };
}

const MAX_PAGES = 20;

async function accountsOfZones(client: Client, known?: FirstPage): Promise<Account[]> {
  // Sorted by account: the first page and the last one tell whether there are several, also where those between are not read.
  const page = (number: number) =>
    client.getPage('/zones', Zone, { per_page: ZONES_PER_PAGE, order: 'account.id', direction: 'asc', page: number });
  const isWhole = known !== undefined && known.rows.length >= known.total;
  const first = isWhole ? known : await page(1);
  const count = Math.ceil(first.total / first.perPage);
  const zones = [...first.rows];
  for (let number = 2; number <= count; number += 1) {
    if (number <= MAX_PAGES || number === count) zones.push(...(await page(number)).rows);
  }
  return accountsIn(zones);
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
        if (isForbidden(error)) return [permission];
        throw error;
      }
    }),
  );
  return lacking.flat();
}

const isRefused = (error: unknown): boolean => error instanceof ProviderError && error.kind === 'refused';
