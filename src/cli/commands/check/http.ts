import type { HealthChoices } from '../../../services/checks/check-targets.ts';
import { keepHeapSmall } from '../../../lib/small-heap.ts';
import type { Actor } from '../../../services/access/scope.ts';
import type { HealthResult, HealthScheme } from '../../../shared/checks/health.ts';
import { checkPortfolio } from '../../check-portfolio.ts';
import type { Context } from '../../context.ts';
import { watchInterrupt } from '../../terminal/interrupt.ts';
import { endOfNames, hostsOf, nameErrors, requireNames, type TypedName } from '../../names.ts';
import { columnsOf, type ItemError, type Result } from '../../output.ts';
import { startProgress } from '../../terminal/show-progress.ts';
import { isPortfolio, type SelectionFlags } from '../../selection.ts';

interface HttpFlags extends SelectionFlags {
  file?: string;
  scheme: HealthScheme;
  follow: boolean;
  timeout: number;
  concurrency?: number;
}

const COLUMNS = columnsOf<HealthResult>({
  domain: true,
  http_status_code: 'code',
  error: true,
  ms: true,
  redirects: { title: 'redirects', show: (value) => String((value as unknown[]).length) },
  tls_error: false,
  scheme: false,
  final_url: false,
});

/** Counts the hosts that answer with 2xx and those without an HTTP code. */
export const httpSummary = (items: Partial<HealthResult>[]) => ({
  total: items.length,
  ok: items.filter(({ http_status_code: code = 0 }) => code !== null && code >= 200 && code <= 299).length,
  no_answer: items.filter(({ http_status_code: code = null }) => code === null).length,
});

/** `check http`: requests every host. An error or no answer is a result, too: exit 0. */
export async function checkHttp(context: Context, flags: HttpFlags, names: string[]): Promise<Result> {
  keepHeapSmall();
  const options: HealthChoices = {
    ...(flags.scheme === 'auto' ? {} : { scheme: flags.scheme }),
    ...(flags.follow ? {} : { follow: false }),
    ...(flags.timeout === 10 ? {} : { timeoutMs: flags.timeout * 1000 }),
    ...(flags.concurrency === undefined ? {} : { concurrency: flags.concurrency }),
  };
  if (!isPortfolio(flags, names)) {
    return checkNames(context, options, await requireNames(names, flags.file, 'check http'));
  }
  const title = context.say('cli.checking_http');
  const result = await checkPortfolio(context, { command: 'check http', title, steps: ['http'], flags, options });
  const summary = httpSummary(result.items);
  return { ...result, columns: COLUMNS, summary, note: () => context.say('cli.checked_http', summary) };
}

async function checkNames(context: Context, options: HealthChoices, names: TypedName[]): Promise<Result> {
  const interrupt = watchInterrupt();
  const config = context.config();
  const services = await import('../../../services/checks/check-names.ts');
  const open = async (): Promise<Actor> => (await context.open()).actor;
  const hosts = hostsOf(names);
  const results = new Map<string, HealthResult>();
  const progress = startProgress(context, 'check http', context.say('cli.checking_http'));
  const onItem = (result: HealthResult): void => {
    results.set(result.domain, result);
    progress.update({ done: results.size, total: hosts.length, failed: 0 });
  };
  try {
    await services.checkNames(open, config, hosts, options, { onItem, signal: interrupt.signal });
  } finally {
    await progress.end();
  }
  const items = names.flatMap(({ typed, host }) => (host === null ? notAsked(typed) : (results.get(host) ?? [])));
  const errors = [...nameErrors(names, context), ...ourFaults(items, context)];
  const summary = httpSummary(items);
  const note = (): string => context.say('cli.checked_http', summary);
  const result: Result = { items, columns: COLUMNS, summary, note, errors };
  if (!interrupt.signal.aborted) return { ...result, ...endOfNames(context, names, errors) };
  const exit = interrupt.exit();
  const message = context.say('cli.interrupted_names', { done: results.size, total: hosts.length });
  return { ...result, exit, failure: { exit, code: 'interrupted', message } };
}

/** The result for a name that is not a valid host. */
const notAsked = (typed: string): HealthResult => ({
  domain: typed,
  http_status_code: null,
  error: 'bad_name',
  tls_error: null,
  ms: 0,
  redirects: [],
  scheme: null,
  final_url: null,
});

/** Errors for hosts that could not be requested because of this machine: they have no verdict. */
const ourFaults = (items: HealthResult[], { say }: Context): ItemError[] =>
  items.flatMap(({ domain, error }) =>
    error === 'local_failure' ? [{ domain, code: error, message: say('health.local_failure') }] : [],
  );
