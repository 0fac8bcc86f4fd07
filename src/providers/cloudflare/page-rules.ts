import { z } from 'zod';
import { isMissing, mustBe } from './answers.ts';
import { path, type Client } from './client.ts';

const Target = z.object({ target: z.string(), constraint: z.object({ operator: z.string(), value: z.string() }) });
const Action = z.object({ id: z.string(), value: z.unknown().optional() });

const PageRule = z.object({
  id: z.string().min(1),
  targets: z.array(Target),
  actions: z.array(Action),
  priority: z.number().int().optional(),
  status: z.string(),
  created_on: z.string().optional(),
});
/** A page rule. Of the `active` rules that match, the one with the highest `priority` acts. */
export type PageRule = z.infer<typeof PageRule>;

/** The written fields of a page rule. The default `status` is `active`, unlike Cloudflare's. */
export type PageRuleFields = Pick<PageRule, 'targets' | 'actions' | 'priority'> & { status?: 'active' | 'disabled' };

/** Result of a deletion: the id, or null. */
const Deleted = z.object({ id: z.string() }).nullable();

/** The page rules of a login's zones. */
export function pageRulesOf(client: Client) {
  return {
    /** Returns all page rules of a zone; with `status` only the active ones, in one call. */
    async listPageRules(zoneId: string, status?: 'active'): Promise<PageRule[]> {
      const list = path`/zones/${zoneId}/pagerules`;
      if (status !== undefined) return client.get(list, z.array(PageRule), { status });
      const rules = await client.get(list, z.array(PageRule));
      // According to Cloudflare's documentation the list has only disabled rules unless `status` is given.
      if (rules.some(({ status }) => status === 'active')) return rules;
      const active = await client.get(list, z.array(PageRule), { status: 'active' });
      return [...active, ...rules];
    },

    async getPageRule(zoneId: string, id: string): Promise<PageRule> {
      const rule = await client.get(path`/zones/${zoneId}/pagerules/${id}`, PageRule);
      mustBe('page rule', id, rule.id);
      return rule;
    },

    /**
     * Throws `refused` if the zone accepts no more page rules: createRedirect may work instead. Not idempotent: after
     * `unavailable` and `malformed` list the rules before a retry.
     */
    createPageRule: (zoneId: string, rule: PageRuleFields): Promise<PageRule> =>
      client.send('POST', path`/zones/${zoneId}/pagerules`, PageRule, { status: 'active', ...rule }),

    /** Replaces the fields of a rule, which keeps its id. Idempotent. */
    async updatePageRule(zoneId: string, id: string, rule: PageRuleFields): Promise<PageRule> {
      const body = { status: 'active', ...rule };
      const changed = await client.send('PUT', path`/zones/${zoneId}/pagerules/${id}`, PageRule, body);
      mustBe('page rule', id, changed.id);
      return changed;
    },

    /** Idempotent: a missing rule counts as deleted. */
    async deletePageRule(zoneId: string, id: string): Promise<void> {
      try {
        const deleted = await client.send('DELETE', path`/zones/${zoneId}/pagerules/${id}`, Deleted);
        mustBe('page rule', id, deleted?.id ?? id);
      } catch (error) {
        if (!isMissing(error)) throw error;
      }
    },
  };
}
