import { messageFor } from '../../operations/failure.ts';
import type { Flow, ItemWork, NewItem } from '../../operations/flow.ts';
import { itemFlow } from '../../operations/items.ts';
import { itemOn } from '../../operations/locks.ts';
import { enqueue } from '../../operations/queue.ts';
import type { Money } from '../../providers/provider.ts';
import { AppError, unknownReference } from '../../shared/errors.ts';
import type { Message } from '../../shared/i18n/index.ts';
import { dayAfterYears, expiryDay } from '../../shared/portfolio/expiry-day.ts';
import { isCurrency, toDecimal, toMinor } from '../../shared/purchases/money.ts';
import type { RenewalInput, RenewalPlan, RenewalQuote } from '../../shared/purchases/renewals.ts';
import { actorOf, guarded } from '../access/ownership.ts';
import type { Actor } from '../access/scope.ts';
import { registrarLane } from '../accounts/lanes.ts';
import { purchaseActs } from './acts.ts';
import { findCap } from './budget-rows.ts';
import { readBudget } from './budget.ts';
import { refusalOfSum } from './holds.ts';
import { listRenewable, type Renewable } from './renewal-rows.ts';
import { heldBy } from './reserve.ts';
import { findHolderOf } from './rows.ts';
import { openShop, type Shop } from './shop.ts';

// A person waits.
const PATIENCE_MS = 60_000;

type Quote = RenewalQuote<Message>;

/** What a registrar tells of a renewal. */
interface Found {
  expires_at: string | null;
  price: Money | null;
}

async function ask(shop: Shop, domain_name: string, signal: AbortSignal): Promise<Found | Message> {
  const { registrar, login, call, type } = shop;
  if (!registrar.renew || !registrar.readRenewalPrice || !registrar.readDomain) {
    return { key: 'renewal.not_here', params: { registrar: type } };
  }
  const there = await registrar.readDomain(login, domain_name, call(signal));
  if (!there) return { key: 'renewal.absent', params: { name: domain_name } };
  if (there.expires_at === null) return { key: 'renewal.no_date', params: { name: domain_name } };
  return { expires_at: there.expires_at, price: await registrar.readRenewalPrice(login, domain_name, call(signal)) };
}

/** Returns why a renewal at a price has no room now; null: it has, or nothing is paid as no cap is set. */
async function refusalOf(
  domain: Renewable,
  price: Money,
  expires_before: string | null,
  day: string,
): Promise<Message | null> {
  const { domain_name: name, registrars_id, project_id, holder } = domain;
  const held = await findHolderOf({ kind: 'renew', domain_name: name, expires_before });
  if (held) return { key: heldBy(held), params: { name, id: held.id } };
  const { amount, currency } = price;
  const minor = isCurrency(currency) ? toMinor(amount, currency) : null;
  if (!isCurrency(currency) || minor === null) return { key: 'purchase.currency', params: { name, currency } };
  const cap = await findCap({ scope: 'name', scope_id: 0, currency });
  if (cap !== null && minor > cap) {
    return { key: 'purchase.cap_name', params: { name, price: amount, cap: toDecimal(cap, currency), currency } };
  }
  const charged = { registrar_id: registrars_id, project_id, user_id: holder };
  return refusalOfSum(charged, { currency, price: minor, day });
}

const unseen = ({ id, domain_name, registrar, registrar_type }: Renewable): Quote => ({
  id,
  domain_name,
  registrar,
  registrar_type,
  expires_at: null,
  expires_day: null,
  renewed_day: null,
  price: null,
  currency: null,
  balance: null,
  refusal: null,
});

/** The days before and after a renewal, as the registry counts them. */
function daysOf(domain_name: string, expired_at: string | null) {
  if (expired_at === null) return { expires_day: null, renewed_day: null };
  const expires_day = expiryDay({ domain_name, expired_at });
  return { expires_day, renewed_day: dayAfterYears(expires_day, 1) };
}

const nowhere = (domain: Renewable): Quote => ({ ...unseen(domain), refusal: { key: 'renewal.no_registrar' } });

/** Asks one registrar for its domains. A failure is the refusal of each that it leaves without an answer. */
async function quotesAt(registrar_id: number, domains: readonly Renewable[], day: string): Promise<Quote[]> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const quotes: Quote[] = [];
  let balance: string | null = null;
  let failure: Message | null = null;
  const attempt = async <T>(work: () => Promise<T>): Promise<T | null> => {
    if (failure) return null;
    try {
      return await work();
    } catch (error) {
      const type = domains[0]?.registrar_type ?? '';
      failure = signal.aborted ? { key: 'registrar.slow', params: { type } } : messageFor(error);
      if (!failure) throw error;
      return null;
    }
  };
  const shop = await attempt(() => openShop(registrar_id));
  const money = await attempt(async () => shop?.registrar.readBalance?.(shop.login, shop.call(signal)));
  if (money) balance = `${money.amount} ${money.currency}`;
  for (const domain of domains) {
    const found = shop && (await attempt(() => ask(shop, domain.domain_name, signal)));
    const quote = { ...unseen(domain), balance };
    if (!found || 'key' in found) quotes.push({ ...quote, refusal: found ?? failure });
    else {
      const { expires_at, price } = found;
      const refusal = price && (await refusalOf(domain, price, expires_at, day));
      const days = daysOf(domain.domain_name, expires_at);
      quotes.push({
        ...quote,
        expires_at,
        ...days,
        price: price?.amount ?? null,
        currency: price?.currency ?? null,
        refusal,
      });
    }
  }
  return quotes;
}

