import { execute, select, transaction } from '../../db/index.ts';
import type { Config } from '../lib/config.ts';
import type { StepContext, StepOutcome } from '../operations/flow.ts';
import type { LoadedBlocklist, Verdict } from '../shared/blocklist.ts';
import type { Held, OperationRow } from '../shared/operations.ts';
import { isSuspicious } from '../shared/transfer-pick.ts';
import { blocklistStatus, checkBlocklist } from './blocklist.ts';
import { actorOfOperation, requestOf, targets } from './check-targets.ts';
import { bindings, VISIBLE } from './scope.ts';

let stored: () => void = () => undefined;

/** Calls `listener` when verdicts were stored in this process; it must not throw. */
export function onVerdicts(listener: () => void): void {
  stored = listener;
}

async function storeVerdicts(
  rows: { id: number; status: string; entry: string | null }[],
  { list_version, fetched_at }: LoadedBlocklist,
): Promise<void> {
  const now = new Date().toISOString();
  const bind = { rows: JSON.stringify(rows), list: list_version, fetched: fetched_at, now };
  await transaction(async () => {
    await execute(
      `INSERT INTO checks (domain_id, kind, verdict, detail, list_version, list_fetched_at, checked_at)
       SELECT d.id, 'blocklist', r.value ->> 'status', r.value ->> 'entry', $list, $fetched, $now
       FROM json_each($rows) r JOIN domains d ON d.id = r.value ->> 'id'`,
      bind,
    );
    await execute(
      `UPDATE domains SET status = r.value ->> 'status', block_entry = r.value ->> 'entry', last_block_check_at = $now
       FROM json_each($rows) r WHERE domains.id = r.value ->> 'id'`,
      { rows: bind.rows, now: bind.now },
    );
  });
}

async function portfolioSize(operation: OperationRow): Promise<number> {
  const actor = await actorOfOperation(operation);
  const [row] = await select<{ total: number }>(
    `SELECT COUNT(*) AS total FROM domains d LEFT JOIN projects p ON p.id = d.project_id WHERE ${VISIBLE.domains(actor)}`,
    bindings(actor),
  );
  return row?.total ?? 0;
}

/** The step of a check that looks every name up in the list, and holds a result that is too good to be true. */
export async function runBlocklist(config: Config, { operation, advance, item }: StepContext): Promise<StepOutcome> {
  const list = await blocklistStatus(config.blocklistDir);
  const all = await targets(operation, 'last_block_check_at');
  const verdicts: Verdict[] = await checkBlocklist(
    config.blocklistDir,
    all.map(({ domain_name }) => domain_name),
  );
  for (const [index, { domain_name }] of all.entries()) item({ domain: domain_name, ...verdicts[index] });
  // Without a list that counts, what is known of the domains stays: unknown is not free.
  if (list.state !== 'fresh') {
    advance(all.length, all.length);
    return { error: { key: list.state === 'stale' ? 'check.list_stale' : 'check.list_missing' } };
  }
  const rows = all.map(({ id }, index) => ({
    id,
    status: verdicts[index]?.status === 'blocked' ? 'blocked' : 'available',
    entry: verdicts[index]?.entry ?? null,
  }));
  const count = all.filter(({ status }, index) => status !== 'blocked' && rows[index]?.status === 'blocked').length;
  const total = await portfolioSize(operation);
  const { accept } = requestOf(operation);
  // What a person has seen is that list's result; a newer list's is another.
  const isAccepted = accept === true || accept === list.list_version;
  if (!isAccepted && isSuspicious(count, total)) {
    // More likely poisoned or broken than right: a person decides.
    advance(all.length);
    return { held: { count, total, list_version: list.list_version } satisfies Held };
  }
  await storeVerdicts(rows, list);
  stored();
  advance(all.length);
  return {};
}
