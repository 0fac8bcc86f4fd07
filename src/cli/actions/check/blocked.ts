import { blocklistStatus } from '../../../services/checks/blocklist.ts';
import { blockedItems, checkLongFile, withFindings, type NamesFlags } from '../../blocked-names.ts';
import { requireKnown, usageError, type Context } from '../../context.ts';
import { namesOf } from '../../found/named.ts';
import { endOfNames, nameErrors, requireNames } from '../../names.ts';
import type { Failure, Result } from '../../output.ts';

interface BlockedFlags extends NamesFlags {
  accept?: boolean;
}

/** `check blocked NAME…`: looks names up; it needs no database and stores nothing. */
export async function checkBlockedNames(context: Context, flags: BlockedFlags, typed: string[]): Promise<Result> {
  if (flags.accept) throw usageError('cli.conflict', { reason: '--accept; NAME' });
  await requireKnown(context);
  const { blocklistDir } = context.config();
  const answer = await checkLongFile(blocklistDir, flags, typed, context.asked);
  if (answer) return answer;
  const names = await requireNames(
    await namesOf(context, typed, true),
    flags.file,
    'check blocked',
    'cli.no_names_all',
  );
  const { items, columns, summary } = await blockedItems(blocklistDir, names);
  const errors = nameErrors(names, context);
  const result: Result = {
    items,
    columns,
    summary,
    note: () => context.say('cli.checked_blocked', summary),
    errors,
  };
  const failure = summary.unknown > errors.length ? await listFailure(context, blocklistDir) : undefined;
  if (failure) return { ...result, exit: failure.exit, failure };
  return withFindings({ ...result, ...endOfNames(context, names, errors) }, flags.failOnBlocked, summary.blocked);
}

/** Explains names without a verdict: without a fresh list they are unknown, not free. */
async function listFailure({ say }: Context, blocklistDir: string): Promise<Failure> {
  const { state } = await blocklistStatus(blocklistDir);
  // If the list is fresh and a valid name has no verdict, a page of the list is damaged.
  const message = say(`check.list_${state === 'fresh' ? 'damaged' : state}`);
  return { exit: 4, code: 'not_configured', message };
}
