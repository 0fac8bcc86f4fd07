import { setBudget } from '../../src/providers/cloudflare/budget.ts';
import { emptyState, type CloudflareState, type Login } from '../../src/demo/cloudflare/state.ts';

/** A limit of calls that nobody reaches, at a service that is called again right after it has refused. */
export const NO_LIMIT = { calls: 1_000_000, seconds: 1, leastPauseMs: 10 };

/** Lifts the limits of the Cloudflare at an address: that of a login and that of all logins, which else paces a process with 90 calls a second. */
export const unlimited = (url: string): void => setBudget(url, NO_LIMIT, NO_LIMIT);

/** A key in Cloudflare's format. */
export const KEY = '0123456789abcdef0123456789abcdef01234';

/** Returns an account of the fake; by default at most 50 of its zones may wait for their name servers. */
export const accountOf = (id: string, name: string, pending_cap = 50): CloudflareState['accounts'][number] => ({
  id,
  name,
  type: 'standard',
  created_on: '2024-03-01T12:21:02Z',
  name_servers: ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'],
  pending_cap,
});

/** Returns a state of the fake with only these accounts and logins. */
export const stateOf = (accounts: CloudflareState['accounts'], logins: Login[]): CloudflareState => ({
  ...emptyState(),
  accounts,
  logins,
});

/** Returns the id of the nth account at the fake. */
export const cfAccount = (index: number): string => String(index).repeat(32).slice(0, 32);

/** Returns a state with `count` accounts, each with a login of its own: `ops1@example.net` with KEY and so on. */
export const stateOfMany = (count: number, pending_cap?: number): CloudflareState => {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  return stateOf(
    numbers.map((n) => accountOf(cfAccount(n), `Account ${n}`, pending_cap)),
    numbers.map((n) => ({ email: `ops${n}@example.net`, api_key: KEY, accounts: [cfAccount(n)] })),
  );
};
