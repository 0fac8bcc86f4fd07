import { z } from 'zod';
import { isMissing, malformed } from './answers.ts';
import { path, type Client } from './client.ts';

const PHASE = 'http_request_dynamic_redirect';

/** Target of a redirect: one address, or an expression that is evaluated for each request. */
export type RedirectTarget = { value: string } | { expression: string };

/** The fields of a new single redirect. `ref` is its permanent name, unique in a zone. */
export interface RedirectFields {
  ref: string;
  description: string;
  expression: string;
  status_code: 301 | 302 | 303 | 307 | 308;
  target_url: RedirectTarget;
  preserve_query_string: boolean;
}

const Rule = z.object({
  id: z.string().min(1),
  ref: z.string().optional(),
  description: z.string().default(''),
  enabled: z.boolean().default(true),
  expression: z.string(),
  action: z.string(),
  action_parameters: z.unknown().optional(),
  last_updated: z.string().optional(),
});
const Ruleset = z.object({
  id: z.string().min(1),
  phase: z.literal(PHASE),
  rules: z.array(Rule).default([]),
});

/** A single redirect of a ruleset; `action_parameters` as Cloudflare stores them. */
export type Redirect = z.infer<typeof Rule> & { ruleset_id: string };

/** The single redirects of a zone in their order, and their ruleset; null if the zone has none yet. */
export interface RedirectList {
  ruleset_id: string | null;
  redirects: Redirect[];
}

/** All written fields of a single redirect. */
export type RedirectRule = Pick<
  Redirect,
  'ref' | 'description' | 'enabled' | 'expression' | 'action' | 'action_parameters'
>;

/** The single redirects of a login's zones, Cloudflare's successor of the page rules that forward. */
export function redirectsOf(client: Client) {
  return {
    readRedirects: (zoneId: string): Promise<RedirectList> => readRedirects(client, zoneId),

    /**
     * Adds a redirect to a list that was read, at the end or at a `place` (the first is 1). Its `ref` must be new. Not
     * idempotent: after `unavailable` and `malformed` read the list again.
     */
    addRedirect: (zoneId: string, list: RedirectList, rule: RedirectRule, place?: number): Promise<Redirect> =>
      addRedirect(client, zoneId, list, rule, place),

    async listRedirects(zoneId: string): Promise<Redirect[]> {
      return (await readRedirects(client, zoneId)).redirects;
    },

    /** Creates a redirect unless the zone has one with this `ref`, which is then returned unchanged. */
    async createRedirect(zoneId: string, fields: RedirectFields): Promise<Redirect> {
      const before = await readRedirects(client, zoneId);
      const existing = before.redirects.find(({ ref }) => ref === fields.ref);
      return existing ?? addRedirect(client, zoneId, before, ruleOf(fields));
    },

    /**
     * Changes the target of a redirect; its other fields are sent as they were read. Idempotent. Throws `refused` if it does not
     * exist.
     */
    async updateRedirect({ ruleset_id, id, ...rule }: Redirect, zoneId: string, target: RedirectTarget): Promise<void> {
      const place = path`/zones/${zoneId}/rulesets/${ruleset_id}/rules/${id}`;
      const after = await client.send('PATCH', place, Ruleset, forwardingTo(target, rule));
      const changed = redirectsIn(after).find((one) => one.id === id);
      if (changed === undefined) throw malformed(`the redirect ${id} was changed, and is not there`);
    },

    /** Idempotent: a missing redirect counts as deleted. */
    async deleteRedirect(zoneId: string, rulesetId: string, id: string): Promise<void> {
      try {
        await client.send('DELETE', path`/zones/${zoneId}/rulesets/${rulesetId}/rules/${id}`, Ruleset);
      } catch (error) {
        if (!isMissing(error)) throw error;
      }
    },
  };
}

async function readRuleset(client: Client, zoneId: string): Promise<z.infer<typeof Ruleset> | null> {
  try {
    return await client.get(path`/zones/${zoneId}/rulesets/phases/${PHASE}/entrypoint`, Ruleset);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

async function readRedirects(client: Client, zoneId: string): Promise<RedirectList> {
  const ruleset = await readRuleset(client, zoneId);
  return { ruleset_id: ruleset?.id ?? null, redirects: ruleset === null ? [] : redirectsIn(ruleset) };
}

async function addRedirect(
  client: Client,
  zoneId: string,
  { ruleset_id }: RedirectList,
  rule: RedirectRule,
  place?: number,
): Promise<Redirect> {
  const placed = { ...rule, ...(place !== undefined && { position: { index: place } }) };
  const after =
    ruleset_id === null
      ? await client.send('POST', path`/zones/${zoneId}/rulesets`, Ruleset, newRuleset(rule))
      : await client.send('POST', path`/zones/${zoneId}/rulesets/${ruleset_id}/rules`, Ruleset, placed);
  const created = redirectsIn(after).find(({ ref }) => ref === rule.ref);
  if (created === undefined) throw malformed(`the redirect ${rule.ref} was created, and is not there`);
  return created;
}

const redirectsIn = ({ id, rules }: z.infer<typeof Ruleset>): Redirect[] =>
  rules.filter(({ action }) => action === 'redirect').map((rule) => Object.assign(rule, { ruleset_id: id }));

const newRuleset = (rule: object) => ({ name: 'default', kind: 'zone', phase: PHASE, rules: [rule] });

/** Makes the written fields of a redirect that gets another target. */
function forwardingTo(target: RedirectTarget, rule: RedirectRule) {
  const { ref, description, enabled, expression, action } = rule;
  const { from_value } = (rule.action_parameters ?? {}) as { from_value?: object };
  const action_parameters = { from_value: { ...from_value, target_url: target } };
  return { ...(ref !== undefined && { ref }), description, enabled, expression, action, action_parameters };
}

/** Makes the written fields of an enabled redirect. */
export const ruleOf = ({ ref, description, expression, ...from_value }: RedirectFields): RedirectRule => ({
  ref,
  description,
  enabled: true,
  expression,
  action: 'redirect',
  action_parameters: { from_value },
});
