import type { Actor } from '../../services/access/scope.ts';
import { domainsForUnderAttack, planSwitch, startSwitch, type Switch } from '../../services/dns/protection.ts';
import { AppError } from '../../shared/errors.ts';
import { usageError, type Context, type Opened } from '../context.ts';
import { namesOf } from '../found/named.ts';
import { hostsOf, nameErrors, requireNames } from '../names.ts';
import type { ItemError, Result } from '../output.ts';
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

interface Chosen {
  domains: string[];
  errors: ItemError[];
}

/**
 * Selects from the domains that a protection change can reach; a named domain that it can't reach is an error of its
 * own.
 */
async function choose(context: Context, actor: Actor, flags: ProtectFlags, names: string[]): Promise<Chosen> {
  const reached = (await domainsForUnderAttack(actor)).map(({ domain_name }) => domain_name);
  if (flags.project !== undefined) {
    const selected = await selectedDomains(actor, await selectionOf(actor, { project: flags.project }));
    const own = new Set(selected.map(({ domain_name }) => domain_name));
    return { domains: reached.filter((name) => own.has(name)), errors: [] };
  }
  if (flags.all === true) return { domains: reached, errors: [] };
  const typed = await requireNames(await namesOf(context, names), flags.file, 'protect', 'cli.no_names_all');
  const known = new Set(reached);
  const hosts = hostsOf(typed);
  const missing = hosts.filter((host) => !known.has(host));
  const errors = missing.map((domain) => ({
    domain,
    code: 'no_cloudflare_account',
    message: context.say('cli.not_protected', { domain }),
  }));
  return { domains: hosts.filter((host) => known.has(host)), errors: [...nameErrors(typed, context), ...errors] };
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
  const { domains, errors } = await choose(context, actor, flags, names);
  const [first] = errors;
  if (domains.length === 0) {
    if (first) throw new AppError('refused', 'cli.no_item_left', { first: `${first.domain}: ${first.message}` });
    const columns = flags.dryRun ? PLANNED_COLUMNS : ITEM_COLUMNS;
    return { items: [], columns, summary: { total: 0 }, note: () => context.say('protect.no_domains') };
  }
  const result = await perform(
    context,
    { config, actor },
    wanted,
    flags.all === true ? null : domains,
    domains.length,
    flags,
  );
  if (!first || result.failure) return { ...result, errors: [...(result.errors ?? []), ...errors] };
  const params = {
    failed: errors.length,
    total: domains.length + errors.length,
    first: `${first.domain}: ${first.message}`,
  };
  return {
    ...result,
    errors,
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
  const what = wanted.kind === 'tls' ? `tls ${wanted.state}` : `under-attack ${wanted.action}`;
  await confirm(context, context.say('cli.confirm_protect', { what, n: count }));
  return runOperationHere(context, { config, actor }, () => startSwitch(actor, wanted, { names }, true));
}
