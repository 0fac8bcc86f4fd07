import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { blocklistStatus, checkBlocklist } from '../../services/blocklist.ts';
import type { Verdict } from '../../shared/blocklist.ts';
import { usageError, type Context } from '../context.ts';
import { endOfNames, hostsOf, nameErrors, requireNames, type TypedName } from '../names.ts';
import type { Column, Failure, Result } from '../output.ts';
import { isPortfolio, type SelectionFlags } from '../selection.ts';

interface BlockedFlags extends SelectionFlags {
  file?: string;
  failOnBlocked?: boolean;
  accept?: boolean;
}

/** A name with its verdict. */
export type BlockedItem = { domain: string } & Verdict;

const COLUMNS: Column[] = ['domain', 'status', 'reason', 'entry', 'url_listed'].map((field) => ({
  field,
  title: field,
}));
// In bytes: some two thousand names.
const LONG_FILE = 50_000;
const UNKNOWN: Verdict = { status: 'unknown', reason: null, entry: null, url_listed: false };

/** How many names have which verdict. */
export const blockedSummary = (items: Partial<Verdict>[]) => {
  const counts = { blocked: 0, free: 0, unknown: 0 };
  for (const { status } of items) if (status) counts[status]++;
  return { total: items.length, ...counts };
};

/** What was asked about by `--fail-on-blocked` and found goes before what could not be done. */
export function withFindings(result: Result, failOnBlocked: boolean | undefined, blocked: number): Result {
  const isAnswer = result.exit === undefined || result.exit === 0 || result.exit === 5;
  if (!failOnBlocked || blocked === 0 || !isAnswer) return result;
  const { failure: _failure, ...answer } = result;
  return { ...answer, exit: 3 };
}

/** `check blocked`: names are only looked up, which needs no database; the portfolio's verdicts are kept. */
export async function checkBlocked(context: Context, flags: BlockedFlags, names: string[]): Promise<Result> {
  if (!isPortfolio(flags, names)) {
    if (flags.accept) throw usageError('cli.conflict', { reason: '--accept; NAME' });
    const answer = await checkLongFile(context, flags, names);
    if (answer) return answer;
    return checkNames(context, flags, await requireNames(names, flags.file, 'check blocked'));
  }
  const { checkPortfolio } = await import('../check-portfolio.ts');
  const result = await checkPortfolio(context, {
    command: 'check blocked',
    title: context.say('cli.checking_blocked'),
    steps: ['blocklist'],
    flags,
    ...(flags.accept ? { accept: true } : {}),
  });
  const summary = blockedSummary(result.items);
  const note = (): string => context.say('cli.checked_blocked', summary);
  return withFindings({ ...result, columns: COLUMNS, summary, note }, flags.failOnBlocked, summary.blocked);
}

/** The answer for a file of so many names that its items had better not become objects; undefined for all else. */
async function checkLongFile(context: Context, flags: BlockedFlags, names: string[]): Promise<Result | undefined> {
  const { file, failOnBlocked } = flags;
  if (file === undefined || file === '-' || names.length > 0 || context.asked.format !== 'json') return undefined;
  const stats = statSync(file, { throwIfNoEntry: false });
  // What is no file can be read once only.
  if (!stats?.isFile() || stats.size < LONG_FILE) return undefined;
  const { blocklistDir } = context.config();
  const { checkBlocklistText } = await import('../../services/blocklist-bulk.ts');
  const answer = await checkBlocklistText(blocklistDir, await readFile(file));
  return answer ? withFindings({ ...answer, errors: [], exit: 0 }, failOnBlocked, answer.summary.blocked) : undefined;
}

async function checkNames(context: Context, flags: BlockedFlags, names: TypedName[]): Promise<Result> {
  const { blocklistDir } = context.config();
  const verdicts = await checkBlocklist(blocklistDir, hostsOf(names));
  let asked = 0;
  // Field by field: a spread for each of a hundred thousand names takes longer than their look-up.
  const items = names.map(({ typed, host }): BlockedItem => {
    const { status, reason, entry, url_listed } = (host === null ? undefined : verdicts[asked++]) ?? UNKNOWN;
    return { domain: host ?? typed, status, reason, entry, url_listed };
  });
  const summary = blockedSummary(items);
  const errors = nameErrors(names, context);
  const result: Result = {
    items,
    columns: COLUMNS,
    summary,
    note: () => context.say('cli.checked_blocked', summary),
    errors,
  };
  const failure = summary.unknown > errors.length ? await listFailure(context, blocklistDir) : undefined;
  if (failure) return { ...result, exit: failure.exit, failure };
  return withFindings({ ...result, ...endOfNames(context, names, errors) }, flags.failOnBlocked, summary.blocked);
}

/** Why the list says nothing: without one, or with an old one, a name is not free but unknown. */
async function listFailure({ say }: Context, blocklistDir: string): Promise<Failure> {
  const { state } = await blocklistStatus(blocklistDir);
  // A fresh list that says nothing of a good name has a damaged page.
  const message = say(`check.list_${state === 'fresh' ? 'damaged' : state}`);
  return { exit: 4, code: 'not_configured', message };
}
