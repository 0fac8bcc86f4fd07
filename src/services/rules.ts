import type { Act } from '../operations/flow.ts';
import type { PageRule } from '../providers/cloudflare/page-rules.ts';
import type { Redirect } from '../providers/cloudflare/redirects.ts';
import type { PageRuleView } from '../shared/rules.ts';
import type { ZoneLane } from './zones.ts';

// A redirect lives in a ruleset: its id here says so, and where.
const REDIRECT = 'rs:';

/** The action of a page rule that forwards. */
export const FORWARDING = 'forwarding_url';

/** What that action says. */
export interface Forwarding {
  url: string;
  status_code: number;
}

interface RedirectParameters {
  from_value?: { status_code?: number; target_url?: { value?: string; expression?: string } };
}

/** A single redirect in the words of page rules. */
export function viewOfRedirect({ id, ruleset_id, enabled, expression, action_parameters }: Redirect): PageRuleView {
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
export async function deleteRule({ client }: ZoneLane, zoneId: string, id: string): Promise<void> {
  if (!id.startsWith(REDIRECT)) return client.deletePageRule(zoneId, id);
  const [rulesetId = '', ruleId = ''] = id.slice(REDIRECT.length).split(':');
  await client.deleteRedirect(zoneId, rulesetId, ruleId);
}

const renamed = (text: string, from: string, to: string): string =>
  text.replace(`https://${from}`, `https://${to}`).replace(`http://${from}`, `http://${to}`);

/** Makes a rule that forwards to one host lead to another; the path and all else of it stay. */
export async function retarget(
  { client }: ZoneLane,
  zoneId: string,
  rule: PageRuleView,
  from: string,
  to: string,
): Promise<void> {
  if (rule.kind === 'page_rule') {
    const { id, targets, priority } = rule;
    const actions = rule.actions.map((action) => {
      if (action.id !== FORWARDING) return action;
      const value = action.value as Forwarding;
      return { id: FORWARDING, value: { ...value, url: renamed(value.url, from, to) } };
    });
    await client.updatePageRule(zoneId, id, { targets, actions, ...(priority !== null && { priority }) });
    return;
  }
  const redirect = (await client.listRedirects(zoneId)).find((one) => viewOfRedirect(one).id === rule.id);
  const target = ((redirect?.action_parameters ?? {}) as RedirectParameters).from_value?.target_url;
  if (!redirect || !target) return;
  const { value, expression } = target;
  const changed =
    value === undefined ? { expression: renamed(expression ?? '', from, to) } : { value: renamed(value, from, to) };
  await client.updateRedirect(redirect, zoneId, changed);
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
