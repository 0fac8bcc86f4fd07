import { createHash } from 'node:crypto';

/** Permissions of a token; `edit` includes `read`. A user's key has all of them. */
export type Permission =
  | 'zone:read'
  | 'zone:edit'
  | 'dns:read'
  | 'dns:edit'
  | 'settings:read'
  | 'settings:edit'
  | 'page_rules:read'
  | 'page_rules:edit'
  | 'redirects:read'
  | 'redirects:edit'
  | 'cache_purge:edit';

/** A login: a user's key, or one of the user's tokens with its permissions. `accounts` are the ids it reaches. */
export interface Login {
  email: string;
  api_key?: string;
  token?: string;
  permissions?: Permission[];
  accounts: string[];
  /** The names of the zones that a token is limited to. */
  zones?: string[];
  /** The token belongs to an account, not to a user: it is verified only there, and cannot use page rules. */
  account_owned?: true;
  /** Latency of its answers, in addition to the general one. */
  latency_ms?: number;
}

/** An account. `name_servers` is the pair that its zones get; `pending_cap` limits its zones that wait for activation. */
export interface Account {
  id: string;
  name: string;
  type: 'standard' | 'enterprise';
  created_on: string;
  name_servers: [string, string];
  pending_cap: number;
}

/** A DNS record, as the API shows it. */
export interface DnsRecord {
  id: string;
  type: string;
  name: string;
  content: string;
  data?: Record<string, unknown>;
  priority?: number;
  proxied: boolean;
  proxiable: boolean;
  ttl: number;
  comment: string | null;
  tags: string[];
  settings: Record<string, unknown>;
  /** `read_only`: a service of Cloudflare manages it. */
  meta: { read_only?: boolean };
  created_on: string;
  modified_on: string;
}

/** A page rule, as the API shows it. */
export interface PageRule {
  id: string;
  targets: { target: 'url'; constraint: { operator: string; value: string } }[];
  actions: { id: string; value?: unknown }[];
  status: 'active' | 'disabled';
  priority: number;
  created_on: string;
  modified_on: string;
}

/** A rule of a ruleset, as the API shows it. */
export interface Rule {
  id: string;
  ref: string;
  action: string;
  expression: string;
  description: string;
  enabled: boolean;
  action_parameters?: Record<string, unknown>;
  version: string;
  last_updated: string;
}

/** A ruleset of a zone: the entry point of its phase. */
export interface Ruleset {
  id: string;
  name: string;
  description: string;
  kind: 'zone';
  phase: string;
  rules: Rule[];
  version: string;
  last_updated: string;
}

export type Plan = 'free' | 'pro' | 'business' | 'enterprise';

/** A zone with all that belongs to it. Settings that have their default are not stored. */
export interface Zone {
  id: string;
  name: string;
  account_id: string;
  status: 'initializing' | 'pending' | 'active' | 'moved';
  paused: boolean;
  plan: Plan;
  name_servers: string[];
  original_name_servers: string[];
  original_registrar: string | null;
  created_on: string;
  modified_on: string;
  activated_on: string | null;
  /** Time of the last activation check. */
  checked_on: string | null;
  /** Page rules can be read and deleted, but no longer created. */
  page_rules_closed: boolean;
  purged_on: string | null;
  records: DnsRecord[];
  settings: Record<string, { value: unknown; modified_on: string }>;
  page_rules: PageRule[];
  rulesets: Ruleset[];
}

/** The whole state of the fake, as plain JSON. */
export interface CloudflareState {
  /** Number of ids given out; the next one derives from it, so that two runs agree. */
  ids: number;
  logins: Login[];
  accounts: Account[];
  /** By id. Add and remove zones through a Store, which keeps indexes of them. */
  zones: Record<string, Zone>;
  /** Names that no registry knows: 1049. */
  unregistered: string[];
  /** Names that may not be added at all: 1097. */
  banned: string[];
  /** Name servers of a name at the registry; an activation check activates the zone once they are its own. */
  delegations: Record<string, string[]>;
}

/** A state without accounts, logins and zones. */
export const emptyState = (): CloudflareState => ({
  ids: 0,
  logins: [],
  accounts: [],
  zones: {},
  unregistered: [],
  banned: [],
  delegations: {},
});

/** The state with its indexes and its clock. */
export interface Store {
  state: CloudflareState;
  /** The time in the format of the API. */
  now: () => string;
  /** A new id of 32 hexadecimal digits. */
  newId: () => string;
  /** Zones with a name, at most one per account. */
  named: (name: string) => Zone[];
  /** Zones of some accounts, by name. */
  zonesOf: (accounts: readonly string[]) => Zone[];
  add: (zone: Zone) => void;
  remove: (id: string) => void;
}

/** Builds indexes of a state, so that 10,000 zones are found by id and by name without a scan. */
export function openStore(state: CloudflareState, now: () => string): Store {
  const byName = new Map<string, Zone[]>();
  const sorted = new Map<string, Zone[]>();
  const index = (zone: Zone): void => void byName.set(zone.name, [...(byName.get(zone.name) ?? []), zone]);
  Object.values(state.zones).forEach(index);
  return {
    state,
    now,
    newId: () =>
      createHash('sha256')
        .update(`id ${++state.ids}`)
        .digest('hex')
        .slice(0, 32),
    named: (name) => byName.get(name) ?? [],
    zonesOf(accounts) {
      const key = accounts.join();
      const known = sorted.get(key);
      if (known) return known;
      const zones = Object.values(state.zones).filter((zone) => accounts.includes(zone.account_id));
      zones.sort((a, b) => (a.name < b.name ? -1 : 1));
      sorted.set(key, zones);
      return zones;
    },
    add(zone) {
      state.zones[zone.id] = zone;
      index(zone);
      sorted.clear();
    },
    remove(id) {
      const zone = state.zones[id];
      if (!zone) return;
      delete state.zones[id];
      byName.set(
        zone.name,
        (byName.get(zone.name) ?? []).filter((other) => other !== zone),
      );
      sorted.clear();
    },
  };
}
