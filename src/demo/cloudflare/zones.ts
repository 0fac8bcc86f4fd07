import { getDomain } from 'tldts';
import { z } from 'zod';
import { reaches, take, type Call, type Routes, type ZoneCall } from './call.ts';
import { page, refuse, type Reply } from './reply.ts';
import type { Account, Plan, Store, Zone } from './state.ts';

const ZONE_PAGES = { least: 5, usual: 20, most: 50 };
const NAME = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;

/** Number of page rules by plan. */
export const PAGE_RULES: Record<Plan, number> = { free: 3, pro: 20, business: 50, enterprise: 125 };

const PLANS: Record<Plan, string> = {
  free: 'Free Website',
  pro: 'Pro Website',
  business: 'Business Website',
  enterprise: 'Enterprise Website',
};

/** A zone as the API shows it. */
function toView({ state }: Store, zone: Zone) {
  const account = state.accounts.find(({ id }) => id === zone.account_id);
  return {
    id: zone.id,
    name: zone.name,
    status: zone.status,
    paused: zone.paused,
    type: 'full',
    development_mode: 0,
    name_servers: zone.name_servers,
    original_name_servers: zone.original_name_servers,
    original_registrar: zone.original_registrar,
    original_dnshost: null,
    created_on: zone.created_on,
    modified_on: zone.modified_on,
    activated_on: zone.activated_on,
    account: { id: zone.account_id, name: account?.name ?? '' },
    owner: { id: zone.account_id, type: 'user', name: account?.name ?? '' },
    meta: { page_rule_quota: PAGE_RULES[zone.plan], phishing_detected: false, custom_certificate_quota: 0, step: 2 },
    plan: { id: `0fee${zone.plan}`, name: PLANS[zone.plan], legacy_id: zone.plan },
  };
}

/** Values of a zone that is added directly, not by a call. */
export type NewZone = Pick<Zone, 'name' | 'account_id'> & Partial<Zone>;

/** Makes a zone, by default new and pending; given values override the defaults. */
export function newZone(store: Store, zone: NewZone): Zone {
  const at = store.now();
  const account = store.state.accounts.find(({ id }) => id === zone.account_id);
  return {
    id: zone.id ?? store.newId(),
    status: 'pending',
    paused: false,
    plan: 'free',
    name_servers: account?.name_servers ?? [],
    original_name_servers: store.state.delegations[zone.name] ?? [],
    original_registrar: null,
    created_on: at,
    modified_on: at,
    activated_on: zone.status === 'active' ? at : null,
    checked_on: null,
    page_rules_closed: false,
    purged_on: null,
    records: [],
    settings: {},
    page_rules: [],
    rulesets: [],
    ...zone,
  };
}

const Creation = z.object({
  name: z.string(),
  account: z.object({ id: z.string() }),
  type: z.literal(['full', 'partial', 'secondary', 'internal']).default('full'),
});

/** Refuses a new zone for lack of the permission; the API gives code 0 for it. */
export const refuseCreation = (): never =>
  refuse(
    403,
    0,
    'Requires permission "com.cloudflare.api.account.zone.create" to create zones for the selected account',
  );

function accountFor({ store, login }: Call, id: string): Account {
  const account = store.state.accounts.find((account) => account.id === id && login.accounts.includes(account.id));
  return account ?? refuseCreation();
}

function createZone(call: Call): Reply {
  const { store } = call;
  const { name, account } = take(Creation, call.body, 1001, 'Invalid zone');
  const { id, pending_cap } = accountFor(call, account.id);
  if (!NAME.test(name)) refuse(400, 1001, `Invalid zone name: ${name}`);
  // By the whole public suffix list, its private part included: `com.ru` can't be added, `mysite.com.ru` can.
  if (getDomain(name, { allowPrivateDomains: true }) !== name) {
    const example = '(e.g., example.com, not subdomain.example.com)';
    refuse(400, 1099, `Please ensure you are providing the root domain and not any subdomains ${example}`);
  }
  if (store.state.banned.includes(name)) {
    refuse(400, 1097, 'This zone is banned and cannot be added at this time, please contact Cloudflare Support.');
  }
  if (store.named(name).some((zone) => zone.account_id === id)) refuse(400, 1061, `${name} already exists`);
  if (store.state.unregistered.includes(name)) refuse(400, 1049, `${name} is not a registered domain`);
  const pending = Object.values(store.state.zones).filter(
    (zone) => zone.account_id === id && zone.status === 'pending',
  ).length;
  if (pending >= pending_cap) {
    refuse(400, 1118, 'You have too many pending zones. Please activate some of them before adding another.');
  }
  const zone = newZone(store, { name, account_id: id });
  store.add(zone);
  return { result: toView(store, zone) };
}

