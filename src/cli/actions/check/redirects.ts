import { checkRedirects as findRedirects } from '../../../services/dns/redirects.ts';
import type { RedirectCheck } from '../../../shared/dns/redirects.ts';
import type { Context } from '../../context.ts';
import { namesOf } from '../../found/named.ts';
import { endOfNames, hostsOf, interruptedNames, nameErrors, requireNames, type TypedName } from '../../names.ts';
import { columnsOf, type Result } from '../../output.ts';
import { watchInterrupt } from '../../terminal/interrupt.ts';

interface RedirectFlags {
  file?: string;
  dryRun?: boolean;
}

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

/** `check redirects NAME…`: the redirect chain of each host. */
export async function checkRedirects(context: Context, flags: RedirectFlags, names: string[]): Promise<Result> {
  const typed = await namesOf(context, names);
  return chainsOf(context, flags, await requireNames(typed, flags.file, 'check redirects', 'cli.no_names_all'));
}

/** Returns the redirect chain of each host. Any chain, or none because the host is down, is a result: exit 0. */
export async function chainsOf(context: Context, { dryRun }: RedirectFlags, typed: TypedName[]): Promise<Result> {
  if (dryRun) {
    const hosts = hostsOf(typed).map((domain) => ({ domain }));
    const note = (): string => context.say('cli.dry_run');
    return {
      items: hosts,
      columns: ASKED_COLUMNS,
      summary: { total: hosts.length },
      data: { dry_run: true },
      note,
    };
  }
  const interrupt = watchInterrupt();
  const items = await findRedirects(hostsOf(typed), interrupt.signal);
  const summary = {
    total: items.length,
    redirected: items.filter(({ redirect }) => redirect.length > 1).length,
    loops: items.filter(({ loop }) => loop).length,
  };
  const errors = nameErrors(typed, context);
  const note = (): string => context.say('cli.checked_redirects', summary);
  const result: Result = { items, columns: COLUMNS, summary, errors, note };
  if (!interrupt.signal.aborted) return { ...result, ...endOfNames(context, typed, errors) };
  const done = new Set(items.map(({ domain }) => domain));
  return { ...result, ...interruptedNames(context, interrupt.exit(), typed, done) };
}
