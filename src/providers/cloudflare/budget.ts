import { createHash } from 'node:crypto';
import { openBudget, type Budget } from '../budget/budget.ts';
import { memoryLedger, sharedLedger, type Limit } from '../budget/ledger.ts';

// developers.cloudflare.com/fundamentals/api/reference/limits: by user; after too many it refuses all calls for the length of the period.
const CLOUDFLARE: Limit = { calls: 1_200, seconds: 300 };
// Shares of the limit. The rest is left to the dashboard. Bulk work takes 4 % longer than with the whole limit.
const SHARES = { people: 0.985, others: 0.96 };
const AT_ONCE = 4;
// It refuses more than 200 calls a second of one address, whatever the login: two processes on a machine stay below that.
const ADDRESS: Limit = { calls: 100, seconds: 1 };
const PATIENCE_MS = 10_000;

const limits = new Map<string, Limit>();
const limitsOfAll = new Map<string, Limit>();
const budgets = new Map<string, Budget>();
const addresses = new Map<string, Budget>();
const own = memoryLedger();

/** Returns how many calls of this process wait, over all logins. */
export const waitingCalls = (): number =>
  [...budgets.values()].reduce((sum, budget) => sum + budget.state().waiting, 0);

/**
 * Sets the rate limit of a Cloudflare at another address than the real one, and what it takes of all logins of this process together.
 * Applies to open budgets, too.
 */
export function setBudget(url: string, limit: Limit, ofAll: Limit = ADDRESS): void {
  limits.set(url, limit);
  limitsOfAll.set(url, ofAll);
}

/** Returns the limit that all logins of this process share. */
function addressOf(url: string): Budget {
  const known = addresses.get(url);
  if (known) return known;
  const made = openBudget({
    key: url,
    service: 'cloudflare',
    limit: () => limitsOfAll.get(url) ?? ADDRESS,
    atOnce: Infinity,
    shares: { people: 1, others: 0.9 },
    patienceMs: Infinity,
    countsFrom: 'start',
    ledger: () => own,
  });
  addresses.set(url, made);
  return made;
}

/** Returns the budget of a login, shared by its clients in all processes. Cloudflare counts by user, so the key is the e-mail if there is one. */
export function budgetOf(url: string, login: { email: string; api_key: string }): Budget {
  const user = login.email === '' ? login.api_key : login.email.toLowerCase();
  const key = createHash('sha256').update(`${url}\n${user}`).digest('base64url');
  const known = budgets.get(key);
  if (known) return known;
  const ofLogin = openBudget({
    key,
    service: 'cloudflare',
    limit: () => limits.get(url) ?? CLOUDFLARE,
    atOnce: AT_ONCE,
    shares: SHARES,
    patienceMs: PATIENCE_MS,
    countsFrom: 'answer',
    ledger: sharedLedger,
  });
  const address = addressOf(url);
  const budget: Budget = {
    ...ofLogin,
    run: (isForeground, signal, call) =>
      ofLogin.run(isForeground, signal, () => address.run(isForeground, signal, call)),
  };
  budgets.set(key, budget);
  return budget;
}
