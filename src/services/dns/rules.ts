import type { Act } from '../../operations/flow.ts';
import { isForbidden, NOT_BY_ACCOUNT } from '../../providers/cloudflare/answers.ts';
import type { PageRule } from '../../providers/cloudflare/page-rules.ts';
import type { Redirect, RedirectList, RedirectRule } from '../../providers/cloudflare/redirects.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import type { PageRuleView } from '../../shared/dns/rules.ts';
import { againOf, isAgain, refOf, type DeletedRedirect } from './deleted-redirects.ts';
import type { OpenAccount } from './zones.ts';

// Begins the id of a single redirect here, which is `rs:<ruleset id>:<rule id>`.
const REDIRECT = 'rs:';

/** The action of a page rule that forwards. */
export const FORWARDING = 'forwarding_url';

/** The value of that action. */
export interface Forwarding {
  url: string;
  status_code: number;
}

interface RedirectParameters {
  from_value?: { status_code?: number; target_url?: { value?: string; expression?: string } };
}

/** Returns a single redirect in the shape of a page rule. */
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

/** Both kinds of rules of a zone; null where the account may not read them. */
export interface ZoneRules {
  pageRules: PageRule[] | null;
  redirects: RedirectList | null;
  /** The refusal to list page rules; there may be some all the same. */
  unseen?: ProviderError;
}

const orForbidden = async <T>(read: Promise<T>): Promise<T | ProviderError> => {
  try {
    return await read;
  } catch (error) {
    if (isForbidden(error)) return error as ProviderError;
    throw error;
  }
};

/**
 * Reads the rules of a zone. Page rules and single redirects do the same, so an account that may read one of the two
 * kinds is enough. `status` limits page rules to that status, which saves a call. Throws ProviderError `refused` where
 * neither may be read.
 */
export async function readRules(
  { client, quirks }: OpenAccount,
  zoneId: string,
  status?: 'active',
): Promise<ZoneRules> {
  const [pageRules, redirects] = await Promise.all([
    quirks.hasPageRules ? orForbidden(client.listPageRules(zoneId, status)) : null,
    orForbidden(client.readRedirects(zoneId)),
  ]);
  const isDenied = pageRules instanceof ProviderError;
  if (isDenied && pageRules.code === NOT_BY_ACCOUNT) quirks.hasPageRules = false;
  if (redirects instanceof ProviderError) {
    if (isDenied || pageRules === null) throw redirects;
    return { pageRules, redirects: null };
  }
  if (isDenied && quirks.hasPageRules) return { pageRules: null, redirects, unseen: pageRules };
  return { pageRules: isDenied ? null : pageRules, redirects };
}

/** Returns both kinds in the shape of page rules: page rules first, then single redirects. */
export const viewsOf = ({ pageRules, redirects }: ZoneRules): PageRuleView[] => [
  ...(pageRules ?? []).map(viewOfRule),
  ...(redirects?.redirects ?? []).map(viewOfRedirect),
];

/** Returns the page rules of a zone, then its single redirects. Throws as `readRules`. */
export const listRules = async (lane: OpenAccount, zoneId: string): Promise<PageRuleView[]> =>
  viewsOf(await readRules(lane, zoneId));

/** Deletes a rule of a zone by the id that `listRules` gave. */
export async function deleteRule({ client }: OpenAccount, zoneId: string, id: string): Promise<void> {
  if (!id.startsWith(REDIRECT)) return client.deletePageRule(zoneId, id);
  const [rulesetId = '', ruleId = ''] = id.slice(REDIRECT.length).split(':');
  await client.deleteRedirect(zoneId, rulesetId, ruleId);
}

const renamed = (text: string, from: string, to: string): string =>
  text.replace(`https://${from}`, `https://${to}`).replace(`http://${from}`, `http://${to}`);

/** Changes the host that a rule forwards to; its path and all else stay. */
export async function retarget(
  { client }: OpenAccount,
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
  const { redirects } = await client.readRedirects(zoneId);
  const redirect = redirects.find((one) => viewOfRedirect(one).id === rule.id);
  const target = ((redirect?.action_parameters ?? {}) as RedirectParameters).from_value?.target_url;
  if (!redirect || !target) return;
  const { value, expression } = target;
  const changed =
    value === undefined ? { expression: renamed(expression ?? '', from, to) } : { value: renamed(value, from, to) };
  await client.updateRedirect(redirect, zoneId, changed);
}

/**
 * A rule as it was, for an undo.
 */
export type RuleImage = PageRuleView & { redirect?: DeletedRedirect };

