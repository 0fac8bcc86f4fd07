import {
  emptyState,
  openStore,
  type CloudflareState,
  type DnsRecord,
  type PageRule,
  type Store,
  type Zone,
} from './cloudflare/state.ts';
import type { DomainRow } from '../shared/portfolio/tables.ts';
import { newZone } from './cloudflare/zones.ts';
import { MOVES } from './domains.ts';
import { ACCOUNTS, SERVERS } from './team.ts';

type Domain = Pick<DomainRow, 'id' | 'domain_name' | 'server_id' | 'cloudflare_account_id'>;

/** Returns the id at Cloudflare of an account of the demo, by its number from 1. */
export const accountId = (number: number): string => String(number).repeat(32);

const PENDING_CAP = 50;

function recordsOf(store: Store, { domain_name, id, server_id }: Domain): DnsRecord[] {
  const at = store.now();
  const address = SERVERS[(server_id ?? 1) - 1]?.ssh_host ?? '';
  const record = (type: string, name: string, content: string, proxied: boolean, priority?: number): DnsRecord => ({
    id: store.newId(),
    type,
    name,
    content,
    ...(priority === undefined ? {} : { priority }),
    proxied,
    proxiable: type === 'A' || type === 'CNAME',
    ttl: 1,
    comment: null,
    tags: [],
    settings: {},
    meta: {},
    created_on: at,
    modified_on: at,
  });
  const isMail = id % 4 === 0;
  return [
    record('A', domain_name, address, true),
    id % 3 === 0
      ? record('A', `www.${domain_name}`, address, true)
      : record('CNAME', `www.${domain_name}`, domain_name, true),
    record('TXT', domain_name, isMail ? '"v=spf1 mx -all"' : '"v=spf1 -all"', false),
    ...(isMail ? [record('MX', domain_name, `mail.${domain_name}`, false, 10)] : []),
    ...(isMail ? [record('A', `mail.${domain_name}`, address, false)] : []),
  ];
}

function ruleOf(store: Store, from: string, action: PageRule['actions'][number]): PageRule {
  const at = store.now();
  const constraint = { operator: 'matches', value: `*${from}/*` };
  const targets = [{ target: 'url' as const, constraint }];
  return {
    id: store.newId(),
    targets,
    actions: [action],
    status: 'active',
    priority: 1,
    created_on: at,
    modified_on: at,
  };
}

/** Rules of a zone: a name that was left redirects to the present main domain; some zones are under attack. */
function rulesOf(store: Store, { id, domain_name }: Domain, main: Domain | undefined): PageRule[] {
  if (main) {
    const value = { url: `https://${main.domain_name}/$2`, status_code: 301 };
    return [ruleOf(store, domain_name, { id: 'forwarding_url', value })];
  }
  return id % 35 === 11 ? [ruleOf(store, domain_name, { id: 'security_level', value: 'under_attack' })] : [];
}

/** Returns the name servers that a domain is delegated to: those of its zone, but for half of the pending ones. */
export function nameServersAt({ id, cloudflare_account_id }: Pick<Domain, 'id' | 'cloudflare_account_id'>): string[] {
  const account = cloudflare_account_id === null ? undefined : ACCOUNTS[cloudflare_account_id - 1];
  return account && id % 60 !== 47 ? [...account.name_servers] : ['ns1.example.net', 'ns2.example.net'];
}

function zoneOf(store: Store, domain: Domain, main: Domain | undefined): Zone {
  const { id, domain_name, cloudflare_account_id } = domain;
  const isPending = id % 30 === 17;
  const setting = (value: string) => ({ value, modified_on: store.now() });
  return newZone(store, {
    name: domain_name,
    account_id: accountId(cloudflare_account_id ?? 1),
    status: isPending ? 'pending' : 'active',
    page_rules_closed: id % 25 === 12,
    records: recordsOf(store, domain),
    page_rules: rulesOf(store, domain, main),
    settings: {
      ...(id % 4 === 1 ? { tls_1_3: setting('off') } : {}),
      ...(id % 4 === 1 ? { ech: setting('off') } : {}),
      ...(id % 45 === 12 ? { security_level: setting('under_attack') } : {}),
    },
  });
}

/** Makes Cloudflare's state for the portfolio: its accounts, and a zone for every domain with an account. */
export function cloudflareWorld(domains: readonly Domain[], now: Date): CloudflareState {
  const state = emptyState();
  state.accounts = ACCOUNTS.map(({ email, name_servers }, index) => ({
    id: accountId(index + 1),
    name: `${email}'s Account`,
    type: 'standard',
    created_on: '2024-03-01T12:21:02Z',
    name_servers: [...name_servers],
    pending_cap: Math.max(PENDING_CAP, Math.ceil(domains.length / 20)),
  }));
  state.logins = ACCOUNTS.map(({ email, key, latency_ms }, index) => {
    return { email, api_key: key, accounts: [accountId(index + 1)], latency_ms };
  });
  state.unregistered = ['not-registered.ru'];
  state.banned = ['banned.ru'];
  const store = openStore(state, () => now.toISOString());
  const mains = new Map(MOVES.flatMap(({ left, now }) => left.map((index) => [index, domains[now]] as const)));
  for (const [index, domain] of domains.entries()) {
    if (domain.cloudflare_account_id === null) continue;
    const zone = zoneOf(store, domain, mains.get(index));
    // Half of the pending zones have their delegation: the next activation check activates them.
    if (zone.status === 'active' || domain.id % 60 === 17) state.delegations[zone.name] = zone.name_servers;
    state.zones[zone.id] = zone;
  }
  return state;
}
