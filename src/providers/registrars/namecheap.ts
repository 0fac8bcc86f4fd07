import { beforeSending } from '../provider-error.ts';
import { defineRegistrar, type Availability, type DelegatedDomain, type TakenOrder } from '../provider.ts';
import { find, findAll, textIn, type Element } from '../xml.ts';
import { orAbsent } from './exchange.ts';
import { FIELDS, isTrue, open, valueIn, type Client } from './namecheap-client.ts';
import { CURRENCY, partsOf, priceOf, readPrice, withFees, type YearPrice } from './namecheap-prices.ts';
import { Amount, domainsIn, money, nameIn } from './values.ts';

/**
 * The XML API of Namecheap: POST forms, always HTTP 200 but for 405, which is its refusal of too many calls. It takes calls
 * from addresses on the account's list alone, and each has to name its address. The contact of an order is an address that is
 * stored in the account.
 */

const NAMES_A_CALL = 50;
const PAGE = 100;

// `02/15/2027`, without a time zone.
function timeOf(date: string | undefined): string | null {
  const [, month, day, year] = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(date ?? '') ?? [];
  const time = Date.parse(`${year}-${month}-${day}T00:00:00Z`);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

/** Reads a domain of the account; null: it is not there. */
async function readOwn({ ask, exchange }: Client, name: string): Promise<Element | null> {
  const answer = await orAbsent(ask('domains.getInfo', { DomainName: name }));
  const result = answer && find(answer, 'DomainGetInfoResult');
  if (!result || !isTrue(result.attributes['IsOwner'])) return null;
  exchange.expectName(result.attributes['DomainName'], name);
  return result;
}

const PEOPLE = ['Registrant', 'Tech', 'Admin', 'AuxBilling'];
const CONTACT: Readonly<Record<string, string>> = {
  FirstName: 'FirstName',
  LastName: 'LastName',
  Address1: 'Address1',
  City: 'City',
  StateProvince: 'StateProvince',
  PostalCode: 'Zip',
  Country: 'Country',
  Phone: 'Phone',
  EmailAddress: 'EmailAddress',
};

/** Reads the contact of an order: the stored address of the given name, else the default one. */
async function readContact(client: Client, wanted: string): Promise<Record<string, string>> {
  const list = findAll(await client.ask('users.address.getList'), 'List');
  const named = list.find(({ attributes }) => attributes['AddressName'] === wanted);
  const own = wanted === '' ? list.find(({ attributes }) => isTrue(attributes['IsDefault'])) : named;
  const id = own?.attributes['AddressId'];
  if (id === undefined) throw client.exchange.error('refused', `no stored address ${wanted}`, { code: 'contact' });
  const answer = await client.ask('users.address.getInfo', { AddressId: id });
  return Object.fromEntries(
    PEOPLE.flatMap((person) =>
      Object.entries(CONTACT).map(([field, stored]) => [`${person}${field}`, textIn(answer, stored)]),
    ),
  );
}

/** Namecheap. */
export const namecheap = defineRegistrar({
  id: 'namecheap.com',
  currency: CURRENCY,
  fields: FIELDS,
  async testLogin(account, call) {
    await open(account, call).ask('users.getBalances');
  },
  async listDomains(account, call) {
    const client = open(account, call);
    const rows: Element[] = [];
    for (let page = 1; ; page++) {
      const parameters = { ListType: 'ALL', Page: String(page), PageSize: String(PAGE), SortBy: 'NAME' };
      const answer = await client.ask('domains.getList', parameters);
      const domains = findAll(answer, 'Domain');
      rows.push(...domains);
      const total = textIn(answer, 'TotalItems');
      const isCut = domains.length === 0 && rows.length < Number(total);
      if (!/^\d+$/.test(total) || isCut)
        throw client.exchange.error('malformed', 'a list of domains that is not whole');
      if (rows.length >= Number(total)) break;
    }
    return domainsIn(
      rows.map(({ attributes }) => ({
        name: attributes['Name'] ?? '',
        expires_at: () => timeOf(attributes['Expires']),
      })),
    );
  },
  async readDomain(account, name, call) {
    const client = open(account, call);
    const own = await readOwn(client, name);
    if (!own) return null;
    const name_servers = findAll(own, 'Nameserver').map(({ text }) => text.trim().toLowerCase());
    const read: DelegatedDomain = {
      domain_name: name,
      expires_at: timeOf(textIn(own, 'ExpiredDate')),
      name_servers,
      locked: own.attributes['Status'] === 'Locked',
    };
    return read;
  },
  async readBalance(account, call) {
    const client = open(account, call);
    const answer = await client.ask('users.getBalances');
    const amount = client.exchange.read(Amount, valueIn(client, answer, 'UserGetBalancesResult', 'AvailableBalance'));
    return money(amount, valueIn(client, answer, 'UserGetBalancesResult', 'Currency'));
  },
  async checkNames(account, names, call) {
    const client = open(account, call);
    const prices = new Map<string, YearPrice | null>();
    for (const name of names) {
      const { TLD } = partsOf(name);
      if (!prices.has(TLD)) prices.set(TLD, await readPrice(client, 'REGISTER', name));
    }
    const checked: Availability[] = [];
    for (let from = 0; from < names.length; from += NAMES_A_CALL) {
      const asked = names.slice(from, from + NAMES_A_CALL);
      const answer = await client.ask('domains.check', { DomainList: asked.join(',') });
      const results = new Map(
        findAll(answer, 'DomainCheckResult').map((one) => [nameIn(one.attributes['Domain'] ?? ''), one]),
      );
      for (const domain_name of asked) {
        const attributes = results.get(domain_name)?.attributes;
        const year = prices.get(partsOf(domain_name).TLD) ?? null;
        checked.push(
          attributes
            ? { domain_name, state: stateOf(attributes), price: priceOf(year, attributes) }
            : { domain_name, state: 'unknown', price: null },
        );
      }
    }
    return checked;
  },
  async readRenewalPrice(account, name, call) {
    const client = open(account, call);
    const own = await readOwn(client, name);
    // The price of a premium name is told nowhere before its renewal.
    const isPremium = isTrue(own?.attributes['IsPremium']);
    const price = isPremium ? null : withFees(await readPrice(client, 'RENEW', name));
    if (!price) throw client.exchange.error('refused', `no price of a renewal of ${name}`, { reason: 'name' });
    return price;
  },
  async register(account, { domain_name, years }, call) {
    const client = open(account, call);
    const contact = await beforeSending(readContact(client, account.contact));
    const order = { DomainName: domain_name, Years: String(years), AddFreeWhoisguard: 'yes', WGEnabled: 'yes' };
    const answer = await client.ask('domains.create', { ...order, ...contact }, true);
    const { attributes = {} } = find(answer, 'DomainCreateResult') ?? {};
    const { OrderID, ChargedAmount, Registered, NonRealTimeDomain, Domain = '' } = attributes;
    client.exchange.expectName(Domain, domain_name);
    return sold(client, OrderID, Registered, ChargedAmount, isTrue(NonRealTimeDomain));
  },
  async renew(account, { domain_name, years }, call) {
    const client = open(account, call);
    const answer = await client.ask('domains.renew', { DomainName: domain_name, Years: String(years) }, true);
    const { OrderID, ChargedAmount, Renew, DomainName } = find(answer, 'DomainRenewResult')?.attributes ?? {};
    client.exchange.expectName(DomainName, domain_name);
    return sold(client, OrderID, Renew, ChargedAmount, false);
  },
  async readOrder(account, { domain_name }, _id, call) {
    const own = await readOwn(open(account, call), domain_name);
    return own ? { state: 'done', id: own.attributes['ID'] ?? domain_name, charged: null } : null;
  },
  async setNameServers(account, name, nameServers, call) {
    const client = open(account, call);
    const parameters = { ...partsOf(name), Nameservers: nameServers.join(',') };
    const answer = await client.ask('domains.dns.setCustom', parameters);
    client.exchange.expectName(valueIn(client, answer, 'DomainDNSSetCustomResult', 'Domain'), name);
    if (!isTrue(valueIn(client, answer, 'DomainDNSSetCustomResult', 'Updated'))) {
      throw client.exchange.error('malformed', `the name servers of ${name} were not set`);
    }
  },
});

/** The sale of an answer. Throws `malformed` where its end is not certain. */
function sold(
  { exchange }: Client,
  id: string | undefined,
  isSold: string | undefined,
  amount: string | undefined,
  isQueued: boolean,
): TakenOrder {
  if (id === undefined || !isTrue(isSold)) throw exchange.error('malformed', 'the order has no certain end');
  const charged = Amount.safeParse(amount);
  return { state: isQueued ? 'pending' : 'done', id, charged: charged.success ? money(charged.data, CURRENCY) : null };
}

function stateOf({ Available, IsPremiumName }: Readonly<Record<string, string>>): Availability['state'] {
  if (!isTrue(Available)) return 'taken';
  return isTrue(IsPremiumName) ? 'premium' : 'free';
}
