import { zoneNameOf } from '../../lib/zone-name.ts';
import { notYours } from '../../services/access/ownership.ts';
import type { Actor } from '../../services/access/scope.ts';
import { domainsForUnderAttack, planSwitch, startSwitch, type Switch } from '../../services/dns/protection.ts';
import { findDomainsNamed } from '../../services/portfolio/domain-lists.ts';
import { AppError, noSuch } from '../../shared/errors.ts';
import type { DomainDetail } from '../../shared/portfolio/domains.ts';
import { usageError, type Context, type Opened } from '../context.ts';
import { failureOf, goingOnByLine } from '../failure.ts';
import { namesOf } from '../found/named.ts';
import { endOfNames, hostsOf, nameErrors, requireNames, type TypedName } from '../names.ts';
import { lineOf, type ItemError, type Result } from '../output.ts';
import { PLANNED_COLUMNS, planResult } from '../plan-result.ts';
import { ITEM_COLUMNS, runOperationHere } from '../run-operation.ts';
import { confirm } from '../secret.ts';
import { selectedDomains, selectionOf } from '../selected.ts';

interface ProtectFlags {
  all?: boolean;
  project?: string;
  file?: string;
  dryRun?: boolean;
}

/** The domains to be switched; of the typed names also those that can't be, each with an error, and the first reason of them. */
interface Chosen {
  domains: string[];
  typed: TypedName[];
  errors: ItemError[];
  refusal?: AppError | undefined;
}

const whole = (domains: string[]): Chosen => ({ domains, typed: [], errors: [] });

/** Returns why a host can't be switched: it is not in the portfolio, has no account, or its zone is somebody else's as well. */
function refusalOf(domain: string, found: DomainDetail | undefined): AppError {
  if (!found) return noSuch('domain', domain);
  if (found.cloudflare_account_id !== null) return notYours(zoneNameOf(domain));
  return new AppError('conflict', 'dns.no_account', { domain }, { code: 'no_cloudflare_account' });
}

/** Selects from the domains that a protection change can reach. */
async function choose(context: Context, actor: Actor, flags: ProtectFlags, names: string[]): Promise<Chosen> {
  const reached = (await domainsForUnderAttack(actor)).map(({ domain_name }) => domain_name);
  if (flags.project !== undefined) {
    const selected = await selectedDomains(actor, await selectionOf(actor, { project: flags.project }));
    const own = new Set(selected.map(({ domain_name }) => domain_name));
    return whole(reached.filter((name) => own.has(name)));
  }
  if (flags.all === true) return whole(reached);
  const typed = await requireNames(await namesOf(context, names), flags.file, 'protect', 'cli.no_names_all');
  const known = new Set(reached);
  const others = hostsOf(typed).filter((host) => !known.has(host));
  const details = new Map((await findDomainsNamed(actor, others)).map((detail) => [detail.domain_name, detail]));
  const refusals = others.map((domain) => ({ domain, refusal: refusalOf(domain, details.get(domain)) }));
  const errors = refusals.map(({ domain, refusal }): ItemError => {
    return { domain, code: refusal.code, message: refusal.in(context.asked.language) };
  });
  return {
    domains: hostsOf(typed).filter((host) => known.has(host)),
    typed,
    errors: [...nameErrors(typed, context), ...errors],
    refusal: refusals[0]?.refusal,
  };
}

/** Adds the typed names that the work could not begin with to its errors and counts. */
function withNames(result: Result, names: readonly ItemError[]): Result {
  const { total, done, failed } = result.summary as { total: number; done?: number; failed: number };
  // A plan counts its changes, an operation what it has worked on.
  const worked = done === undefined ? {} : { total: total + names.length, done: done + names.length };
  const summary = { ...result.summary, ...worked, failed: failed + names.length };
  return { ...result, summary, errors: [...(result.errors ?? []), ...names] };
}

/** The result where there is nothing to switch. Of named domains it is a failure: that of the first one that is refused. */
function nothingLeft(context: Context, { typed, errors, refusal }: Chosen, { dryRun }: ProtectFlags): Result {
  const columns = dryRun ? PLANNED_COLUMNS : ITEM_COLUMNS;
  const summary = { total: 0, ...(dryRun ? { unchanged: 0 } : { done: 0 }), failed: 0 };
  const none: Result = { items: [], columns, summary, ...(dryRun && { data: { dry_run: true } }) };
  const note = (): string => context.say('protect.no_domains');
  if (errors.length === 0) return { ...none, note };
  const result = withNames(none, errors);
  if (refusal === undefined) return { ...result, ...endOfNames(context, typed, errors) };
  const { message, ...failure } = failureOf(refusal, context.asked.language, context.program);
  return {
    ...result,
    exit: failure.exit,
    failure: { ...failure, message: context.say('cli.no_item_left', { first: message }) },
  };
}

/** `protect under-attack`. */
export const underAttack = (
  context: Context,
  flags: ProtectFlags,
  action: 'enable' | 'disable',
  names: string[],
): Promise<Result> => protect(context, flags, { kind: 'under_attack', action }, names);

/** `protect tls`. */
export const tls = (context: Context, flags: ProtectFlags, state: 'on' | 'off', names: string[]): Promise<Result> =>
  protect(context, flags, { kind: 'tls', state }, names);

async function protect(context: Context, flags: ProtectFlags, wanted: Switch, names: string[]): Promise<Result> {
  const isPortfolio = flags.all === true || flags.project !== undefined;
  if (isPortfolio && (names.length > 0 || flags.file !== undefined)) {
    throw usageError('cli.conflict', { reason: '--all, --project; NAME, --file' });
  }
  if (flags.all === true && flags.project !== undefined) {
    throw usageError('cli.conflict', { reason: '--all; --project' });
  }
  const { config, actor } = await context.open();
  const chosen = await choose(context, actor, flags, names);
  const { domains, errors } = chosen;
  if (domains.length === 0) return nothingLeft(context, chosen, flags);
  const switched = flags.all === true ? null : domains;
  const result = withNames(await perform(context, { config, actor }, wanted, switched, domains.length, flags), errors);
  const [first] = errors;
  if (!first) return result;
  if (result.failure) return { ...result, failure: goingOnByLine(result.failure, context.asked.language) };
  const params = { failed: errors.length, total: domains.length + errors.length, first: lineOf(first) };
  return {
    ...result,
    exit: 5,
    failure: { exit: 5, code: 'partial', message: context.say('cli.some_failed', params) },
  };
}

async function perform(
  context: Context,
  { config, actor }: Pick<Opened, 'config' | 'actor'>,
  wanted: Switch,
  names: string[] | null,
  count: number,
  { dryRun }: ProtectFlags,
): Promise<Result> {
  if (dryRun) return planResult(context, await planSwitch(actor, wanted, names));
  const question =
    wanted.kind === 'tls' ? (`tls_${wanted.state}` as const) : (`under_attack_${wanted.action}` as const);
  await confirm(context, context.say(`cli.confirm_${question}`, { n: count }));
  return runOperationHere(context, { config, actor }, () => startSwitch(actor, wanted, { names }, true));
}