/** Returns the images of a zone's rules that `meant` selects. */
export function imagesOf(rules: ZoneRules, meant: (rule: PageRuleView) => boolean): RuleImage[] {
  const all = rules.redirects?.redirects ?? [];
  const images = new Map<string, RuleImage>();
  for (const [index, one] of all.entries()) {
    const { description, enabled, expression, action, action_parameters } = one;
    const view = viewOfRedirect(one);
    const follows = all.slice(0, index).map(refOf);
    const beside = all.filter((other) => other !== one).map(refOf);
    const redirect = { ref: refOf(one), description, enabled, expression, action, action_parameters, follows, beside };
    images.set(view.id, { ...view, redirect });
  }
  return viewsOf(rules)
    .filter(meant)
    .map((view) => images.get(view.id) ?? view);
}

/**
 * Returns the act that deletes a rule; its `before` is the image that an undo restores. `image`: what was deleted and given back: the rule
 * may have another id since.
 */
export function deleteRuleAct(lane: OpenAccount, zone: string, ruleId: string, image?: PageRuleView): Act {
  const { redirect: was } = (image ?? {}) as Partial<RuleImage>;
  return {
    name: 'rule',
    class: 'set',
    look: async () => {
      const { id } = await lane.zone(zone);
      const rules = await readRules(lane, id);
      const again = was ? againOf(rules.redirects?.redirects ?? [], was).map((one) => viewOfRedirect(one).id) : [];
      const isMeant = (rule: PageRuleView): boolean =>
        rule.id === ruleId || again.includes(rule.id) || (image && !was && ruleText(rule) === ruleText(image)) === true;
      const [rule] = imagesOf(rules, isMeant);
      return rule ? { before: rule, after: null, perform: () => deleteRule(lane, id, rule.id) } : null;
    },
  };
}

const ruleText = ({ status, targets, actions }: PageRuleView): string =>
  JSON.stringify([status, targets.map(({ constraint }) => constraint.value), actions]);

const isTextThere = (rules: ZoneRules, rule: RuleImage): boolean =>
  viewsOf(rules).some((one) => ruleText(one) === ruleText(rule));

/** Whether a rule exists: a redirect again, or any rule with the same content where none is stored. */
const isThere = (rules: ZoneRules, rule: RuleImage): boolean =>
  rule.redirect ? againOf(rules.redirects?.redirects ?? [], rule.redirect).length > 0 : isTextThere(rules, rule);

/** Returns the act that creates a deleted rule again, unless it or its like exists. `refuse` throws where the zone's rules leave no place for it. */
export function ruleBack(
  lane: OpenAccount,
  zone: string,
  before: unknown,
  refuse: (rules: ZoneRules) => Promise<void> = async () => undefined,
): Act {
  const rule = before as RuleImage;
  return {
    name: 'rule',
    class: 'set',
    look: async () => {
      const { id } = await lane.zone(zone);
      const rules = await readRules(lane, id);
      if (isThere(rules, rule)) return null;
      await refuse(rules);
      const perform = async (): Promise<void> => {
        if (rule.kind === 'redirect') return restoreRedirect(lane, id, rule);
        const { targets, actions, priority, status } = rule;
        await lane.client.createPageRule(id, {
          targets,
          actions,
          ...(priority !== null && { priority }),
          status: status === 'active' ? 'active' : 'disabled',
        });
      };
      return { before: null, after: rule, perform };
    },
    differs: async () => {
      const { id } = await lane.zone(zone);
      const rules = await readRules(lane, id);
      const { redirect } = rule;
      const isBack = redirect ? isAgain(rules.redirects?.redirects ?? [], redirect) : isTextThere(rules, rule);
      return isBack ? [] : [{ name: 'rule', was: ruleText(rule), is: null }];
    },
  };
}

/** Creates a redirect again behind the last of those that were before it. */
async function restoreRedirect({ client }: OpenAccount, zoneId: string, rule: RuleImage): Promise<void> {
  const { follows, beside: _, ...redirect } = rule.redirect ?? { ...ofView(rule), follows: null, beside: null };
  const list = await client.readRedirects(zoneId);
  const last = follows && list.redirects.findLastIndex((one) => follows.includes(refOf(one)));
  await client.addRedirect(zoneId, list, redirect, last === null ? undefined : last + 2);
}

/** Rebuilds a redirect from its view, for an image that an earlier version has stored. */
function ofView({ id, status, targets, actions }: PageRuleView): RedirectRule {
  const { url = '', status_code = 301 } = (actions[0]?.value ?? {}) as Partial<Forwarding>;
  const target_url = URL.canParse(url) ? { value: url } : { expression: url };
  return {
    ref: `seo-admin ${id}`,
    description: '',
    enabled: status === 'active',
    expression: targets[0]?.constraint.value ?? '',
    action: 'redirect',
    action_parameters: { from_value: { status_code, target_url, preserve_query_string: true } },
  };
}
