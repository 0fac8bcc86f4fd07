/**
 * A rule of a zone as Cloudflare's page rules put it: where it holds, and what it does. `kind` says whether it is one, or
 * a single redirect in its words (its target is an expression then).
 */
export interface PageRuleView {
  id: string;
  status: string;
  targets: { target: string; constraint: { operator: string; value: string } }[];
  actions: { id: string; value?: unknown }[];
  priority: number | null;
  kind: 'page_rule' | 'redirect';
}
