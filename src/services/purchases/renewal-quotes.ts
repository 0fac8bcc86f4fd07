import { messageFor } from '../../operations/failure.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import type { Money } from '../../providers/provider.ts';
import { unknownReference } from '../../shared/errors.ts';
import type { Message } from '../../shared/i18n/index.ts';
import { dayAfterYears, expiryDay } from '../../shared/portfolio/expiry-day.ts';
import { isCurrency, toDecimal, toMinor, type Currency } from '../../shared/purchases/money.ts';
import type { RenewalPlan, RenewalQuote } from '../../shared/purchases/renewals.ts';
import type { Actor } from '../access/scope.ts';
import { readBalance } from '../accounts/registrar-balance.ts';
import { findCap } from './budget-rows.ts';
import { readBudget } from './budget.ts';
import { leftOfDay, plan, refusalOfSum, type Planned } from './holds.ts';
import { listRenewable, type Renewable } from './renewal-rows.ts';
import { heldBy, refusalOfPrice } from './reserve.ts';
import { findHolderOf } from './rows.ts';
import { KeptAnswers, openShop, type Shop } from './shop.ts';

// A person waits.
let patienceMs = 60_000;

/** Sets how long a registrar is asked for its domains, for tests. */
export const setPatience = (ms: number): void => {
  patienceMs = ms;
};

export type Quote = RenewalQuote<Message>;

/** The answer of a registrar about a renewal. */
interface Found {
  expires_at: string | null;
  price: Money;
}

const kept = new KeptAnswers<Found>();

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

const minorOf = ({ amount, currency }: Money): number | null =>
  isCurrency(currency) ? toMinor(amount, currency) : null;

/** The money that the renewals of one plan use up together: of the caps, and of each registrar's account. */
interface Purse {
  day: string;
  planned: Planned;
  /** By the id of the registrar; absent: it does not tell. */
  balances: Map<number | null, Money>;
}

/** Returns why an account has no money for a price; what it has is less by each that has. */
function refusalOfBalance(
  { registrars_id, domain_name: name }: Renewable,
  { currency, price }: { currency: Currency; price: number },
  { balances }: Purse,
): Message | null {
  const balance = balances.get(registrars_id);
  const minor = balance && minorOf(balance);
  if (!balance || balance.currency !== currency || minor === undefined || minor === null) return null;
  if (minor < price) return { key: 'purchase.no_money', params: { name, balance: `${balance.amount} ${currency}` } };
  balances.set(registrars_id, { currency, amount: toDecimal(minor - price, currency) });
  return null;
}