const OPERATORS: Record<string, (name: string, part: string) => boolean> = {
  equal: (name, part) => name === part,
  not_equal: (name, part) => name !== part,
  starts_with: (name, part) => name.startsWith(part),
  ends_with: (name, part) => name.endsWith(part),
  contains: (name, part) => name.includes(part),
};

function byName({ store, login }: Call, text: string): Zone[] {
  const [, operator = 'equal', part = ''] = /^(?:(\w+):)?(.*)$/.exec(text.toLowerCase()) ?? [];
  if (operator === 'equal') return store.named(part).filter((zone) => reaches(login, zone));
  const holds = OPERATORS[operator] ?? refuse(400, 1001, `Invalid filter operator: ${operator}`);
  return store.zonesOf(login.accounts).filter(({ name }) => holds(name, part));
}

function listZones(call: Call): Reply {
  const { store, login, query } = call;
  const name = query.get('name');
  const status = query.get('status');
  const account = query.get('account.id');
  let zones = name === null ? store.zonesOf(login.accounts) : byName(call, name);
  if (status !== null) zones = zones.filter((zone) => zone.status === status);
  if (account !== null) zones = zones.filter((zone) => zone.account_id === account);
  if (query.get('order') === 'status') zones = zones.toSorted((a, b) => (a.status < b.status ? -1 : 1));
  if (query.get('order') === 'account.id') zones = zones.toSorted((a, b) => (a.account_id < b.account_id ? -1 : 1));
  if (query.get('direction') === 'desc') zones = zones.toReversed();
  if (login.zones) zones = zones.filter((zone) => reaches(login, zone));
  const reply = page(zones, query, ZONE_PAGES);
  return { ...reply, result: (reply.result as Zone[]).map((zone) => toView(store, zone)) };
}

const samePair = (a: readonly string[], b: readonly string[]): boolean =>
  a.length > 0 && a.toSorted().join() === b.toSorted().join();

function checkActivation({ store, zone, options }: ZoneCall): Reply {
  const next = zone.checked_on === null ? 0 : Date.parse(zone.checked_on) + options.activationSeconds * 1000;
  if (Date.parse(store.now()) < next) refuse(400, 1224, 'You may only perform this action once per hour.');
  zone.checked_on = store.now();
  if (zone.status !== 'active' && samePair(store.state.delegations[zone.name] ?? [], zone.name_servers)) {
    zone.status = 'active';
    zone.activated_on = store.now();
    zone.modified_on = store.now();
  }
  return { result: { id: zone.id } };
}

const Edit = z.object({ paused: z.boolean() });
const Purge = z.object({ purge_everything: z.literal(true) }).or(z.object({ files: z.array(z.url()).min(1).max(30) }));

/** Lists and creates zones. */
export const zones: Routes<Call> = {
  'GET /zones': { needs: 'zone:read', run: listZones },
  'POST /zones': { needs: 'zone:edit', run: createZone },
};

/** Calls on one zone: its values, activation check, cache. */
export const zone: Routes<ZoneCall> = {
  'GET /zones/:zone': { needs: 'zone:read', run: ({ store, zone }) => ({ result: toView(store, zone) }) },
  'PATCH /zones/:zone': {
    needs: 'zone:edit',
    run: ({ store, zone, body }) => {
      const { paused } = take(Edit, body, 1004, 'Invalid zone');
      Object.assign(zone, { paused, modified_on: store.now() });
      return { result: toView(store, zone) };
    },
  },
  'DELETE /zones/:zone': {
    needs: 'zone:edit',
    run: ({ store, zone }) => {
      store.remove(zone.id);
      return { result: { id: zone.id } };
    },
  },
  'PUT /zones/:zone/activation_check': { needs: 'zone:edit', run: checkActivation },
  'POST /zones/:zone/purge_cache': {
    needs: 'cache_purge:edit',
    run: ({ store, zone, body }) => {
      take(Purge, body, 1012, 'Request must contain one of "purge_everything" or "files"');
      zone.purged_on = store.now();
      return { result: { id: zone.id } };
    },
  },
};
