import { z } from 'zod';
import { take, type Routes, type ZoneCall } from './call.ts';
import { refuse, type Reply } from './reply.ts';
import type { Plan, Rule, Ruleset } from './state.ts';

const INVALID = 'Invalid rule';

/** The phase of single redirects. */
export const REDIRECT_PHASE = 'http_request_dynamic_redirect';

/** Number of single redirects by plan. */
const REDIRECTS: Record<Plan, number> = { free: 10, pro: 25, business: 50, enterprise: 300 };

const Redirect = z.object({
  from_value: z.object({
    status_code: z.literal([301, 302, 303, 307, 308]),
    target_url: z.object({ value: z.string().min(1) }).or(z.object({ expression: z.string().min(1) })),
    preserve_query_string: z.boolean().optional(),
  }),
});
const Fields = z.object({
  id: z.string().optional(),
  ref: z.string().min(1).optional(),
  action: z.literal('redirect'),
  expression: z.string().min(1),
  description: z.string(),
  enabled: z.boolean(),
  action_parameters: Redirect,
});
const Body = Fields.extend({ description: z.string().default(''), enabled: z.boolean().default(true) });
const Position = z.object({
  position: z
    .union([
      z.strictObject({ index: z.number().int().min(1) }),
      z.strictObject({ before: z.string() }),
      z.strictObject({ after: z.string() }),
    ])
    .optional(),
});
type RuleBody = z.infer<typeof Body>;
const Rules = z.object({ description: z.string().optional(), rules: z.array(Body) });
const Creation = z.object({
  name: z.string(),
  kind: z.literal('zone'),
  phase: z.literal(REDIRECT_PHASE),
  description: z.string().default(''),
  rules: z.array(Body).default([]),
});

const entrypoint = ({ zone }: ZoneCall): Ruleset | undefined =>
  zone.rulesets.find(({ phase }) => phase === REDIRECT_PHASE);

function checkPhase({ params }: ZoneCall): void {
  if (params['phase'] !== REDIRECT_PHASE) refuse(400, 10_000, `Unknown phase: ${params['phase']}`);
}

const find = ({ zone, params }: ZoneCall): Ruleset =>
  zone.rulesets.find(({ id }) => id === params['ruleset']) ?? refuse(404, 10_003, 'could not find ruleset');

function findRule(call: ZoneCall, ruleset: Ruleset): Rule {
  const rule = ruleset.rules.find(({ id }) => id === call.params['rule']);
  return rule ?? refuse(404, 10_004, 'could not find rule in ruleset');
}

function build({ store }: ZoneCall, body: RuleBody, known?: Rule): Rule {
  const id = known?.id ?? store.newId();
  const version = String(Number(known?.version ?? 0) + 1);
  return { ...body, id, ref: body.ref ?? known?.ref ?? id, version, last_updated: store.now() };
}

/** Inserts a rule among the others: at the end unless the body gives a position. */
function placed(body: unknown, others: readonly Rule[], rule: Rule): Rule[] {
  const { position } = take(Position, body, 20_000, INVALID);
  if (!position) return [...others, rule];
  const indexOf = (id: string): number => {
    const index = others.findIndex((other) => other.id === id);
    return index === -1 ? refuse(400, 20_000, `${INVALID}: no rule ${id} to place it at`) : index;
  };
  if ('index' in position) {
    if (position.index > others.length + 1) refuse(400, 20_000, `${INVALID}: index is past the end`);
    return others.toSpliced(position.index - 1, 0, rule);
  }
  if ('before' in position) return others.toSpliced(position.before === '' ? 0 : indexOf(position.before), 0, rule);
  return others.toSpliced(position.after === '' ? others.length : indexOf(position.after) + 1, 0, rule);
}

/** Stores new rules of a ruleset: checks quota and unique references, and raises the version. */
function store(call: ZoneCall, ruleset: Ruleset, rules: Rule[]): Reply {
  const quota = REDIRECTS[call.zone.plan];
  if (rules.length > quota) {
    refuse(
      400,
      20_217,
      `exceeded maximum number of rules in the phase ${REDIRECT_PHASE} (${rules.length} out of ${quota})`,
    );
  }
  if (new Set(rules.map(({ ref }) => ref)).size < rules.length) refuse(400, 20_120, 'rule references must be unique');
  Object.assign(ruleset, { rules, version: String(Number(ruleset.version) + 1), last_updated: call.store.now() });
  if (!call.zone.rulesets.includes(ruleset)) call.zone.rulesets.push(ruleset);
  return { result: ruleset };
}

