import { Argument, type Command } from 'commander';
import type { Switch } from '../../services/dns/protection.ts';
import type { Actor } from '../../services/access/scope.ts';
import { AppError } from '../../shared/errors.ts';
import { usageError, type Context } from '../context.ts';
import { hostsOf, nameErrors, requireNames } from '../names.ts';
import type { ItemError, Result } from '../output.ts';
import { act } from '../run.ts';
import { selectionOf } from '../selection.ts';
import type { HelpTexts } from '../texts/ru.ts';

interface ProtectFlags {
  all?: boolean;
  project?: string;
  file?: string;
  dryRun?: boolean;
}

/** `protect under-attack enable|disable`, `protect tls on|off`: for names, a project, or all domains. */
export function define(noun: Command, help: HelpTexts): void {
  const command = (name: 'under-attack' | 'tls', what: Argument): Command =>
    noun
      .command(name)
      .description(help[`protect ${name}`])
      .addArgument(what)
      .argument('[names...]', help.names)
      .option('-f, --file <file>', help.file)
      .option('--all', help.all)
      .option('-p, --project <name>', help.of_project)
      .option('--dry-run', help.dry_run);
  command('under-attack', new Argument('<action>', help['protect.action']).choices(['enable', 'disable'])).action(
    act((context, flags: ProtectFlags, action: 'enable' | 'disable', names: string[]) =>
      protect(context, flags, { kind: 'under_attack', action }, names),
    ),
  );
  command('tls', new Argument('<state>', help['protect.state']).choices(['on', 'off'])).action(
    act((context, flags: ProtectFlags, state: 'on' | 'off', names: string[]) =>
      protect(context, flags, { kind: 'tls', state }, names),
    ),
  );
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
  const { domainsForUnderAttack } = await import('../../services/dns/protection.ts');
  const reached = (await domainsForUnderAttack(actor)).map(({ domain_name }) => domain_name);
  if (flags.project !== undefined) {
    const [{ listDomains }, { parseJsonText }] = await Promise.all([
      import('../../services/portfolio/domain-lists.ts'),
      import('../../services/portfolio/json.ts'),
    ]);
    const { data } = parseJsonText(await listDomains(actor, await selectionOf(actor, { project: flags.project })));
    const own = new Set(data.map(({ domain_name }) => domain_name));
    return { domains: reached.filter((name) => own.has(name)), errors: [] };
  }
  if (flags.all === true) return { domains: reached, errors: [] };
  const typed = await requireNames(names, flags.file, 'protect');
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

async function protect(context: Context, flags: ProtectFlags, wanted: Switch, names: string[]): Promise<Result> {
  const isPortfolio = flags.all === true || flags.project !== undefined;
  if (isPortfolio && (names.length > 0 || flags.file !== undefined)) {
    throw usageError('cli.conflict', { reason: '--all, --project; NAME, --file' });
  }
  const { config, actor } = await context.open();
  const { domains, errors } = await choose(context, actor, flags, names);
  const [first] = errors;
  if (domains.length === 0) {
    if (first) throw new AppError('refused', 'cli.no_item_left', { first: `${first.domain}: ${first.message}` });
    const columns = flags.dryRun
      ? (await import('../plan-result.ts')).PLANNED_COLUMNS
      : (await import('../run-operation.ts')).ITEM_COLUMNS;
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
  { config, actor }: Pick<Awaited<ReturnType<Context['open']>>, 'config' | 'actor'>,
  wanted: Switch,
  names: string[] | null,
  count: number,
  { dryRun }: ProtectFlags,
): Promise<Result> {
  const { planSwitch, startSwitch } = await import('../../services/dns/protection.ts');
  if (dryRun) {
    const { planResult } = await import('../plan-result.ts');
    return planResult(context, await planSwitch(config, actor, wanted, names));
  }
  const what = wanted.kind === 'tls' ? `tls ${wanted.state}` : `under-attack ${wanted.action}`;
  const { confirm } = await import('../secret.ts');
  await confirm(context, context.say('cli.confirm_protect', { what, n: count }));
  const { runOperationHere } = await import('../run-operation.ts');
  return runOperationHere(context, { config, actor }, () => startSwitch(actor, wanted, { names }, true));
}
