import type { RedirectCheck } from '../../../shared/dns/redirects.ts';
import type { Context } from '../../context.ts';
import { watchInterrupt } from '../../terminal/interrupt.ts';
import { endOfNames, hostsOf, nameErrors, requireNames, type TypedName } from '../../names.ts';
import { columnsOf, type Result } from '../../output.ts';
import { isPortfolio, selectionOf, type SelectionFlags } from '../../selection.ts';

const COLUMNS = columnsOf<RedirectCheck>({
  domain: true,
  redirect: {
    title: 'way',
    show: (value) => (value as RedirectCheck['redirect']).map(({ url, status }) => `${status} ${url}`).join(' → '),
  },
  loop: true,
  error: true,
  final_url: false,
  ms: false,
});
const ASKED_COLUMNS = columnsOf<Pick<RedirectCheck, 'domain'>>({ domain: true });

/** The names of the portfolio that the flags select. */
async function selected(context: Context, flags: SelectionFlags): Promise<TypedName[]> {
  const { actor } = await context.open();
  const [{ listDomains }, { parseJsonText }] = await Promise.all([
    import('../../../services/portfolio/domain-lists.ts'),
    import('../../../services/portfolio/json.ts'),
  ]);
  const { data } = parseJsonText(await listDomains(actor, await selectionOf(actor, flags)));
  return data.map(({ domain_name }) => ({ typed: domain_name, host: domain_name }));
}

/**
 * `check redirects`: the redirect chain of each host. Any chain, or none because the host is down, is a result: exit 0.
 */
export async function checkRedirects(
  context: Context,
  flags: SelectionFlags & { file?: string; dryRun?: boolean },
  names: string[],
): Promise<Result> {
  const typed = isPortfolio(flags, names)
    ? await selected(context, flags)
    : await requireNames(names, flags.file, 'check redirects');
  if (flags.dryRun) {
    const hosts = hostsOf(typed).map((domain) => ({ domain }));
    const said = (): string => context.say('cli.dry_run');
    return {
      items: hosts,
      columns: ASKED_COLUMNS,
      summary: { total: hosts.length },
      data: { dry_run: true },
      note: said,
    };
  }
  const interrupt = watchInterrupt();
  const services = await import('../../../services/dns/redirects.ts');
  const items = await services.checkRedirects(context.config(), hostsOf(typed), interrupt.signal);
  const summary = {
    total: items.length,
    redirected: items.filter(({ redirect }) => redirect.length > 1).length,
    loops: items.filter(({ loop }) => loop).length,
  };
  const errors = nameErrors(typed, context);
  const note = (): string => context.say('cli.checked_redirects', summary);
  const result: Result = { items, columns: COLUMNS, summary, errors, note };
  if (!interrupt.signal.aborted) return { ...result, ...endOfNames(context, typed, errors) };
  const message = context.say('cli.interrupted_names', { done: items.length, total: typed.length });
  return { ...result, exit: interrupt.exit(), failure: { exit: interrupt.exit(), code: 'interrupted', message } };
}
