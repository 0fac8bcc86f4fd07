import { z } from 'zod';
import { ProviderError } from '../provider-error.ts';
import { defineRegistrar, type Availability, type DomainOrder, type Money, type TakenOrder } from '../provider.ts';
import {
  Domains,
  domainsAmong,
  FIELDS,
  isNamed,
  isOwned,
  MEANINGS,
  open,
  Services,
  servicesOf,
  type Client,
} from './regru-client.ts';
import { Amount, domainsIn, endOfDay, minorOf, money, nameIn, Text } from './values.ts';

/**
 * REG.API 2.0 of reg.ru: POST forms, JSON answers, always HTTP 200. A call has a result, and so has each of its objects.
 * `domain/check` is for partners alone.
 */

const NAMES_A_CALL = 1_000;

const Created = Domains.extend({ bill_id: Text, payment: Amount });
const Prices = z.object({
  currency: z.string(),
  prices: z.record(
    z.string(),
    z.object({
      reg_price: Amount.optional().catch(undefined),
      renew_price: Amount.optional().catch(undefined),
      reg_min_period: Text.optional().catch(undefined),
    }),
  ),
});
const Renewed = z.object({ status: z.string(), bill_id: Text, payment: Amount, currency: z.string().default('RUB') });

const Bills = z.object({
  bills: z
    .array(z.unknown())
    .nullish()
    .transform((bills) => bills ?? []),
});

const zoneOf = (name: string): string => name.slice(name.indexOf('.') + 1);

/** reg.ru. */
export const regru = defineRegistrar({
  id: 'reg.ru',
  currency: 'RUB',
  fields: FIELDS,
  async testLogin(account, call) {
    await open(account, call).ask('user/nop', z.unknown(), {});
  },
  async listDomains(account, call) {
    const client = open(account, call);
    const { services } = await client.ask('service/get_list', Services, { servtype: 'domain' });
    const owned = domainsAmong(services, client).filter(isOwned);
    return domainsIn(
      owned.map(({ dname = '', expiration_date }) => ({
        name: dname,
        expires_at: (name) => endOfDay(expiration_date ?? '', name),
      })),
    );
  },
  async readDomain(account, name, call) {
    const client = open(account, call);
    const service = (await servicesOf(client, { domain_name: name })).find(isOwned);
    if (!service) return null;
    client.exchange.expectName(service.dname, name);
    const { domains } = await client.ask('domain/get_nss', Domains, { domains: [{ dname: name }] });
    for (const domain of domains) client.refuse(domain);
    const own = domains.find((domain) => isNamed(domain, name));
    client.exchange.expectName(own?.dname, name);
    const name_servers = (own?.nss ?? []).map(({ ns }) => ns.toLowerCase());
    const expires_at = endOfDay(service.expiration_date ?? '', name);
    return { domain_name: name, expires_at, name_servers, locked: false };
  },
  async readBalance(account, call) {
    const shape = z.object({ currency: z.string(), prepay: Amount });
    const { prepay, currency } = await open(account, call).ask('user/get_balance', shape, { currency: 'RUR' });
    return money(prepay, currency);
  },
  async checkNames(account, names, call) {
    const client = open(account, call);
    const prices = await client.ask('domain/get_prices', Prices, { show_renew_data: 1 });
    const found: Availability[] = [];
    for (let from = 0; from < names.length; from += NAMES_A_CALL) {
      const asked = names.slice(from, from + NAMES_A_CALL);
      const { domains } = await client.ask('domain/check', Domains, { domains: asked.map((dname) => ({ dname })) });
      const byName = new Map(domains.map((domain) => [nameIn(domain.dname ?? ''), domain]));
      for (const domain_name of asked) {
        const { result = '', error_code = '', is_premium = false, price } = byName.get(domain_name) ?? {};
        const year = yearPrice(prices, domain_name, price ?? '0');
        found.push({ domain_name, state: stateOf(result, error_code, is_premium === true), price: year });
      }
    }
    return found;
  },
  async readRenewalPrice(account, name, call) {
    const { prices, currency } = await open(account, call).ask('domain/get_prices', Prices, { show_renew_data: 1 });
    const price = prices[zoneOf(name)]?.renew_price;
    if (price === undefined) throw new ProviderError('refused', `reg.ru: ${zoneOf(name)}`, { reason: 'name' });
    return money(price, currency);
  },
  async register(account, { domain_name, years, reference }, call) {
    const client = open(account, call);
    const { bill_id, payment, domains } = await client.ask(
      'domain/create',
      Created,
      {
        domain_name,
        period: years,
        profile_type: account.profile_type,
        profile_name: account.profile_name,
        pay_type: 'prepay',
        ...(account.client_ip !== '' && { enduser_ip: account.client_ip }),
        user_servid: reference,
      },
      true,
    );
    const own = domains.find((domain) => isNamed(domain, domain_name));
    if (own) client.refuse(own, true);
    client.exchange.expectName(own?.dname, domain_name);
    return { state: 'done', id: bill_id, charged: money(payment, 'RUB') };
  },
  async renew(account, { domain_name, years }, call) {
    const input = { domain_name, servtype: 'domain', period: years };
    const { exchange, ask } = open(account, call);
    const { status, bill_id, payment, currency } = await ask('service/renew', Renewed, input, true);
    // The bill may be paid later: the order stays open until it is, or is gone.
    if (status === 'only_bill_created') return { state: 'pending', id: bill_id, charged: null };
    if (status !== 'renew_success') throw exchange.error('malformed', status, { code: status });
    return { state: 'done', id: bill_id, charged: money(payment, currency) };
  },
  async readOrder(account, order, _id, call) {
    const client = open(account, call);
    return (
      (await takenOrder(client, order, { user_servid: order.reference })) ??
      (await takenOrder(client, order, { domain_name: order.domain_name }))
    );
  },
  async hasUnpaidBills(account, call) {
    const { bills } = await open(account, call).ask('bill/get_not_payed', Bills, {});
    return bills.length > 0;
  },
  async setNameServers(account, name, nameServers, call) {
    const client = open(account, call);
    const nss = Object.fromEntries(nameServers.map((server, index) => [`ns${index}`, server]));
    const { domains } = await client.ask('domain/update_nss', Domains, { domains: [{ dname: name }], nss });
    for (const domain of domains) client.refuse(domain);
    client.exchange.expectName(domains.find((domain) => isNamed(domain, name))?.dname, name);
  },
});

/** The price of a year of a name, the dearer one of its zone's and its own; null: it is not told, or its shortest term is longer. */
function yearPrice({ prices, currency }: z.output<typeof Prices>, name: string, own: string): Money | null {
  const { reg_price, reg_min_period = '1' } = prices[zoneOf(name)] ?? {};
  if (reg_price === undefined || reg_min_period !== '1') return null;
  return money(minorOf(own) > minorOf(reg_price) ? own : reg_price, currency);
}

function stateOf(result: string, code: string, isPremium: boolean): Availability['state'] {
  if (result === 'Available') return isPremium ? 'premium' : 'free';
  return MEANINGS[code]?.[1] === 'taken' ? 'taken' : 'unknown';
}

async function takenOrder(client: Client, { domain_name }: DomainOrder, wanted: object): Promise<TakenOrder | null> {
  const services = await servicesOf(client, wanted);
  const own = services.find((service) => isNamed(service, domain_name));
  if (own?.service_id === undefined) return null;
  return { state: own.state === 'N' ? 'pending' : 'done', id: own.service_id, charged: null };
}
