import { escapeXml } from '../../providers/xml.ts';
import { Refusal, type Shop } from './shop.ts';
import { textOf, type Dialect, type ShopAnswer, type ShopCall } from './server.ts';

const NUMBERS: Record<Refusal['reason'], string> = {
  credentials: '1011102',
  address: '1011150',
  taken: '3019166',
  premium: '3019166',
  price: '3019166',
  no_money: '2528166',
  name: '2030166',
  locked: '2019166',
  absent: '2019166',
  busy: '5050900',
  purchases_off: '4011103',
  duplicate: '3019166',
  unknown: '2011170',
};

const FEE = 18;
const dollars = (minor: number): string => (minor / 100).toFixed(2);
const dateOf = (time: string): string => `${time.slice(5, 7)}/${time.slice(8, 10)}/${time.slice(0, 4)}`;

const tag = (name: string, attributes: Record<string, string | number | boolean>, inner = ''): string => {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(String(value))}"`);
  return `<${name}${written.join('')}>${inner}</${name}>`;
};

const envelope = (status: 'OK' | 'ERROR', command: string, inner: string, errors = ''): ShopAnswer => ({
  type: 'text/xml',
  body:
    `<?xml version="1.0" encoding="utf-8"?><ApiResponse Status="${status}" xmlns="http://api.namecheap.com/xml.response">` +
    `<Errors>${errors}</Errors><Warnings /><RequestedCommand>${escapeXml(command)}</RequestedCommand>` +
    `<CommandResponse Type="${escapeXml(command)}">${inner}</CommandResponse>` +
    `<Server>X</Server><GMTTimeDifference>--4:00</GMTTimeDifference><ExecutionTime>0.2</ExecutionTime></ApiResponse>`,
});

const STORED = {
  FirstName: 'Ann',
  LastName: 'Lee',
  Address1: '1 Main Street',
  City: 'Riga',
  StateProvince: 'Riga',
  Zip: 'LV-1000',
  Country: 'LV',
  Phone: '+371.20000000',
  EmailAddress: 'ann@example.com',
};
const NEEDED = [
  'FirstName',
  'LastName',
  'Address1',
  'City',
  'StateProvince',
  'PostalCode',
  'Country',
  'Phone',
  'EmailAddress',
];
const PEOPLE = ['Registrant', 'Tech', 'Admin', 'AuxBilling'];

function price(shop: Shop, call: ShopCall): string {
  const { register, renew } = shop.prices(`x.${textOf(call, 'ProductName')}`);
  const amount = dollars(textOf(call, 'ActionName') === 'RENEW' ? renew : register);
  const fee = { AdditionalCost: dollars(FEE), YourAdditonalCost: dollars(FEE) };
  const attributes = { Duration: 1, DurationType: 'YEAR', Price: amount, YourPrice: amount, ...fee, Currency: 'USD' };
  return tag(
    'UserGetPricingResult',
    {},
    tag('Product', { Name: textOf(call, 'ProductName') }, tag('Price', attributes)),
  );
}

function check(shop: Shop, call: ShopCall): string {
  const names = textOf(call, 'DomainList').split(',');
  if (names.length > 50) throw new Refusal('unknown', 'More than 50 domains in a check');
  const results = names.map((name) => {
    const { state, price } = shop.offer(name);
    return tag('DomainCheckResult', {
      Domain: name,
      Available: state !== 'taken',
      IsPremiumName: state === 'premium',
      PremiumRegistrationPrice: state === 'premium' ? dollars(price) : '0',
      IcannFee: dollars(FEE),
      EapFee: '0.0',
    });
  });
  return results.join('');
}

function list(shop: Shop, call: ShopCall): string {
  const [page, size] = [Number(textOf(call, 'Page')), Number(textOf(call, 'PageSize'))];
  const domains = shop.domains().toSorted((one, other) => one.name.localeCompare(other.name));
  const shown = domains.slice((page - 1) * size, page * size).map(({ id, name, created_at, expires_at }) =>
    tag('Domain', {
      ID: id,
      Name: name,
      User: shop.account.login,
      Created: dateOf(created_at),
      Expires: dateOf(expires_at),
      IsExpired: false,
      IsLocked: false,
      AutoRenew: false,
      WhoisGuard: 'ENABLED',
      IsPremium: false,
      IsOurDNS: false,
    }),
  );
  const paging = `<TotalItems>${domains.length}</TotalItems><CurrentPage>${page}</CurrentPage><PageSize>${size}</PageSize>`;
  return tag('DomainGetListResult', {}, shown.join('')) + tag('Paging', {}, paging);
}