/** Asks for all of them, each registrar for its own at once. Throws AppError `refused` for one that the actor can't see. */
async function quotesOf(
  actor: Actor,
  ids: readonly number[],
): Promise<{ domains: Renewable[] } & RenewalPlan<Message>> {
  const domains = await listRenewable(actor, ids);
  if (domains.length < new Set(ids).size) throw unknownReference('ids');
  const { state, simulates, day } = await readBudget();
  const byRegistrar = new Map<number | null, Renewable[]>();
  for (const domain of domains) {
    byRegistrar.set(domain.registrars_id, [...(byRegistrar.get(domain.registrars_id) ?? []), domain]);
  }
  const asked = [...byRegistrar].map(([registrar_id, mine]) =>
    registrar_id === null ? Promise.resolve(mine.map(nowhere)) : quotesAt(registrar_id, mine, day),
  );
  const quotes = (await Promise.all(asked)).flat();
  if (state === 'off') for (const quote of quotes) quote.refusal ??= { key: 'purchases.off' };
  return { domains, simulates, quotes };
}

/** Returns what renewals for a year would cost, and what the budget allows. Asks the registrars; nothing is written. */
export async function planRenewals(actor: Actor, ids: readonly number[]): Promise<RenewalPlan<Message>> {
  const { simulates, quotes } = await quotesOf(actor, ids);
  return { simulates, quotes };
}

/** The data of an item: the order, as it was quoted when it was queued. */
interface Renewal {
  domain_id: number;
  domain_name: string;
  project_id: number | null;
  holder: number;
  registrar_id: number;
  price: Money;
  expires_before: string;
}

function itemOf({ id, domain_name, project_id, holder, registrars_id }: Renewable, quote: Quote): NewItem {
  if (registrars_id === null || quote.expires_at === null) throw new Error(`${domain_name} has no quote`);
  return {
    ...itemOn({ kind: 'domain', name: domain_name }),
    ...registrarLane(registrars_id),
    data: {
      domain_id: id,
      domain_name,
      project_id,
      holder,
      registrar_id: registrars_id,
      price: { amount: quote.price ?? '', currency: quote.currency ?? '' },
      expires_before: quote.expires_at,
    } satisfies Renewal,
  };
}

/**
 * Queues renewals for a year through the ledger. Each price and date is asked for again. Throws AppError `refused` with the
 * reason of the first that can't be renewed, `conflict` (`plan_stale`) where a price or a date is not the one that was shown,
 * `busy` where one of the domains is being worked on.
 */
export async function startRenewals(
  actor: Actor,
  { domains: shown }: RenewalInput,
  { idem_key, here = false }: { idem_key?: string | undefined; here?: boolean } = {},
): Promise<{ id: number; started: boolean }> {
  const ids = shown.map(({ id }) => id);
  const { domains, quotes } = await quotesOf(actor, ids);
  const items = domains.map((domain) => {
    const quote = quotes.find(({ id }) => id === domain.id)!;
    const { refusal, price, currency, expires_at } = quote;
    if (refusal) throw new AppError('refused', refusal.key, refusal.params, { code: 'not_renewable' });
    const one = shown.find(({ id }) => id === domain.id);
    if (one?.price !== price || one.currency !== currency || one.expires_at !== expires_at) {
      throw new AppError('conflict', 'operation.plan_stale', {}, { code: 'plan_stale' });
    }
    return itemOf(domain, quote);
  });
  const names = domains.map(({ domain_name }) => domain_name);
  return enqueue(
    {
      kind: 'renew',
      subject: names.join(' '),
      user_id: actor.id,
      input: {},
      message: { key: 'renewal.renewing', params: { n: names.length } },
      items,
      idem_key,
    },
    here,
  );
}

/** Throws AppError where the domain is not the asker's any more, or is at another registrar. */
async function requireSame(user_id: number | null, { domain_id, domain_name, registrar_id }: Renewal): Promise<void> {
  const [domain] = await listRenewable(await actorOf(user_id), [domain_id]);
  if (domain?.registrars_id === registrar_id && domain.domain_name === domain_name) return;
  throw new AppError('conflict', 'renewal.moved', { name: domain_name });
}

const renewalWork: ItemWork<Shop, Renewal> = {
  open: (_lane, items) => openShop(items[0]?.lane_id ?? 0),
  // One at a time: a service refuses a second payment while one runs.
  atOnce: 1,
  acts: ({ operation_id, data, user_id }, shop) => {
    const { domain_name, project_id, holder, registrar_id, price, expires_before } = data;
    const [reserve, ...rest] = purchaseActs(
      {
        kind: 'renew',
        domain_name,
        project_id,
        user_id: holder,
        asker_id: user_id,
        asked_by: 'person',
        operation_id,
        years: 1,
        expires_before,
        registrar_id,
        offer: { state: 'free', price },
      },
      shop,
    );
    return [...guarded(reserve ? [reserve] : [], () => requireSame(user_id, data)), ...rest];
  },
};

/** The flow that renews domains. */
export const renewalFlow: Flow = itemFlow('renew', renewalWork);
