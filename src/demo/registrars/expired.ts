import { Refusal, type Shop, type ShopDomain } from './shop.ts';
import { textOf, type Dialect, type ShopAnswer, type ShopCall } from './server.ts';

const CODES: Partial<Record<Refusal['reason'], string>> = { credentials: '100', address: 'access' };

const json = (value: object): ShopAnswer => ({ type: 'application/json', body: JSON.stringify(value) });
// The registry's day begins at midnight in Moscow.
const dayOf = (time: string): string => new Date(Date.parse(time) + 3 * 3_600_000).toISOString().slice(0, 10);

const elementOf = ({ id, name, created_at, expires_at }: ShopDomain): object => ({
  id,
  name,
  expiredate: dayOf(expires_at),
  createdate: dayOf(created_at),
  item_status: 'Активен',
  cost: '199.00 RUB / Год',
});

// As BILLmanager does: no element, one as an object, or several as an array.
const elements = (rows: object[]): object => (rows.length === 0 ? {} : { elem: rows.length === 1 ? rows[0] : rows });

function byId(shop: Shop, call: ShopCall): ShopDomain {
  const domain = shop.account.domains.find(({ id }) => id === textOf(call, 'elid'));
  if (!domain) throw new Refusal('absent', 'The object does not exist');
  return domain;
}

const CALLS: Record<string, (shop: Shop, call: ShopCall) => object> = {
  domain: (shop) => elements(shop.domains().map(elementOf)),
  accountinfo: ({ account }) =>
    elements([
      { id: '1', name: account.login, currency: 'RUB', balance: (account.balance / 100).toFixed(2), creditlimit: '0' },
    ]),
  'domain.ns': (shop, call) => {
    const domain = byId(shop, call);
    if (textOf(call, 'sok') === 'ok') {
      const servers = Object.entries(call.input).flatMap(([name, value]) =>
        /^ns\d$/.test(name) ? [textOf({ input: { value } }, 'value')] : [],
      );
      shop.setNameServers(domain.name, servers);
    }
    return Object.fromEntries(domain.name_servers.map((server, index) => [`ns${index}`, { $: server }]));
  },
};

/** BILLmanager of expired.ru. */
export const expiredDialect: Dialect = {
  read({ body }) {
    const { func = '', authinfo = '', out = '', ...input } = Object.fromEntries(new URLSearchParams(body));
    if (out !== 'json') throw new Refusal('unknown', 'Only JSON is spoken here');
    const colon = authinfo.indexOf(':');
    return { name: func, input, login: authinfo.slice(0, colon), password: authinfo.slice(colon + 1) };
  },
  answer(shop, call) {
    const perform = CALLS[call.name];
    if (!perform) throw new Refusal('unknown', 'No such function');
    return json({ doc: perform(shop, call) });
  },
  refuse: ({ reason, message }) => json({ error: { code: CODES[reason] ?? '4', msg: message } }),
};
