import type { Act } from '../../operations/flow.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import { AppError } from '../../shared/errors.ts';
import type { StoredAct } from '../../shared/operations.ts';
import type { PageRuleView } from '../../shared/dns/rules.ts';
import { ruleOf, type RedirectList } from '../../providers/cloudflare/redirects.ts';
import {
  deleteRule,
  FORWARDING,
  imagesOf,
  listRules,
  readRules,
  retarget,
  viewOfRedirect,
  viewsOf,
  type ZoneRules,
} from './rules.ts';
import type { Zone } from '../../providers/cloudflare/zones.ts';
import { hasDomainBelow } from './rows.ts';
import { expressionFor, forwardOf, hostIn, hostPatternOf, hostsOf, leadsTo, patternOf } from './forward-rule.ts';
import type { OpenAccount } from './zones.ts';

const refOf = (domain: string): string => `seo-admin ${domain}`;

/**
 * Whether the pattern of a page rule would match other names of the zone than the domain's own: those that end as it does, of a
 * domain below the zone's name; the main domain below it, which would be forwarded to itself; domains of the portfolio below it.
 */
const isTooWide = async ({ name }: Zone, domain: string, to: string): Promise<boolean> =>
  domain !== name || to.endsWith(`.${domain}`) || (await hasDomainBelow(domain));

/**
 * Whether to create a page rule: page rules can be read, and the account may create more of them or its redirects can't
 * be read. A limit that is not known shows when it is tried. A redirect names its hosts one by one.
 */
function takesPageRules(
  { quirks }: OpenAccount,
  { meta }: Zone,
  { pageRules, redirects }: ZoneRules,
  isWide: boolean,
): boolean {
  if (pageRules === null) return false;
  if (redirects === null) return true;
  if (isWide) return false;
  return quirks.makesPageRules && pageRules.length < (meta?.page_rule_quota ?? Infinity);
}

/** Forwards a domain by a page rule, or by a single redirect where the zone or the account takes none: both do the same. */
async function createForward(
  lane: OpenAccount,
  zone: Zone,
  rules: ZoneRules,
  domain: string,
  to: string,
): Promise<void> {
  const { client, quirks } = lane;
  const isWide = await isTooWide(zone, domain, to);
  if (takesPageRules(lane, zone, rules, isWide)) {
    const [value, url] = isWide ? [hostPatternOf(domain), `https://${to}/$1`] : [patternOf(domain), `https://${to}/$2`];
    try {
      await client.createPageRule(zone.id, {
        targets: [{ target: 'url', constraint: { operator: 'matches', value } }],
        actions: [{ id: FORWARDING, value: { url, status_code: 301 } }],
        status: 'active',
      });
      return;
    } catch (error) {
      const isRefused = error instanceof ProviderError && error.kind === 'refused';
      if (!isRefused || rules.redirects === null) throw error;
      // The account refuses the next one as well: its other zones get a redirect at once.
      quirks.makesPageRules = false;
    }
  }
  if (rules.redirects) await createRedirect(lane, zone.id, rules.redirects, domain, to);
}

async function createRedirect(
  { client }: OpenAccount,
  zoneId: string,
  list: RedirectList,
  domain: string,
  to: string,
): Promise<void> {
  const ref = refOf(domain);
  const known = list.redirects.find((one) => one.ref === ref);
  // A redirect with that reference exists: it is disabled, or somebody has edited it.
  if (known) throw elsewhere(domain, hostIn(forwardOf(viewOfRedirect(known), domain) ?? ''));
  const rule = ruleOf({
    ref,
    description: `${domain} → ${to}`,
    expression: expressionFor(hostsOf(domain).filter((host) => host !== to)),
    status_code: 301,
    target_url: { expression: `concat("https://${to}", http.request.uri.path)` },
    preserve_query_string: true,
  });
  await client.addRedirect(zoneId, list, rule);
}

const elsewhere = (domain: string, target: string) =>
  new AppError('conflict', 'rules.forwards_elsewhere', { domain, target });

/** Returns the hosts that active rules of a zone forward a domain to, one for each rule. */
export async function forwardedTo(lane: OpenAccount, zone: string, domain: string): Promise<string[]> {
  const { id } = await lane.zone(zone);
  return (await listRules(lane, id)).flatMap((rule) => leadsTo(rule, domain) ?? []);
}

