import type { Act } from '../operations/flow.ts';
import type { PageRule } from '../providers/cloudflare/page-rules.ts';
import { ProviderError } from '../providers/provider-error.ts';
import type { Redirect } from '../providers/cloudflare/redirects.ts';
import { AppError } from '../shared/errors.ts';
import type { PageRuleView } from '../shared/rules.ts';
import type { ZoneLane } from './zones.ts';

// A redirect lives in a ruleset: its id here says so, and where.
const REDIRECT = 'rs:';

const FORWARDING = 'forwarding_url';

interface Forwarding {
  url: string;
  status_code: number;
}

interface RedirectParameters {
  from_value?: { status_code?: number; target_url?: { value?: string; expression?: string } };
}

/** A single redirect in the words of page rules. */
function viewOfRedirect({ id, ruleset_id, enabled, expression, action_parameters }: Redirect): PageRuleView {
  const { from_value } = (action_parameters ?? {}) as RedirectParameters;
  const { value, expression: target } = from_value?.target_url ?? {};
  return {
    id: `${REDIRECT}${ruleset_id}:${id}`,
    status: enabled ? 'active' : 'disabled',
    targets: [{ target: 'url', constraint: { operator: 'matches', value: expression } }],
    actions: [{ id: FORWARDING, value: { url: value ?? target ?? '', status_code: from_value?.status_code ?? 301 } }],
    priority: null,
    kind: 'redirect',
  };
}

const viewOfRule = ({ id, status, targets, actions, priority }: PageRule): PageRuleView => ({
  id,
  status,
  targets,
  actions,
  priority: priority ?? null,
  kind: 'page_rule',
});

/** The page rules of a zone, then its single redirects, which do the same. */
export async function listRules({ client }: ZoneLane, zoneId: string): Promise<PageRuleView[]> {
  const [rules, redirects] = await Promise.all([client.listPageRules(zoneId), client.listRedirects(zoneId)]);
  return [...rules.map(viewOfRule), ...redirects.map(viewOfRedirect)];
}

/** Deletes a rule of a zone by the id that `listRules` gave. */
async function deleteRule({ client }: ZoneLane, zoneId: string, id: string): Promise<void> {
  if (!id.startsWith(REDIRECT)) return client.deletePageRule(zoneId, id);
  const [rulesetId = '', ruleId = ''] = id.slice(REDIRECT.length).split(':');
  await client.deleteRedirect(zoneId, rulesetId, ruleId);
}

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
    await client.createRedirect(zoneId, {
      ref: refOf(domain),
      description: `${domain} → ${to}`,
      expression: expressionOf(domain),
      status_code: 301,
      target_url: { expression: `concat("https://${to}", http.request.uri.path)` },
      preserve_query_string: true,
    });
  }
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
        const target = rule.status === 'active' ? forwardOf(rule, domain) : null;
        if (target === null) continue;
        if (hostIn(target) === to) return null;
        throw new AppError('conflict', 'rules.forwards_elsewhere', { domain, target: hostIn(target) });
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

/** The act that deletes a rule; the rule itself is what an undo gives back. */
export function deleteRuleAct(lane: ZoneLane, zone: string, ruleId: string): Act {
  return {
    name: 'rule',
    class: 'set',
    look: async () => {
      const { id } = await lane.zone(zone);
      const rule = (await listRules(lane, id)).find((one) => one.id === ruleId);
      return rule ? { before: rule, after: null, perform: () => deleteRule(lane, id, ruleId) } : null;
    },
  };
}

/** The act that makes a deleted rule again, unless one that says the same is there. */
export function ruleBack(lane: ZoneLane, zone: string, before: unknown): Act {
  const rule = before as PageRuleView;
  const said = ({ targets, actions }: Pick<PageRuleView, 'targets' | 'actions'>): string =>
    JSON.stringify([targets.map(({ constraint }) => constraint.value), actions]);
  return {
    name: 'rule',
    class: 'set',
    look: async () => {
      const { id } = await lane.zone(zone);
      if ((await listRules(lane, id)).some((one) => said(one) === said(rule))) return null;
      const perform = async (): Promise<void> => {
        if (rule.kind === 'page_rule') {
          const { targets, actions, priority, status } = rule;
          await lane.client.createPageRule(id, {
            targets,
            actions,
            ...(priority !== null && { priority }),
            status: status === 'active' ? 'active' : 'disabled',
          });
          return;
        }
        await restoreRedirect(lane, id, rule);
      };
      return { before: null, after: rule, perform };
    },
  };
}

async function restoreRedirect({ client }: ZoneLane, zoneId: string, rule: PageRuleView): Promise<void> {
  const expression = rule.targets[0]?.constraint.value ?? '';
  const { url = '', status_code = 301 } = (rule.actions[0]?.value ?? {}) as Partial<Forwarding>;
  await client.createRedirect(zoneId, {
    ref: `seo-admin ${rule.id}`,
    description: '',
    expression,
    status_code: status_code as 301,
    target_url: URL.canParse(url) ? { value: url } : { expression: url },
    preserve_query_string: true,
  });
}