const emptyRuleset = ({ store }: ZoneCall, name: string, description: string): Ruleset => ({
  id: store.newId(),
  name,
  description,
  kind: 'zone',
  phase: REDIRECT_PHASE,
  rules: [],
  version: '0',
  last_updated: store.now(),
});

/** Replaces all rules; a rule with a known id or reference keeps its id. */
function replaceAll(call: ZoneCall, ruleset: Ruleset): Reply {
  const { rules } = take(Rules, call.body, 20_000, INVALID);
  const known = (body: RuleBody) =>
    ruleset.rules.find(({ id, ref }) => id === body.id || (body.ref !== undefined && ref === body.ref));
  return store(
    call,
    ruleset,
    rules.map((body) => build(call, body, known(body))),
  );
}

function createRuleset(call: ZoneCall): Reply {
  const { name, description, rules } = take(Creation, call.body, 20_000, 'Invalid ruleset');
  if (entrypoint(call)) refuse(400, 20_217, `exceeded maximum number of zone rulesets for phase ${REDIRECT_PHASE}`);
  return store(
    call,
    emptyRuleset(call, name, description),
    rules.map((body) => build(call, body)),
  );
}

const PATH = '/zones/:zone/rulesets';
const ENTRYPOINT = `${PATH}/phases/:phase/entrypoint`;

/** Single redirects: the ruleset of their phase. */
export const rulesets: Routes<ZoneCall> = {
  [`GET ${PATH}`]: { needs: 'redirects:read', run: ({ zone }) => ({ result: zone.rulesets }) },
  [`POST ${PATH}`]: { needs: 'redirects:edit', run: createRuleset },
  [`GET ${ENTRYPOINT}`]: {
    needs: 'redirects:read',
    run: (call) => {
      checkPhase(call);
      const message = `could not find entrypoint ruleset in the ${REDIRECT_PHASE} phase`;
      return { result: entrypoint(call) ?? refuse(404, 10_003, message) };
    },
  },
  [`PUT ${ENTRYPOINT}`]: {
    needs: 'redirects:edit',
    run: (call) => {
      checkPhase(call);
      return replaceAll(call, entrypoint(call) ?? emptyRuleset(call, 'default', ''));
    },
  },
  [`GET ${PATH}/:ruleset`]: { needs: 'redirects:read', run: (call) => ({ result: find(call) }) },
  [`PUT ${PATH}/:ruleset`]: { needs: 'redirects:edit', run: (call) => replaceAll(call, find(call)) },
  [`DELETE ${PATH}/:ruleset`]: {
    needs: 'redirects:edit',
    run: (call) => {
      call.zone.rulesets.splice(call.zone.rulesets.indexOf(find(call)), 1);
      return { result: null, status: 204 };
    },
  },
  [`POST ${PATH}/:ruleset/rules`]: {
    needs: 'redirects:edit',
    run: (call) => {
      const ruleset = find(call);
      const rule = build(call, take(Body, call.body, 20_000, INVALID));
      return store(call, ruleset, placed(call.body, ruleset.rules, rule));
    },
  },
  [`PATCH ${PATH}/:ruleset/rules/:rule`]: {
    needs: 'redirects:edit',
    run: (call) => {
      const ruleset = find(call);
      const rule = findRule(call, ruleset);
      const fields = take(Fields.partial(), call.body, 20_000, INVALID);
      const changed = build(call, take(Body, { ...rule, ...fields }, 20_000, INVALID), rule);
      return store(call, ruleset, ruleset.rules.with(ruleset.rules.indexOf(rule), changed));
    },
  },
  [`DELETE ${PATH}/:ruleset/rules/:rule`]: {
    needs: 'redirects:edit',
    run: (call) => {
      const ruleset = find(call);
      const rule = findRule(call, ruleset);
      return store(
        call,
        ruleset,
        ruleset.rules.filter((other) => other !== rule),
      );
    },
  },
};