/** Whether a rule forwards a domain to a host. Throws AppError `conflict` where one forwards it elsewhere: a person has to decide. */
export function isForwarded(rules: ZoneRules, domain: string, to: string): boolean {
  for (const rule of viewsOf(rules)) {
    const target = leadsTo(rule, domain);
    if (target === to) return true;
    if (target !== null) throw elsewhere(domain, target);
  }
  return false;
}

/** Returns the act that forwards everything of a domain to another one. Its look throws as `isForwarded`. */
export function forwardAct(lane: OpenAccount, zone: string, domain: string, to: string): Act {
  return {
    name: 'rule',
    class: 'set',
    look: async () => {
      const found = await lane.zone(zone);
      const rules = await readRules(lane, found.id, 'active');
      if (isForwarded(rules, domain, to)) return null;
      const perform = (): Promise<void> => createForward(lane, found, rules, domain, to);
      return { before: null, after: { domain, to }, ...(found.id !== '' && { on: found.id }), perform };
    },
  };
}

/** The rule that an act has made or changed, by the domain that it forwards. */
function forwardedIn({ after }: StoredAct): string[] {
  const { domain } = (after ?? {}) as { domain?: string };
  return domain === undefined ? [] : [domain];
}

/**
 * Returns the act that deletes the rule of a `forwardAct`, by its `after`. Before that one no active rule forwarded the domain. A rule that
 * leads elsewhere by now is left alone.
 */
export function forwardBack(lane: OpenAccount, zone: string, after: unknown): Act {
  const { domain, to } = after as { domain: string; to: string };
  return {
    name: 'rule',
    class: 'set',
    look: async () => {
      const { id } = await lane.zone(zone);
      // Not a disabled rule: it was disabled before, or somebody has switched it off since.
      const rule = (await listRules(lane, id)).find((one) => leadsTo(one, domain) === to);
      return rule ? { before: rule, after: null, perform: () => deleteRule(lane, id, rule.id) } : null;
    },
    parts: {
      also: 'chain',
      of: forwardedIn,
      without: () => ({ name: 'rule', class: 'set', look: async () => null }),
    },
    differs: async () =>
      (await forwardedTo(lane, zone, domain)).map((host) => ({ name: 'rule', was: null, is: `${domain} → ${host}` })),
  };
}

/**
 * Returns the act that makes the rules which forward a domain to `from` forward to `to`. They are changed in place, so
 * that there is no moment without a rule. A zone that is gone needs no change.
 */
export function repointAct(lane: OpenAccount, zone: string, domain: string, from: string, to: string): Act {
  return {
    name: 'repoint',
    class: 'set',
    look: async () => {
      const found = await lane.findZone(zone);
      if (!found) return null;
      const rules = await readRules(lane, found.id);
      const old = viewsOf(rules).filter((rule) => leadsTo(rule, domain) === from);
      // Page rules that may exist but can't be read can't be changed either.
      if (old.length === 0 && rules.unseen) throw rules.unseen;
      if (old.length === 0) return null;
      const perform = async (): Promise<void> => {
        for (const rule of old) await retarget(lane, found.id, rule, from, to);
      };
      return { before: { domain, to: from }, after: { domain, to }, on: found.id, perform };
    },
  };
}

/** Returns the act that deletes all but the oldest of the rules which forward a domain to the same host. */
export function oneForwardAct(lane: OpenAccount, zone: string, domain: string, to: string): Act {
  return {
    name: 'one_rule',
    class: 'set',
    look: async () => {
      const { id: zoneId } = await lane.zone(zone);
      const all = await readRules(lane, zoneId);
      const rules = imagesOf(all, (rule) => leadsTo(rule, domain) === to);
      if (rules.length < 2) return null;
      const made = new Map((all.pageRules ?? []).map(({ id, created_on }) => [id, created_on]));
      // A single redirect counts as younger than a page rule: it is only created where no page rule can be.
      const age = ({ id }: PageRuleView): string => made.get(id) ?? '~';
      const [, ...younger] = rules.toSorted((one, other) => (age(one) < age(other) ? -1 : 1));
      const perform = async (): Promise<void> => {
        for (const { id } of younger) await deleteRule(lane, zoneId, id);
      };
      return { before: younger, after: null, perform };
    },
  };
}
