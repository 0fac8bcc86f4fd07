import type { Act } from '../operations/flow.ts';
import { ProviderError } from '../providers/provider-error.ts';
import { AppError } from '../shared/errors.ts';
import type { PageRuleView } from '../shared/rules.ts';
import { deleteRule, FORWARDING, listRules, retarget, ruleBack, viewOfRedirect, type Forwarding } from './rules.ts';
import type { ZoneLane } from './zones.ts';

const patternOf = (domain: string): string => `*${domain}/*`;
const expressionOf = (domain: string): string => `(http.host eq "${domain}") or (http.host eq "www.${domain}")`;
const targetOf = (domain: string): string => `https://${domain}/$2`;
const refOf = (domain: string): string => `seo-admin ${domain}`;

/** Where a rule forwards what a domain is asked for; null where it does not speak of it. */
function forwardOf({ targets, actions }: PageRuleView, domain: string): string | null {
  const speaksOf = targets.some(({ constraint: { value } }) =>
    [patternOf(domain), `${domain}/*`, expressionOf(domain)].includes(value),
  );
  const forwarding = actions.find(({ id }) => id === FORWARDING);
  return speaksOf && forwarding ? (forwarding.value as Forwarding).url : null;
}

const hostIn = (target: string): string => /https?:\/\/([^/"]+)/.exec(target)?.[1] ?? target;

/** The host that a rule which is on forwards a domain to; null where it does not forward it. */
function leadsTo(rule: PageRuleView, domain: string): string | null {
  const target = rule.status === 'active' ? forwardOf(rule, domain) : null;
  return target === null ? null : hostIn(target);
}

async function createForward({ client }: ZoneLane, zoneId: string, domain: string, to: string): Promise<void> {
  try {
    await client.createPageRule(zoneId, {
      targets: [{ target: 'url', constraint: { operator: 'matches', value: patternOf(domain) } }],
      actions: [{ id: FORWARDING, value: { url: targetOf(to), status_code: 301 } }],
      status: 'active',
    });
  } catch (error) {
    // No room or no page rules in this plan: their successor does the same.
    if (!(error instanceof ProviderError) || error.kind !== 'refused') throw error;
    const made = await client.createRedirect(zoneId, {
      ref: refOf(domain),
      description: `${domain} → ${to}`,
      expression: expressionOf(domain),
      status_code: 301,
      target_url: { expression: `concat("https://${to}", http.request.uri.path)` },
      preserve_query_string: true,
    });
    // One of that name was there, switched off or with other words.
    const rule = viewOfRedirect(made);
    if (leadsTo(rule, domain) !== to) throw elsewhere(domain, hostIn(forwardOf(rule, domain) ?? ''));
  }
}

const elsewhere = (domain: string, target: string): AppError =>
  new AppError('conflict', 'rules.forwards_elsewhere', { domain, target });

/** The hosts that the rules of a domain's zone forward it to, a host a rule. */
export async function forwardedTo(lane: ZoneLane, zone: string, domain: string): Promise<string[]> {
  const { id } = await lane.zone(zone);
  return (await listRules(lane, id)).flatMap((rule) => leadsTo(rule, domain) ?? []);
}

/**
 * The act that forwards everything of a domain to another one. Throws `conflict` where a rule forwards it elsewhere
 * already: which of the two is wanted is for a person.
 */
export function forwardAct(lane: ZoneLane, zone: string, domain: string, to: string): Act {
  return {
    name: 'rule',
    class: 'set',
    look: async () => {
      const { id } = await lane.zone(zone);
      for (const rule of await listRules(lane, id)) {
        const target = leadsTo(rule, domain);
        if (target === to) return null;
        if (target !== null) throw elsewhere(domain, target);
      }
      return { before: null, after: { domain, to }, perform: () => createForward(lane, id, domain, to) };
    },
  };
}

/** The act that takes a forwarding back. */
export function forwardBack(lane: ZoneLane, zone: string, after: unknown): Act {
  const { domain, to } = after as { domain: string; to: string };
  return {
    name: 'rule',
    class: 'set',
    look: async () => {
      const { id } = await lane.zone(zone);
      const rules = await listRules(lane, id);
      const rule = rules.find((one) => hostIn(forwardOf(one, domain) ?? '') === to);
      return rule ? { before: rule, after: null, perform: () => deleteRule(lane, id, rule.id) } : null;
    },
  };
}

/**
 * The act that makes rules which forward a domain to one host lead to another: changed in place, so that there is no moment
 * without one. A zone that is gone has none.
 */
export function repointAct(lane: ZoneLane, zone: string, domain: string, from: string, to: string): Act {
  return {
    name: 'repoint',
    class: 'set',
    look: async () => {
      const found = await lane.findZone(zone);
      const rules = found ? await listRules(lane, found.id) : [];
      const old = rules.filter((rule) => leadsTo(rule, domain) === from);
      if (!found || old.length === 0) return null;
      const perform = async (): Promise<void> => {
        for (const rule of old) await retarget(lane, found.id, rule, from, to);
      };
      return { before: { domain, to: from }, after: { domain, to }, perform };
    },
  };
}

/** The act that takes away rules which forward a domain to one of `hosts`; others are for a person. */
export function unforwardAct(lane: ZoneLane, zone: string, domain: string, hosts: ReadonlySet<string>): Act {
  return {
    name: 'unforward',
    class: 'set',
    look: async () => {
      const found = await lane.findZone(zone);
      if (!found) return null;
      const rules = (await listRules(lane, found.id)).filter((rule) => hosts.has(leadsTo(rule, domain) ?? ''));
      const perform = async (): Promise<void> => {
        for (const { id } of rules) await deleteRule(lane, found.id, id);
      };
      return rules.length === 0 ? null : { before: rules, after: null, perform };
    },
  };
}

/** The act that gives these rules back. */
export function unforwardBack(lane: ZoneLane, zone: string, before: unknown): Act {
  const acts = (before as PageRuleView[]).map((rule) => ruleBack(lane, zone, rule));
  return {
    name: 'unforward',
    class: 'set',
    look: async () => {
      const changes = [];
      for (const act of acts) changes.push(await act.look());
      const left = changes.filter((change) => change !== null);
      const perform = async (): Promise<void> => {
        for (const change of left) await change.perform();
      };
      return left.length === 0 ? null : { before: null, after: before, perform };
    },
  };
}

/** The act that leaves one of several rules which forward a domain to the same host: the oldest. */
export function oneForwardAct(lane: ZoneLane, zone: string, domain: string, to: string): Act {
  return {
    name: 'one_rule',
    class: 'set',
    look: async () => {
      const { id: zoneId } = await lane.zone(zone);
      const rules = (await listRules(lane, zoneId)).filter((rule) => leadsTo(rule, domain) === to);
      if (rules.length < 2) return null;
      const made = new Map((await lane.client.listPageRules(zoneId)).map(({ id, created_on }) => [id, created_on]));
      // A single redirect is younger than a page rule: it is what is made where that cannot be.
      const age = ({ id }: PageRuleView): string => made.get(id) ?? '~';
      const [, ...younger] = rules.toSorted((one, other) => (age(one) < age(other) ? -1 : 1));
      const perform = async (): Promise<void> => {
        for (const { id } of younger) await deleteRule(lane, zoneId, id);
      };
      return { before: younger, after: null, perform };
    },
  };
}
