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

/** Names of arguments or of a file. */
export interface NamesFlags {
  file?: string;
  failOnBlocked?: boolean;
}

/** The answer for a file of so many names that its items had better not become objects; undefined for all else. */
export async function checkLongFile(
  blocklistDir: string,
  { file, failOnBlocked }: NamesFlags,
  names: string[],
  { format }: Asked,
): Promise<Result | undefined> {
  if (file === undefined || file === '-' || names.length > 0 || format !== 'json') return undefined;
  const stats = statSync(file, { throwIfNoEntry: false });
  // What is no file can be read once only.
  if (!stats?.isFile() || stats.size < LONG_FILE) return undefined;
  const { checkBlocklistText } = await import('../services/checks/blocklist-bulk.ts');
  const answer = await checkBlocklistText(blocklistDir, readFileSync(file));
  return answer ? withFindings({ ...answer, errors: [], exit: 0 }, failOnBlocked, answer.summary.blocked) : undefined;
}

/** What the list says of names; a word that is no host is `unknown`. */
export async function blockedItems(blocklistDir: string, names: TypedName[]) {
  const verdicts = await checkBlocklist(blocklistDir, hostsOf(names));
  let asked = 0;
  // Field by field: a spread for each of a hundred thousand names takes longer than their look-up.
  const items = names.map(({ typed, host }): BlockedItem => {
    const { status, reason, entry, url_listed } = (host === null ? undefined : verdicts[asked++]) ?? UNKNOWN;
    return { domain: host ?? typed, status, reason, entry, url_listed };
  });
  return { items, columns: BLOCKED_COLUMNS, summary: blockedSummary(items) };
}