/** Returns why a renewal at a price has no room now, beside those of the plan before it; null: it has, or nothing is paid as no cap is set. */
async function refusalOf(
  domain: Renewable,
  price: Money,
  expires_before: string | null,
  purse: Purse,
): Promise<Message | null> {
  const { domain_name: name, registrars_id, project_id, holder } = domain;
  const held = await findHolderOf({ kind: 'renew', domain_name: name, expires_before });
  if (held) return { key: heldBy(held), params: { name, id: held.id } };
  if (domain.suspect_date !== null) return { key: 'renewal.in_doubt', params: { name } };
  const { amount, currency } = price;
  const minor = minorOf(price);
  if (!isCurrency(currency) || minor === null) return { key: 'purchase.currency', params: { name, currency } };
  const dear = refusalOfPrice(name, { currency, price: minor }, domain);
  if (dear) return dear;
  const cap = await findCap({ scope: 'name', scope_id: 0, currency });
  if (cap !== null && minor > cap) {
    return { key: 'purchase.cap_name', params: { name, price: amount, cap: toDecimal(cap, currency), currency } };
  }
  const charged = { registrar_id: registrars_id, project_id, user_id: holder };
  const sum = { currency, price: minor, day: purse.day };
  const refusal = (await refusalOfSum(charged, sum, purse.planned)) ?? refusalOfBalance(domain, sum, purse);
  if (!refusal) plan(purse.planned, charged, sum);
  return refusal;
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

/** The answer of one registrar: its balance, and for each domain its facts or the reason of a failure. */
interface Asked {
  balance: Money | undefined;
  found: [Renewable, Found | Message][];
}

const nowhere = (domains: readonly Renewable[]): Asked => ({
  balance: undefined,
  found: domains.map((domain) => [domain, { key: 'renewal.no_registrar' }]),
});

/** Whether an error is about one domain, and the service may answer for the next. */
const isOfDomain = (error: unknown): boolean =>
  error instanceof ProviderError && ['refused', 'malformed'].includes(error.kind);

/**
 * Asks one registrar for its domains. A failure of the service is the answer for each that it leaves without one. Where the time was too short,
 * the next request asks for the rest.
 */
async function askRegistrar(registrar_id: number, domains: readonly Renewable[]): Promise<Asked> {
  const signal = AbortSignal.timeout(patienceMs);
  let failure: Message | null = null;
  const found: Asked['found'] = [];
  const answered = (): (readonly [string, Found])[] =>
    found.flatMap(([{ domain_name }, told]) => ('key' in told ? [] : [[domain_name, told] as const]));
  const outOfTime = (type: string): Message => {
    const n = answered().length;
    return n === 0
      ? { key: 'registrar.slow', params: { type } }
      : { key: 'registrar.out_of_time', params: { type, n } };
  };
  const attempt = async <T>(work: () => Promise<T>): Promise<T | Message> => {
    if (failure) return failure;
    try {
      return await work();
    } catch (error) {
      const type = domains[0]?.registrar_type ?? '';
      const told = signal.aborted ? outOfTime(type) : messageFor(error);
      if (!told) throw error;
      if (!isOfDomain(error)) failure = told;
      return told;
    }
  };
  const shop = await attempt(() => openShop(registrar_id));
  if ('key' in shop) return { balance: undefined, found: domains.map((domain) => [domain, shop]) };
  const money = await attempt(() => readBalance(shop, shop.call(signal)));
  for (const domain of domains) {
    const { domain_name } = domain;
    const told = kept.find(registrar_id, domain_name) ?? (await attempt(() => ask(shop, domain_name, signal)));
    found.push([domain, told]);
  }
  if (signal.aborted) kept.keep(registrar_id, answered());
  else
    kept.forget(
      registrar_id,
      domains.map(({ domain_name }) => domain_name),
    );
  return { balance: money && !('key' in money) ? money : undefined, found };
}

async function quoteOf(domain: Renewable, found: Found | Message, purse: Purse, balance?: Money): Promise<Quote> {
  const quote = { ...unseen(domain), balance: balance ? `${balance.amount} ${balance.currency}` : null };
  if ('key' in found) return { ...quote, refusal: found };
  const { expires_at, price } = found;
  const refusal = await refusalOf(domain, price, expires_at, purse);
  const { amount, currency } = price;
  return { ...quote, expires_at, ...daysOf(domain.domain_name, expires_at), price: amount, currency, refusal };
}

/** Returns the sums left today under the cap for all, in each currency of the plan. */
async function roomFor(quotes: readonly Quote[], day: string): Promise<RenewalPlan['left']> {
  const left: RenewalPlan['left'] = [];
  for (const currency of new Set(quotes.map((quote) => quote.currency ?? ''))) {
    const minor = isCurrency(currency) ? await leftOfDay(currency, day) : null;
    if (isCurrency(currency) && minor !== null)
      left.push({ currency, amount: toDecimal(Math.max(0, minor), currency) });
  }
  return left;
}

/**
 * Asks for all of them, each registrar for its own at once, and counts the sums together: of two that have room one by one, but not both,
 * the second is refused. Throws AppError `refused` for one that the actor can't see, with the field in which the caller was given it.
 */
export async function quotesOf(
  actor: Actor,
  ids: readonly number[],
  field: 'ids' | 'domains' = 'ids',
): Promise<{ domains: Renewable[] } & RenewalPlan<Message>> {
  const domains = await listRenewable(actor, ids);
  if (domains.length < new Set(ids).size) throw unknownReference(field);
  const { state, simulates, day } = await readBudget();
  const byRegistrar = new Map<number | null, Renewable[]>();
  for (const domain of domains) {
    byRegistrar.set(domain.registrars_id, [...(byRegistrar.get(domain.registrars_id) ?? []), domain]);
  }
  const answers = await Promise.all(
    [...byRegistrar].map(([id, mine]) => (id === null ? Promise.resolve(nowhere(mine)) : askRegistrar(id, mine))),
  );
  const purse: Purse = { day, planned: new Map(), balances: new Map() };
  const quotes: Quote[] = [];
  for (const { balance, found } of answers) {
    if (balance) purse.balances.set(found[0]?.[0].registrars_id ?? null, balance);
    for (const [domain, told] of found) quotes.push(await quoteOf(domain, told, purse, balance));
  }
  if (state === 'off') for (const quote of quotes) quote.refusal ??= { key: 'purchases.off' };
  return { domains, simulates, quotes, left: await roomFor(quotes, day) };
}

/** Returns what renewals for a year would cost, and what the budget allows. Asks the registrars; nothing is written. */
export async function planRenewals(actor: Actor, ids: readonly number[]): Promise<RenewalPlan<Message>> {
  const { simulates, quotes, left } = await quotesOf(actor, ids);
  return { simulates, quotes, left };
}
