import { execute, select, transaction } from '../../../db/index.ts';
import type { OperationRow } from '../../shared/operations/tables.ts';
import type { Config } from '../../lib/config.ts';
import type { StepContext, StepOutcome } from '../../operations/flow.ts';
import type { LoadedBlocklist } from '../../shared/checks/blocklist.ts';
import { MEASURED_MS, massOf, type MassChange } from '../../shared/checks/list-doubt.ts';
import type { Held } from '../../shared/operations.ts';
import { lookUpHosts } from './blocklist.ts';
import { UNKNOWN } from '../../providers/blocklist/index-lookup.ts';
import { keepFound } from './check-results.ts';
import { storeLooks } from './check-store.ts';
import { actorOfOperation, includesCheck, requestOf, targets } from './check-targets.ts';
import { bindings, VISIBLE, type Actor } from '../access/scope.ts';

let stored: () => void = () => undefined;

/** Calls `listener` when verdicts were stored in this process; it must not throw. */
export function onVerdicts(listener: () => void): void {
  stored = listener;
}

interface Row {
  id: number;
  status: 'blocked' | 'available';
  entry: string | null;
}

/** Stores verdicts, and each domain's status before its first change within seven days. Only inside a transaction. */
async function storeVerdicts(rows: Row[], list: LoadedBlocklist): Promise<void> {
  await execute(
    `INSERT INTO verdict_baselines (domain_id, status, since)
     SELECT d.id, d.status, $now FROM json_each($rows) r JOIN domains d ON d.id = r.value ->> 'id'
     WHERE d.status <> r.value ->> 'status'
     ON CONFLICT (domain_id) DO UPDATE SET status = excluded.status, since = excluded.since WHERE since <= $measured`,
    { rows: JSON.stringify(rows), now: new Date().toISOString(), measured: measuredSince() },
  );
  const looks = rows.map(({ id, status, entry }) => ({ id, verdict: status, detail: entry }));
  const now = await storeLooks('blocklist', looks, list);
  await execute(
    `UPDATE domains SET status = l.verdict, block_entry = l.detail, last_block_check_at = $now
     FROM temp.looks l WHERE domains.id = l.domain_id`,
    { now },
  );
}

const measuredSince = (): string => new Date(Date.now() - MEASURED_MS).toISOString();

/**
 * Counts what these rows would change in the actor's portfolio, compared with seven days ago or with the last result
 * that a person has accepted.
 */
async function measure(actor: Actor, rows: Row[]): Promise<MassChange> {
  const [found] = await select<MassChange>(
    `WITH said AS MATERIALIZED (SELECT value ->> 'id' AS id, value ->> 'status' AS status FROM json_each($rows)),
       stood AS (SELECT d.status AS current, COALESCE(b.status, d.status) AS before, COALESCE(s.status, d.status) AS after
         FROM domains d LEFT JOIN projects p ON p.id = d.project_id LEFT JOIN said s ON s.id = d.id
         LEFT JOIN verdict_baselines b ON b.domain_id = d.id AND b.since > $measured WHERE ${VISIBLE.domains(actor)})
     SELECT count(*) AS total, count(*) FILTER (WHERE before = 'blocked') AS blocked_before,
       count(*) FILTER (WHERE before <> 'blocked' AND after = 'blocked') AS blocked,
       count(*) FILTER (WHERE before <> 'blocked' AND after = 'blocked' AND current <> 'blocked') AS blocked_now,
       count(*) FILTER (WHERE before = 'blocked' AND after <> 'blocked') AS freed,
       count(*) FILTER (WHERE before = 'blocked' AND after <> 'blocked' AND current = 'blocked') AS freed_now FROM stood`,
    { rows: JSON.stringify(rows), measured: measuredSince(), ...bindings(actor) },
  );
  return found ?? { total: 0, blocked_before: 0, blocked: 0, blocked_now: 0, freed: 0, freed_now: 0 };
}

/** Deletes the baselines of the actor's domains: the next results are measured against the accepted one. */
const forgetBaselines = (actor: Actor): Promise<number> =>
  execute(
    `DELETE FROM verdict_baselines WHERE domain_id IN
       (SELECT d.id FROM domains d LEFT JOIN projects p ON p.id = d.project_id WHERE ${VISIBLE.domains(actor)})`,
    bindings(actor),
  );

/** Stores a result, or returns why it is held for a person. */
async function takeOver(operation: OperationRow, rows: Row[], list: LoadedBlocklist): Promise<Held | null> {
  const actor = await actorOfOperation(operation);
  const { accept } = requestOf(operation);
  // A person accepts the result of one list version; that of a newer list is measured again.
  const isAccepted = accept === true || accept === list.list_version;
  return transaction(async () => {
    const mass = massOf(await measure(actor, rows));
    // More likely a broken or poisoned list than the truth: a person decides.
    if (mass && !isAccepted) return { ...mass, list_version: list.list_version };
    await storeVerdicts(rows, list);
    if (isAccepted) await forgetBaselines(actor);
    return null;
  });
}

/**
 * Clears earlier held results, so that a person is asked once: a held result replaces an earlier one for the same
 * domains, a stored one every earlier one that it includes.
 */
async function dropHeldBefore({ id, subject }: OperationRow, isHeld: boolean): Promise<void> {
  const held = await select<{ id: number; subject: string }>(
    `SELECT id, subject FROM operations WHERE kind = 'check' AND held IS NOT NULL AND id < $id`,
    { id },
  );
  const replaces = (other: string): boolean =>
    includesCheck(subject, other) && (!isHeld || includesCheck(other, subject));
  const ids = held.flatMap((other) => (replaces(other.subject) ? [other.id] : []));
  if (ids.length === 0) return;
  await transaction(() =>
    execute(`UPDATE operations SET held = NULL, changed_at = $now WHERE id IN (SELECT value FROM json_each($ids))`, {
      ids: JSON.stringify(ids),
      now: new Date().toISOString(),
    }),
  );
}

/** The step of a check that looks every name up in the list, and holds a result that changes too much at once. */
export async function runBlocklist(config: Config, { operation, advance, item }: StepContext): Promise<StepOutcome> {
  const all = await targets(operation, 'last_block_check_at');
  const { list, verdicts } = await lookUpHosts(
    config.blocklistDir,
    all.map(({ domain_name }) => domain_name),
  );
  const found = all.map(({ domain_name }, index) => ({ domain: domain_name, ...(verdicts?.[index] ?? UNKNOWN) }));
  for (const one of found) item(one);
  await keepFound(operation.id, found);
  // Without a usable list the stored verdicts stay: unknown is not free.
  if (list.state !== 'fresh' || verdicts === null) {
    advance(all.length, all.length);
    const state = list.state === 'fresh' ? 'damaged' : list.state;
    return { error: { key: `check.list_${state}` } };
  }
  const rows = all.flatMap(({ id }, index): Row[] => {
    const verdict = verdicts[index];
    if (!verdict || verdict.status === 'unknown') return [];
    return [{ id, status: verdict.status === 'blocked' ? 'blocked' : 'available', entry: verdict.entry }];
  });
  const held = await takeOver(operation, rows, list);
  advance(all.length);
  await dropHeldBefore(operation, held !== null);
  if (held) return { held };
  stored();
  return {};
}
