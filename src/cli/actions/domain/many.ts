import type { Actor } from '../../../services/access/scope.ts';
import { teamRowNamed } from '../../../services/accounts/team.ts';
import { projectNamed } from '../../../services/portfolio/projects.ts';
import { planBulk, runBulk, undoBulk } from '../../../services/system/bulk.ts';
import { namesMissing } from '../../../shared/errors.ts';
import type { Message } from '../../../shared/i18n/index.ts';
import { BulkAct, type BulkPlan } from '../../../shared/system/bulk.ts';
import { usageError, type Context } from '../../context.ts';
import { endOfNames, nameErrors, type TypedName } from '../../names.ts';
import { columnsOf, lineOf, type ItemError, type Result } from '../../output.ts';
import { parseInput } from '../../parse.ts';
import { renderFor } from '../../render.ts';
import { confirm } from '../../secret.ts';
import { chosenOf, type ChosenFlags } from './chosen.ts';

/** The flags of `domain set`. */
interface SetFlags extends ChosenFlags {
  project?: string;
  mode?: 'auto' | 'manual';
  server?: string;
  cdnAccount?: string;
  dryRun?: boolean;
}

/** A domain that is changed, or stays as it is and why. */
interface ManyItem {
  domain: string;
  result: 'changed' | 'left' | 'missing';
  reason: string;
}

const COLUMNS = columnsOf<ManyItem>({ domain: true, result: true, reason: true });

// The word that takes a reference away.
const NONE = 'none';

async function idOf(text: string | undefined, find: (text: string) => Promise<{ id: number }>) {
  if (text === undefined) return undefined;
  return text === NONE ? null : (await find(text)).id;
}

/** `domain set`: gives many domains a project, a mode, a server, a CDN account. */
export async function set(context: Context, flags: SetFlags, names: string[]): Promise<Result> {
  const { project, mode, server, cdnAccount } = flags;
  if ([project, mode, server, cdnAccount].every((value) => value === undefined))
    throw usageError('cli.needs_flag', { flag: '--project, --mode, --server, --cdn-account' });
  const { actor } = await context.open();
  const fields = {
    project_id: await idOf(project, (name) => projectNamed(actor, name)),
    transfer_type: mode,
    server_id: await idOf(server, (name) => teamRowNamed('servers', name)),
    cloudflare_account_id: await idOf(cdnAccount, (name) => teamRowNamed('cloudflare_accounts', name)),
  };
  return many(context, actor, { flags, names, command: 'domain set' }, parseInput(BulkAct, { kind: 'edit', fields }));
}

/** `domain remove` by a filter, by `--names` or as a plan: shown and confirmed first. */
export async function removeMany(
  context: Context,
  flags: ChosenFlags & { dryRun?: boolean },
  names: string[],
): Promise<Result> {
  const { actor } = await context.open();
  return many(context, actor, { flags, names, command: 'domain remove' }, { kind: 'delete' });
}

/** `domain undo`: takes a `domain set` or `domain remove` of many back. Domains that stay, because they were changed since, make it exit 5. */
export async function undo(context: Context, _flags: object, id: number): Promise<Result> {
  const { actor } = await context.open();
  const { restored, kept } = await undoBulk(actor, id).catch(namesMissing('change', id));
  const result: Result = { data: { restored, kept }, text: context.say('bulk.given_back', { n: restored }) };
  if (kept === 0) return result;
  const message = context.say('bulk.given_back_some', { n: restored, kept });
  return { ...result, exit: 5, failure: { exit: 5, code: 'partial', message } };
}

interface Asked {
  flags: ChosenFlags & { dryRun?: boolean };
  names: string[];
  command: string;
}

async function many(context: Context, actor: Actor, { flags, names, command }: Asked, act: BulkAct): Promise<Result> {
  const { selection, typed } = await chosenOf(context, actor, flags, names, command);
  if (!selection) {
    const errors = nameErrors(typed, context);
    return { items: [], columns: COLUMNS, summary: { total: 0 }, errors, ...endOfNames(context, typed) };
  }
  const plan = await planBulk(actor, { selection, act }, Infinity);
  if (flags.dryRun) {
    const planned = resultOf(context, plan, typed, { dry_run: true, expected: plan.expected });
    return { ...planned, note: () => `${context.say('cli.dry_run')}. ${planned.note?.() ?? ''}` };
  }
  const left = plan.left.reduce((sum, { count }) => sum + count, 0);
  const params = { n: plan.changes, of: plan.count, left };
  if (plan.changes > 0)
    await confirm(context, context.say(act.kind === 'delete' ? 'cli.confirm_delete' : 'cli.confirm_set', params));
  const done = await runBulk(actor, { selection, act, expected: plan.expected }, Infinity);
  const result = resultOf(context, done, typed, { undo: done.undo });
  if (done.undo === null) return result;
  return { ...result, note: () => context.say('cli.undo_many', { n: done.changes, id: done.undo ?? 0 }) };
}

/** Domains that stay as they are for a reason make it exit 5; where nothing else is left, 1. */
function resultOf(context: Context, plan: BulkPlan<Message>, typed: TypedName[], data: object): Result {
  const render = renderFor(context);
  const left = plan.left.flatMap(({ reason, code, names }) =>
    names.map((domain) => ({ domain, code, message: render(reason) })),
  );
  const missing = plan.missing.map((domain) => ({
    domain,
    code: 'not_found',
    message: context.say('cli.no_such_domain', { domain }),
  }));
  const errors: ItemError[] = [...nameErrors(typed, context), ...missing, ...left];
  const items: ManyItem[] = [
    ...plan.names.map((domain): ManyItem => ({ domain, result: 'changed', reason: '' })),
    ...left.map(({ domain, message }): ManyItem => ({ domain, result: 'left', reason: message })),
    ...missing.map(({ domain, message }): ManyItem => ({ domain, result: 'missing', reason: message })),
  ];
  const summary = {
    total: plan.count + errors.length - left.length,
    changed: plan.changes,
    same: plan.same,
    failed: errors.length,
  };
  const result: Result = {
    items,
    columns: COLUMNS,
    summary,
    errors,
    data,
    note: () => context.say('cli.many', summary),
  };
  const [first] = errors;
  if (!first) return result;
  const exit = plan.changes + plan.same > 0 ? 5 : 1;
  const params = { failed: errors.length, total: summary.total, first: lineOf(first) };
  return {
    ...result,
    exit,
    failure: { exit, code: exit === 5 ? 'partial' : first.code, message: context.say('cli.some_failed', params) },
  };
}
