// The five registrars beside their fakes, with one account each that holds two domains.
import { startRegistrar as start } from '../../../src/demo/registrars.ts';
import type { ShopServer } from '../../../src/demo/registrars/server.ts';
import type { ShopDomain, ShopState } from '../../../src/demo/registrars/shop.ts';
import type { RegistrarType } from '../../../src/shared/accounts/registrar-types.ts';

/** The values of a login that its fake takes, for every type. */
export const LOGIN = {
  login: 'ann',
  password: 'right-secret',
  base_url: 'http://127.0.0.1:9',
  contact: '',
  price: '199',
  client_ip: '198.51.100.10',
  sandbox: '',
  highest_price: '',
  profile_type: 'RU.PP',
  profile_name: 'main',
};

const isRussian = (type: RegistrarType): boolean => type.endsWith('.ru');

const domainNamed = (name: string, id: string): ShopDomain => ({
  id,
  name,
  created_at: '2025-02-13T21:00:00.000Z',
  // Midnight in Moscow.
  expires_at: '2027-02-13T21:00:00.000Z',
  name_servers: ['ns1.example.net', 'ns2.example.net'],
});

/** The state of a type's fake: free names are all others of its zones. */
export function shopState(type: RegistrarType): ShopState {
  const zone = isRussian(type) ? 'ru' : 'com';
  return {
    accounts: [
      {
        login: LOGIN.login,
        password: LOGIN.password,
        addresses: null,
        balance: 500_000,
        partner: true,
        domains: [domainNamed(`first.${zone}`, '101'), domainNamed(`second.${zone}`, '102')],
        charges: [],
      },
    ],
    prices: { [zone]: { register: 19_900, renew: 24_900 } },
    taken: [`taken.${zone}`],
    premium: { [`premium.${zone}`]: 9_000_000 },
  };
}

/** No pace at all. */
export const AT_ONCE = { calls: 10_000, seconds: 1, atOnce: 100 };

/** Starts the fake of a type. */
export const startRegistrar = (type: RegistrarType): Promise<ShopServer> => start(type, shopState(type));
