import type { RegistrarType } from '../shared/accounts/registrar-types.ts';

// Projects, accounts and servers of the demo's team. The id of a row is its place in its list, from 1.

/** `slug` starts the names of a project's domains, `word` those that are IDN. */
export const PROJECTS = [
  { user_id: 1, name: 'Гороскопы', slug: 'astro', word: 'гороскопы' },
  { user_id: 1, name: 'Дачный сезон', slug: 'dacha', word: 'дача' },
  { user_id: 1, name: 'Кулинария', slug: 'vkus', word: 'рецепты' },
  { user_id: 1, name: 'Путешествия', slug: 'puti', word: 'маршруты' },
  { user_id: 2, name: 'Ремонт', slug: 'remont', word: 'ремонт' },
  { user_id: 2, name: 'Рукоделие', slug: 'ruki', word: 'рукоделие' },
];

/** `key` is the login's key at Cloudflare, `stored` the one saved here: that of the last account is wrong. The second account is slow. */
export const ACCOUNTS = [
  {
    name: 'Основной',
    email: 'cdn-1@example.com',
    key: '1111111111111111111111111111111111111',
    stored: '1111111111111111111111111111111111111',
    latency_ms: 0,
    name_servers: ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'],
  },
  {
    name: 'Второй',
    email: 'cdn-2@example.com',
    key: '2222222222222222222222222222222222222',
    stored: '2222222222222222222222222222222222222',
    latency_ms: 400,
    name_servers: ['eve.ns.cloudflare.com', 'kip.ns.cloudflare.com'],
  },
  {
    name: 'С неверным ключом',
    email: 'cdn-3@example.com',
    key: '3333333333333333333333333333333333333',
    stored: '3333333333333333333333333333333333330',
    latency_ms: 0,
    name_servers: ['liv.ns.cloudflare.com', 'max.ns.cloudflare.com'],
  },
] as const;

export const GROUPS = [
  { user_id: 1, name: 'Главная', accounts: [1, 2] },
  { user_id: 2, name: 'Запасная', accounts: [2, 3] },
];

/** Addresses are reserved for documentation (RFC 5737). */
export const SERVERS = [
  { name: 'srv-1', ssh_host: '192.0.2.11' },
  { name: 'srv-2', ssh_host: '192.0.2.12' },
  { name: 'srv-3', ssh_host: '198.51.100.21' },
  { name: 'srv-4', ssh_host: '198.51.100.22' },
  { name: 'srv-5', ssh_host: '203.0.113.31' },
];

/** Default secret of a row. */
export const secretOf = (id: number): string => `demo-secret-${id}`;

/** Logins of the demo's SSH server. */
export const SERVER_LOGINS = SERVERS.map((_, index) => ({ user: 'root', password: secretOf(index + 1) }));

interface DemoRegistrar {
  type: RegistrarType;
  name: string;
  login: string;
  stored?: string;
  base_url: string | null;
  contact: string | null;
  profile_type: string | null;
  profile_name: string | null;
  client_ip: string | null;
  price: string | null;
}

const SETTINGS = {
  base_url: null,
  contact: null,
  profile_type: null,
  profile_name: null,
  client_ip: null,
  price: null,
};

/** `stored` is the password saved here where it is not the login's: it is wrong. The address of the first is never called. */
export const REGISTRARS: readonly DemoRegistrar[] = [
  {
    ...SETTINGS,
    type: 'reghouse.ru',
    name: 'RegHouse – отвечает поздно',
    login: 'demo-reghouse',
    base_url: 'https://partner.example.com/partner_api.khtml',
    contact: 'DEMO-R01',
    price: '199',
  },
  {
    ...SETTINGS,
    type: 'expired.ru',
    name: 'Expired – неверный пароль',
    login: 'demo-expired',
    stored: 'wrong-password',
  },
  {
    ...SETTINGS,
    type: 'reg.ru',
    name: 'Рег.ру',
    login: 'demo-regru',
    profile_type: 'RU.PP',
    profile_name: 'main',
    client_ip: '192.0.2.1',
  },
  {
    ...SETTINGS,
    type: 'namecheap.com',
    name: 'Namecheap – медленный',
    login: 'demo-namecheap',
    client_ip: '192.0.2.1',
  },
  { ...SETTINGS, type: 'porkbun.com', name: 'Porkbun – мало денег', login: 'demo-porkbun' },
];

// How reserves are bought for the project that has none: by a person, because the schedule would be faster than whoever looks
// at the demo.
const AUTO_BUY = {
  project_id: 6,
  template: '{nit|pryazha|klubok}-{dom|mir|klub}{1|2|3|4|5|6|7|8|9}.ru',
  registrars_id: 3,
  cloudflare_groups_id: 1,
  state: 'off',
  wanted_reserves: 1,
};

// In minor units: names can be bought at the demo's registrars.
const CAPS = [
  { scope: 'all', scope_id: 0, currency: 'RUB', amount: 1_000_000 },
  { scope: 'name', scope_id: 0, currency: 'RUB', amount: 250_000 },
  { scope: 'all', scope_id: 0, currency: 'USD', amount: 10_000 },
  { scope: 'name', scope_id: 0, currency: 'USD', amount: 2_000 },
];

/** Returns the rows of the tables about purchases. */
export function purchaseRows(now: Date): { auto_buy: object[]; budget_caps: object[] } {
  const changed_at = now.toISOString();
  return {
    auto_buy: [{ ...AUTO_BUY, updated_at: changed_at }],
    budget_caps: CAPS.map((cap) => Object.assign({ changed_at }, cap)),
  };
}
