import { lookUpNames } from '../../../services/checks/check-expiry.ts';
import type { Registration } from '../../../shared/checks/registration.ts';
import type { Message } from '../../../shared/i18n/index.ts';
import type { Context } from '../../context.ts';
import { EXPIRY_COLUMNS, expiryItemOf, expirySummary, unanswered } from './expiry-items.ts';
import { namesOf } from '../../found/named.ts';
import { endOfNames, hostsOf, interruptedNames, nameErrors, requireNames } from '../../names.ts';
import type { Result } from '../../output.ts';
import { renderFor } from '../../render.ts';
import { watchInterrupt } from '../../terminal/interrupt.ts';
import { startProgress } from '../../terminal/show-progress.ts';

/**
 * `check expiry NAME…`: looks each host's registration up. A name that is free, or that no registry tells about, is a result,
 * too: exit 0. Results of hosts of the portfolio are stored.
 */
export async function checkExpiryNames(context: Context, flags: { file?: string }, typed: string[]): Promise<Result> {
  const names = await requireNames(await namesOf(context, typed), flags.file, 'check expiry', 'cli.no_names_all');
  const interrupt = watchInterrupt();
  const { actor } = await context.open();
  const hosts = hostsOf(names);
  const found = new Map<string, Registration<Message>>();
  const progress = startProgress(context, 'check expiry', context.say('cli.checking_expiry'));
  const onItem = (item: Registration<Message>): void => {
    found.set(item.domain, item);
    progress.update({ done: found.size, total: hosts.length, failed: 0 });
  };
  try {
    await lookUpNames(actor, hosts, { onItem, signal: interrupt.signal });
  } finally {
    await progress.end();
  }
  const render = renderFor(context);
  const registrations = hosts.flatMap((host) => found.get(host) ?? []);
  const items = registrations.map((registration) => expiryItemOf(render, registration));
  const away = unanswered(render, registrations);
  const errors = [...nameErrors(names, context), ...away];
  const summary = expirySummary(items);
  const note = (): string => context.say('cli.checked_expiry', summary);
  const result: Result = { items, columns: EXPIRY_COLUMNS, summary, note, errors };
  if (interrupt.signal.aborted)
    return { ...result, ...interruptedNames(context, interrupt.exit(), names, new Set(found.keys())) };
  const isAway = hosts.length > 0 && away.length === hosts.length;
  if (isAway) return { ...result, exit: 6, failure: { exit: 6, code: 'unavailable', message: away[0]?.message ?? '' } };
  return { ...result, ...endOfNames(context, names, errors) };
}
