import { Refusal } from './shop.ts';
import type { Shop, ShopDomain } from './shop.ts';
import { textOf, type Dialect, type ShopAnswer, type ShopCall } from './server.ts';

const CODES: Record<Refusal['reason'], string> = {
  credentials: 'PASSWORD_AUTH_FAILED',
  address: 'ACCESS_DENIED_FROM_IP',
  taken: 'DOMAIN_ALREADY_EXISTS',
  premium: 'DOMAIN_STOP_LIST',
  price: 'DOMAIN_STOP_LIST',
  no_money: 'NOT_ENOUGH_MONEY',
  name: 'DOMAIN_BAD_NAME',
  locked: 'DOMAIN_PROTECTION',
  absent: 'DOMAIN_NOT_FOUND',
  busy: 'BILLING_LOCK',
  purchases_off: 'PURCHASES_DISABLED',
  duplicate: 'USER_SERVID_IS_NOT_UNIQUE',
  unknown: 'INVALID_ARGUMENTS',
};

const json = (value: object): ShopAnswer => ({
  type: 'application/json',
  body: JSON.stringify({ ...value, charset: 'utf-8', messagestore: null }),
});
const success = (answer: object): ShopAnswer => json({ result: 'success', answer });

const rubles = (minor: number): string => String(minor / 100);
// The registry's day begins at midnight in Moscow.
const dayOf = (time: string): string => new Date(Date.parse(time) + 3 * 3_600_000).toISOString().slice(0, 10);

const namesIn = ({ input }: ShopCall): string[] => (input['domains'] as { dname: string }[]).map(({ dname }) => dname);

const serviceOf = ({ id, name, created_at, expires_at }: ShopDomain): object => ({
  service_id: id,
  dname: name,
  servtype: 'domain',
  state: 'A',
  creation_date: dayOf(created_at),
  expiration_date: dayOf(expires_at),
});

/** Performs a part of a call for one object: its refusal is the object's own. */
function eachName(call: ShopCall, work: (dname: string) => object): object[] {
  return namesIn(call).map((dname) => {
    try {
      return Object.assign({ dname, result: 'success' }, work(dname));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { dname, result: 'error', error_code: CODES[error.reason], error_text: error.message };
    }
  });
}

/** Finds a domain by what identifies a service; throws for one that is not in the account. */
function findService(shop: Shop, call: ShopCall): ShopDomain {
  const reference = textOf(call, 'user_servid');
  const charge = reference === '' ? undefined : shop.account.charges.find((one) => one.reference === reference);
  if (reference !== '' && !charge) throw new Refusal('absent', 'Service not found');
  return shop.find(charge?.name ?? textOf(call, 'domain_name'));
}

const CALLS: Record<string, (shop: Shop, call: ShopCall) => object> = {
  'user/nop': ({ account }) => ({ login: account.login, user_id: 1 }),
  'user/get_balance': ({ account }) => ({ currency: 'RUR', prepay: rubles(account.balance), blocked: '0', credit: 0 }),
  'service/get_list': (shop) => ({ services: shop.domains().map(serviceOf) }),
  'service/get_info': (shop, call) => ({ services: [serviceOf(findService(shop, call))] }),
  'domain/get_prices': ({ state }) => ({
    currency: 'RUR',
    prices: Object.fromEntries(
      Object.entries(state.prices).map(([zone, { register, renew }]) => [
        zone,
        { reg_price: rubles(register), renew_price: rubles(renew), reg_min_period: 1, reg_max_period: 1 },
      ]),
    ),
  }),
  'domain/check': (shop, call) => {
    if (!shop.account.partner) throw new Refusal('unknown', 'This function is for partners only');
    return {
      domains: eachName(call, (dname) => {
        const { state } = shop.offer(dname);
        if (state === 'taken') throw new Refusal('taken', 'Domain already exists');
        return { result: 'Available', ...(state === 'premium' && { is_premium: 1 }) };
      }),
    };
  },
  'domain/create': (shop, call) => {
    const dname = textOf(call, 'domain_name');
    const charge = shop.register(dname, Number(textOf(call, 'period')), textOf(call, 'user_servid'));
    return {
      bill_id: charge.id,
      payment: rubles(charge.amount),
      pay_type: 'prepay',
      pay_notes: 'Amount successfully charged',
      domains: [{ dname, result: 'success', service_id: shop.find(dname).id }],
    };
  },
  'service/renew': (shop, call) => {
    const { id, amount } = shop.renew(textOf(call, 'domain_name'), Number(textOf(call, 'period')), '');
    return { status: 'renew_success', bill_id: id, payment: rubles(amount), currency: 'RUR' };
  },
  'bill/get_not_payed': ({ account: { bills = [] } }) => ({ bills: bills.map((bill_id) => ({ bill_id })) }),
  'domain/get_nss': (shop, call) => ({
    domains: eachName(call, (dname) => {
      const { id, name_servers } = shop.find(dname);
      return { nss: name_servers.map((ns) => ({ ns })), service_id: id };
    }),
  }),
  'domain/update_nss': (shop, call) => ({
    domains: eachName(call, (dname) => {
      shop.setNameServers(dname, Object.values(call.input['nss'] as Record<string, string>));
      return { service_id: shop.find(dname).id };
    }),
  }),
};

/** REG.API 2.0 of reg.ru. */
export const regruDialect: Dialect = {
  read({ method, path, body }) {
    if (method !== 'POST') throw new Refusal('unknown', 'Only POST is allowed');
    const form = new URLSearchParams(body);
    return {
      name: path.slice(1),
      input: JSON.parse(form.get('input_data') ?? '{}') as Record<string, unknown>,
      login: form.get('username') ?? '',
      password: form.get('password') ?? '',
    };
  },
  answer(shop, call) {
    const perform = CALLS[call.name];
    if (!perform) throw new Refusal('unknown', 'No such function');
    return success(perform(shop, call));
  },
  refuse: ({ reason, message }) =>
    json({ result: 'error', error_code: CODES[reason], error_text: message, error_params: {} }),
};
