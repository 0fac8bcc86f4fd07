import type { RegistrarType } from '../shared/accounts/registrar-types.ts';
import { daysFrom, type domainAt } from './domains.ts';
import { dateAtShop } from './registrations.ts';
import type { ShopDomain, ShopState } from './registrars/shop.ts';
import { REGISTRARS, secretOf } from './team.ts';
import { nameServersAt } from './zones.ts';

type Domain = ReturnType<typeof domainAt>;

const RUBLES = {
  ru: { register: 19_900, renew: 24_900 },
  'xn--p1ai': { register: 19_900, renew: 24_900 },
  su: { register: 59_900, renew: 59_900 },
  com: { register: 149_900, renew: 219_900 },
  net: { register: 169_900, renew: 229_900 },
  org: { register: 129_900, renew: 199_900 },
  online: { register: 19_900, renew: 349_900 },
  site: { register: 19_900, renew: 349_900 },
};
const DOLLARS = {
  com: { register: 1_028, renew: 1_498 },
  net: { register: 1_198, renew: 1_598 },
  org: { register: 798, renew: 1_398 },
  online: { register: 98, renew: 2_898 },
  site: { register: 98, renew: 2_898 },
};

/** Returns what a name costs at a registrar for a year, in minor units. */
export function pricesAt(
  type: RegistrarType,
  name: string,
  kind: 'register' | 'renew',
): { amount: number; currency: 'RUB' | 'USD' } {
  const isRussian = type.endsWith('.ru');
  const zone = name.slice(name.lastIndexOf('.') + 1);
  const prices: Record<string, { register: number; renew: number }> = isRussian ? RUBLES : DOLLARS;
  return { amount: prices[zone]?.[kind] ?? 0, currency: isRussian ? 'RUB' : 'USD' };
}

/** Balance of each registrar's login, in minor units: that of porkbun.com pays for no domain. */
export const BALANCES: Record<RegistrarType, number> = {
  'reghouse.ru': 1_250_000,
  'expired.ru': 380_000,
  'reg.ru': 842_550,
  'namecheap.com': 18_640,
  'porkbun.com': 12,
};

const FOREIGN = 3;

/** Names at a registrar that the portfolio does not have. */
const others = (type: RegistrarType, now: Date): ShopDomain[] =>
  Array.from({ length: FOREIGN }, (_, index) => ({
    id: String(900_000 + index),
    name: `${type.replace(/\W/g, '')}-${index + 1}.${type.endsWith('.ru') ? 'ru' : 'com'}`,
    created_at: daysFrom(now, -500),
    expires_at: daysFrom(now, 100 + index * 40),
    name_servers: ['ns1.example.net', 'ns2.example.net'],
  }));

/** Makes the state of each registrar: what the portfolio has there, some names more, and what is taken. */
export function shopStates(domains: readonly Domain[], now: Date): Record<RegistrarType, ShopState> {
  const states = REGISTRARS.map(({ type, login }, index): [RegistrarType, ShopState] => {
    const own = domains.filter(({ registrars_id, expired_at }) => registrars_id === index + 1 && expired_at !== null);
    const held = own.map((domain) => ({
      id: String(1000 + domain.id),
      name: domain.domain_name,
      created_at: daysFrom(now, -400),
      expires_at: dateAtShop(domain),
      name_servers: nameServersAt(domain),
    }));
    const zone = type.endsWith('.ru') ? 'ru' : 'com';
    return [
      type,
      {
        accounts: [
          {
            login,
            password: secretOf(index + 1),
            addresses: null,
            balance: BALANCES[type],
            partner: true,
            domains: [...held, ...others(type, now)],
            charges: [],
          },
        ],
        prices: zone === 'ru' ? RUBLES : DOLLARS,
        taken: [`astro.${zone}`, `dacha.${zone}`, `vkus.${zone}`],
        premium: { [`stars.${zone}`]: 9_900_000, [`dom.${zone}`]: 4_500_000 },
      },
    ];
  });
  return Object.fromEntries(states) as Record<RegistrarType, ShopState>;
}
