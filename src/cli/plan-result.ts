import type { Plan, PlannedAct } from '../operations/plan.ts';
import { planNote } from '../shared/dns/plan-words.ts';
import { renderPlan } from '../shared/operations.ts';
import type { Context } from './context.ts';
import { columnsOf, type ItemError, type Result } from './output.ts';
import { planText, textOf, type PlannedItem } from './plan-text.ts';
import { renderFor } from './render.ts';

/** The fields of a planned act in a list. */
export const PLANNED_COLUMNS = columnsOf<PlannedAct>({
  item: true,
  act: true,
  before: { title: 'before', show: textOf },
  after: { title: 'after', show: textOf },
});

/** Returns the domain that an item is about, without the kind of its work: `dns ZONE HOST`, `tls ZONE`, `rule ZONE ID`. */
export function domainIn(item: string): string {
  const [kind, name = item, part] = item.split(' ');
  return kind === 'dns' ? (part ?? name) : name;
}

type RenderedPlan = Omit<Plan, 'failed'> & { failed: { item: string; error: string }[] };

/** Groups the acts of a plan by item, and adds the items that could not be examined. */
function byItem({ acts, failed }: RenderedPlan): PlannedItem[] {
  const items = new Map<string, PlannedItem & { acts: PlannedAct[] }>();
  for (const act of acts) {
    const known = items.get(act.item);
    if (known) known.acts.push(act);
    else items.set(act.item, { item: act.item, acts: [act] });
  }
  for (const { item, error } of failed) items.set(item, { item, acts: items.get(item)?.acts ?? [], error });
  return [...items.values()];
}

/** Returns a plan as the result of `--dry-run`: one item per act. Items that could not be examined make it exit 5. */
export function planResult(context: Context, plan: Plan): Result {
  const rendered = renderPlan(renderFor(context), plan);
  const { acts, failed, unchanged, hash } = rendered;
  const errors: ItemError[] = failed.map(({ item, error }) => ({
    domain: domainIn(item),
    code: 'failed',
    message: error,
  }));
  const summary = { total: acts.length, unchanged, failed: errors.length };
  const more = planNote(acts);
  const note = (): string =>
    [context.say('cli.planned', summary), more && context.say(more.key, more.params)].filter(Boolean).join('\n');
  const text = planText(context, byItem(rendered));
  const result: Result = {
    items: acts,
    columns: PLANNED_COLUMNS,
    summary,
    errors,
    data: { dry_run: true, plan: hash },
    text,
    note,
  };
  const [first] = errors;
  if (!first) return result;
  const message = context.say('cli.some_failed', {
    failed: errors.length,
    total: errors.length + unchanged + new Set(acts.map(({ item }) => item)).size,
    first: `${first.domain}: ${first.message}`,
  });
  return { ...result, exit: 5, failure: { exit: 5, code: 'partial', message } };
}
