import { readFileSync, statSync } from 'node:fs';
import { checkBlocklist } from '../services/checks/blocklist.ts';
import type { Verdict } from '../shared/checks/blocklist.ts';
import type { Asked } from './terminal/asked.ts';
import { hostsOf, type TypedName } from './names.ts';
import { columnsOf, type Result } from './output.ts';

/** A name with its verdict. */
export type BlockedItem = { domain: string } & Verdict;

export const BLOCKED_COLUMNS = columnsOf<BlockedItem>({
  domain: true,
  status: true,
  reason: true,
  entry: true,
  url_listed: true,
});
// Bytes: some two thousand names.
const LONG_FILE = 50_000;
const UNKNOWN: Verdict = { status: 'unknown', reason: null, entry: null, url_listed: false };

/** Counts the names by verdict. */
export const blockedSummary = (items: Partial<Verdict>[]) => {
  const counts = { blocked: 0, free: 0, unknown: 0 };
  for (const { status } of items) if (status) counts[status]++;
  return { total: items.length, ...counts };
};

/**
 * Sets exit code 3 for blocked names found with `--fail-on-blocked`; it takes precedence over partial failures (5), not
 * over other errors.
 */
export function withFindings(result: Result, failOnBlocked: boolean | undefined, blocked: number): Result {
  const isAnswer = result.exit === undefined || result.exit === 0 || result.exit === 5;
  if (!failOnBlocked || blocked === 0 || !isAnswer) return result;
  const { failure: _failure, ...answer } = result;
  return { ...answer, exit: 3 };
}

/** The sources of names and the exit flag. */
export interface NamesFlags {
  file?: string;
  failOnBlocked?: boolean;
}

/** Returns the result for a file too long to hold its items as objects (JSON only); undefined for any other request. */
export async function checkLongFile(
  blocklistDir: string,
  { file, failOnBlocked }: NamesFlags,
  names: string[],
  { format }: Asked,
): Promise<Result | undefined> {
  if (file === undefined || file === '-' || names.length > 0 || format !== 'json') return undefined;
  const stats = statSync(file, { throwIfNoEntry: false });
  // Pipes and devices can be read only once.
  if (!stats?.isFile() || stats.size < LONG_FILE) return undefined;
  const { checkBlocklistText } = await import('../services/checks/blocklist-bulk.ts');
  const answer = await checkBlocklistText(blocklistDir, readFileSync(file));
  return answer ? withFindings({ ...answer, errors: [], exit: 0 }, failOnBlocked, answer.summary.blocked) : undefined;
}

/** Looks names up in the blocklist; a word that is no host name is `unknown`. */
export async function blockedItems(blocklistDir: string, names: TypedName[]) {
  const verdicts = await checkBlocklist(blocklistDir, hostsOf(names));
  let asked = 0;
  // Field by field: a spread for each of 100,000 names takes longer than their look-up.
  const items = names.map(({ typed, host }): BlockedItem => {
    const { status, reason, entry, url_listed } = (host === null ? undefined : verdicts[asked++]) ?? UNKNOWN;
    return { domain: host ?? typed, status, reason, entry, url_listed };
  });
  return { items, columns: BLOCKED_COLUMNS, summary: blockedSummary(items) };
}