function info(shop: Shop, call: ShopCall): string {
  const { id, name, created_at, expires_at, name_servers, locked } = shop.find(textOf(call, 'DomainName'));
  const details =
    tag(
      'DomainDetails',
      {},
      `<CreatedDate>${dateOf(created_at)}</CreatedDate><ExpiredDate>${dateOf(expires_at)}</ExpiredDate>`,
    ) +
    tag(
      'DnsDetails',
      { ProviderType: 'CUSTOM', IsUsingOurDNS: false },
      name_servers.map((one) => tag('Nameserver', {}, one)).join(''),
    );
  const attributes = { Status: locked ? 'Locked' : 'Ok', ID: id, DomainName: name, IsOwner: true, IsPremium: false };
  return tag('DomainGetInfoResult', attributes, details);
}

/** Charges the fee with the last sale, and returns the sum of both as the service writes it. */
function chargeFee({ account }: Shop, amount: number): string {
  account.balance -= FEE;
  const charge = account.charges.at(-1);
  if (charge) charge.amount += FEE;
  return dollars(amount + FEE);
}

function create(shop: Shop, call: ShopCall): string {
  const missing = PEOPLE.flatMap((person) => NEEDED.map((field) => person + field)).find(
    (field) => textOf(call, field) === '',
  );
  if (missing !== undefined) throw new Refusal('unknown', `Parameter ${missing} is missing`);
  const name = textOf(call, 'DomainName');
  const { id, amount } = shop.register(name, Number(textOf(call, 'Years')), '');
  return tag('DomainCreateResult', {
    Domain: name,
    Registered: true,
    ChargedAmount: `${chargeFee(shop, amount)}00`,
    DomainID: id,
    OrderID: id,
    TransactionID: id,
    WhoisguardEnable: true,
    NonRealTimeDomain: false,
  });
}

const CALLS: Record<string, (shop: Shop, call: ShopCall) => string> = {
  'users.getBalances': ({ account }) =>
    tag('UserGetBalancesResult', {
      Currency: 'USD',
      AvailableBalance: dollars(account.balance),
      AccountBalance: dollars(account.balance),
    }),
  'users.getPricing': price,
  'users.address.getList': () =>
    tag('AddressGetListResult', {}, tag('List', { AddressId: 7, AddressName: 'Primary Address', IsDefault: true })),
  'users.address.getInfo': () =>
    tag(
      'GetAddressInfoResult',
      {},
      Object.entries(STORED)
        .map(([name, value]) => tag(name, {}, value))
        .join(''),
    ),
  'domains.check': check,
  'domains.getList': list,
  'domains.getInfo': info,
  'domains.create': create,
  'domains.renew': (shop, call) => {
    const { id, amount, name } = shop.renew(textOf(call, 'DomainName'), Number(textOf(call, 'Years')), '');
    return tag('DomainRenewResult', {
      DomainName: name,
      DomainID: id,
      Renew: true,
      OrderID: id,
      TransactionID: id,
      ChargedAmount: chargeFee(shop, amount),
    });
  },
  'domains.dns.setCustom': (shop, call) => {
    const name = `${textOf(call, 'SLD')}.${textOf(call, 'TLD')}`;
    const servers = textOf(call, 'Nameservers').split(',');
    if (servers.length < 2) throw new Refusal('unknown', 'Two name servers are needed at least');
    shop.setNameServers(name, servers);
    return tag('DomainDNSSetCustomResult', { Domain: name, Updated: true });
  },
};

/** The XML API of Namecheap. */
export const namecheapDialect: Dialect = {
  read({ body }) {
    const form = Object.fromEntries(new URLSearchParams(body));
    const { ApiUser = '', ApiKey = '', UserName = '', ClientIp = '', Command = '', ...input } = form;
    if (UserName === '' || ClientIp === '') throw new Refusal('unknown', 'Parameter UserName or ClientIp is missing');
    return {
      name: Command.replace(/^namecheap\./, ''),
      input: { ...input, ClientIp },
      login: ApiUser,
      password: ApiKey,
    };
  },
  answer(shop, call) {
    const perform = CALLS[call.name];
    if (!perform) throw new Refusal('unknown', 'No such command');
    return envelope('OK', `namecheap.${call.name}`, perform(shop, call));
  },
  refuse: ({ reason, message }, call) =>
    envelope(
      'ERROR',
      `namecheap.${call?.name ?? ''}`,
      '',
      tag('Error', { Number: NUMBERS[reason] }, escapeXml(message)),
    ),
};
