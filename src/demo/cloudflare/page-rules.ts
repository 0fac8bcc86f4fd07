import { z } from 'zod';
import { take, type Routes, type ZoneCall } from './call.ts';
import { refuse, type Reply } from './reply.ts';
import type { PageRule } from './state.ts';
import { PAGE_RULES } from './zones.ts';

const INVALID = 'Page Rule validation failed';

const Forwarding = z.object({ url: z.string().min(1), status_code: z.literal([301, 302]) });
const Action = z.object({
  id: z.literal([
    'always_use_https',
    'automatic_https_rewrites',
    'browser_cache_ttl',
    'browser_check',
    'cache_level',
    'disable_apps',
    'disable_security',
    'edge_cache_ttl',
    'email_obfuscation',
    'forwarding_url',
    'host_header_override',
    'resolve_override',
    'rocket_loader',
    'security_level',
    'ssl',
  ]),
  value: z.unknown().optional(),
});
const Target = z.object({
  target: z.literal('url'),
  constraint: z.object({ operator: z.literal('matches'), value: z.string().min(1) }),
});
const Fields = z.object({
  targets: z.array(Target).length(1),
  actions: z.array(Action).min(1),
  priority: z.number().int().min(1),
  status: z.literal(['active', 'disabled']),
});
const Body = Fields.extend({
  priority: Fields.shape.priority.default(1),
  status: Fields.shape.status.default('disabled'),
});
type RuleBody = z.infer<typeof Body>;

/** Checks what the schema cannot: a redirect is the only action, and has no `$n` without its star. */
function checkActions({ targets, actions }: RuleBody): void {
  const forwarding = actions.find(({ id }) => id === 'forwarding_url');
  if (!forwarding) return;
  if (actions.length > 1) refuse(400, 1004, `${INVALID}: forwarding_url can not be combined with other actions`);
  const { url } = take(Forwarding, forwarding.value, 1004, INVALID);
  const stars = (targets[0]?.constraint.value.match(/\*/g) ?? []).length;
  const highest = Math.max(0, ...[...url.matchAll(/\$(\d)/g)].map((match) => Number(match[1])));
  if (highest > stars) refuse(400, 1004, `${INVALID}: $${highest} has no wildcard in the target`);
}

function checked(body: unknown): RuleBody {
  const rule = take(Body, body, 1004, INVALID);
  checkActions(rule);
  return rule;
}

function createRule({ store, zone, body }: ZoneCall): Reply {
  const fields = checked(body);
  if (zone.page_rules_closed) refuse(400, 1004, 'Page Rules can no longer be created on this zone');
  const quota = PAGE_RULES[zone.plan];
  if (zone.page_rules.length >= quota) refuse(400, 1004, `Page Rule limit has been met: ${quota} rules`);
  const at = store.now();
  const rule: PageRule = { id: store.newId(), ...fields, created_on: at, modified_on: at };
  zone.page_rules.push(rule);
  return { result: rule };
}

function listRules({ zone, query, options }: ZoneCall): Reply {
  const status = query.get('status') ?? (options.unfilteredPageRules === 'all' ? null : 'disabled');
  const rows = zone.page_rules.filter((rule) => status === null || rule.status === status);
  if (query.get('order') === 'priority') rows.sort((a, b) => a.priority - b.priority);
  if (query.get('direction') === 'desc') rows.reverse();
  return { result: rows };
}

const find = ({ zone, params }: ZoneCall): PageRule =>
  zone.page_rules.find(({ id }) => id === params['rule']) ?? refuse(404, 1002, 'Page Rule not found');

function change(call: ZoneCall, fields: RuleBody): Reply {
  const rule = Object.assign(find(call), fields, { modified_on: call.store.now() });
  return { result: rule };
}

/** Page rules of a zone. */
export const pageRules: Routes<ZoneCall> = {
  'GET /zones/:zone/pagerules': { needs: 'page_rules:read', run: listRules },
  'POST /zones/:zone/pagerules': { needs: 'page_rules:edit', run: createRule },
  'GET /zones/:zone/pagerules/:rule': { needs: 'page_rules:read', run: (call) => ({ result: find(call) }) },
  'PUT /zones/:zone/pagerules/:rule': { needs: 'page_rules:edit', run: (call) => change(call, checked(call.body)) },
  'PATCH /zones/:zone/pagerules/:rule': {
    needs: 'page_rules:edit',
    run: (call) => change(call, checked({ ...find(call), ...take(Fields.partial(), call.body, 1004, INVALID) })),
  },
  'DELETE /zones/:zone/pagerules/:rule': {
    needs: 'page_rules:edit',
    run: (call) => {
      const rule = find(call);
      call.zone.page_rules.splice(call.zone.page_rules.indexOf(rule), 1);
      return { result: { id: rule.id } };
    },
  },
};
