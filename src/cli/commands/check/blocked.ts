import { blocklistStatus } from '../../../services/checks/blocklist.ts';
import {
  BLOCKED_COLUMNS,
  blockedItems,
  blockedSummary,
  checkLongFile,
  withFindings,
  type NamesFlags,
} from '../../blocked-names.ts';
import { usageError, type Context } from '../../context.ts';
import { endOfNames, nameErrors, requireNames, type TypedName } from '../../names.ts';
import type { Failure, Result } from '../../output.ts';
import { isPortfolio, type SelectionFlags } from '../../selection.ts';

interface BlockedFlags extends SelectionFlags, NamesFlags {
  accept?: boolean;
}

/** `check blocked`: looking names up needs no database; a check of the portfolio stores its verdicts. */
export async function checkBlocked(context: Context, flags: BlockedFlags, names: string[]): Promise<Result> {
  if (!isPortfolio(flags, names)) {
    if (flags.accept) throw usageError('cli.conflict', { reason: '--accept; NAME' });
    const answer = await checkLongFile(context.config().blocklistDir, flags, names, context.asked);
    if (answer) return answer;
    return checkNames(context, flags, await requireNames(names, flags.file, 'check blocked'));
  }
  const { checkPortfolio } = await import('../../check-portfolio.ts');
  const result = await checkPortfolio(context, {
    command: 'check blocked',
    title: context.say('cli.checking_blocked'),
    steps: ['blocklist'],
    flags,
    ...(flags.accept ? { accept: true } : {}),
  });
  const summary = blockedSummary(result.items);
  const note = (): string => context.say('cli.checked_blocked', summary);
  return withFindings({ ...result, columns: BLOCKED_COLUMNS, summary, note }, flags.failOnBlocked, summary.blocked);
}

async function checkNames(context: Context, flags: BlockedFlags, names: TypedName[]): Promise<Result> {
  const { blocklistDir } = context.config();
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
