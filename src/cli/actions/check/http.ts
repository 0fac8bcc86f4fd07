import { keepHeapSmall } from '../../../lib/small-heap.ts';
import type { Actor } from '../../../services/access/scope.ts';
import { checkNames } from '../../../services/checks/check-names.ts';
import type { HealthResult } from '../../../shared/checks/health.ts';
import type { Context } from '../../context.ts';
import { namesOf } from '../../found/named.ts';
import { endOfNames, hostsOf, interruptedNames, nameErrors, requireNames } from '../../names.ts';
import type { ItemError, Result } from '../../output.ts';
import { watchInterrupt } from '../../terminal/interrupt.ts';
import { startProgress } from '../../terminal/show-progress.ts';
import { choicesOf, HTTP_COLUMNS, httpSummary, type HttpFlags } from './http-answers.ts';

/**
 * `check http NAME…`: requests every host. An error or no answer is a result, too: exit 0. Results of hosts of the portfolio
 * are stored.
 */
export async function checkHttpNames(
  context: Context,
  flags: HttpFlags & { file?: string },
  typed: string[],
): Promise<Result> {
  keepHeapSmall();
  const names = await requireNames(await namesOf(context, typed), flags.file, 'check http', 'cli.no_names_all');
  const interrupt = watchInterrupt();
  const open = async (): Promise<Actor> => (await context.open()).actor;
  const hosts = hostsOf(names);
  const results = new Map<string, HealthResult>();
  const progress = startProgress(context, 'check http', context.say('cli.checking_http'));
  const onItem = (result: HealthResult): void => {
    results.set(result.domain, result);
    progress.update({ done: results.size, total: hosts.length, failed: 0 });
  };
  try {
    await checkNames(open, hosts, choicesOf(flags), { onItem, signal: interrupt.signal });
  } finally {
    await progress.end();
  }
  const items = names.flatMap(({ typed, host }) => (host === null ? notAsked(typed) : (results.get(host) ?? [])));
  const errors = [...nameErrors(names, context), ...ourFaults(items, context)];
  const summary = httpSummary(items);
  const note = (): string => context.say('cli.checked_http', summary);
  const result: Result = { items, columns: HTTP_COLUMNS, summary, note, errors };
  if (!interrupt.signal.aborted) return { ...result, ...endOfNames(context, names, errors) };
  return { ...result, ...interruptedNames(context, interrupt.exit(), names, new Set(results.keys())) };
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
