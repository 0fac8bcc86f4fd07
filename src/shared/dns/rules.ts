/**
 * A rule of a zone in the form of Cloudflare's page rules: targets and actions. `kind` tells a page rule from a single
 * redirect (whose target is an expression).
 */
export interface PageRuleView {
  id: string;
  status: string;
  targets: { target: string; constraint: { operator: string; value: string } }[];
  actions: { id: string; value?: unknown }[];
  priority: number | null;
  kind: 'page_rule' | 'redirect';
}
