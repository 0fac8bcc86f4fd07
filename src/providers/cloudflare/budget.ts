import { createHash } from 'node:crypto';
import { openBudget, type Budget } from '../budget/budget.ts';
import { sharedLedger, type Limit } from '../budget/ledger.ts';

// developers.cloudflare.com/fundamentals/api/reference/limits: by user; after too many it refuses all calls for the length of the period.
const CLOUDFLARE: Limit = { calls: 1_200, seconds: 300 };
// Shares of the limit. The rest is left to the dashboard. Bulk work takes 4 % longer than with the whole limit.
const SHARES = { people: 0.985, others: 0.96 };
const AT_ONCE = 4;
const PATIENCE_MS = 10_000;

const limits = new Map<string, Limit>();
const budgets = new Map<string, Budget>();

/** Returns how many calls of this process wait, over all logins. */
export const waitingCalls = (): number =>
  [...budgets.values()].reduce((sum, budget) => sum + budget.state().waiting, 0);

/** Sets the rate limit of a Cloudflare at another address than the real one. Applies to open budgets, too. */
export function setBudget(url: string, limit: Limit): void {
  limits.set(url, limit);
}

/** Returns the budget of a login, shared by its clients in all processes. Cloudflare counts by user, so the key is the e-mail if there is one. */
export function budgetOf(url: string, login: { email: string; api_key: string }): Budget {
  const user = login.email === '' ? login.api_key : login.email.toLowerCase();
  const key = createHash('sha256').update(`${url}\n${user}`).digest('base64url');
  const known = budgets.get(key);
  if (known) return known;
  const budget = openBudget({
    key,
    service: 'cloudflare',
    limit: () => limits.get(url) ?? CLOUDFLARE,
    atOnce: AT_ONCE,
    shares: SHARES,
    patienceMs: PATIENCE_MS,
    ledger: sharedLedger,
  });
  budgets.set(key, budget);
  return budget;
}
