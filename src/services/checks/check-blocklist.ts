import { transaction } from '../../../db/index.ts';
import type { OperationRow } from '../../shared/operations/tables.ts';
import { config } from '../../lib/config.ts';
import type { StepContext, StepOutcome } from '../../operations/flow.ts';
import type { LoadedBlocklist } from '../../shared/checks/blocklist.ts';
import { MEASURED_MS, massOf, type MassChange } from '../../shared/checks/list-doubt.ts';
import type { Held } from '../../shared/operations.ts';
import { lookUpHosts } from './blocklist.ts';
import { UNKNOWN } from '../../providers/blocklist/index-lookup.ts';
import { keepFound } from './check-results.ts';
import { storeLooks } from './check-store.ts';
import { includesCheck, requestOf, targets } from './check-targets.ts';
import { updateVerdicts } from './look-rows.ts';
import { recordVerdicts } from './outages.ts';
import {
  clearHeld,
  countChanges,
  deleteBaselines,
  findCheckScope,
  listHeldChecks,
  noteVerdictsStored,
  upsertBaselines,
  type CheckScope,
  type NewVerdict,
} from './rows.ts';
import { actorOf } from '../access/ownership.ts';
import type { Actor } from '../access/scope.ts';

let stored: () => void = () => undefined;

/** Calls `listener` when verdicts were stored in this process; it must not throw. */
export function onVerdicts(listener: () => void): void {
  stored = listener;
}

type Row = NewVerdict & { entry: string | null };

const NO_CHANGE: MassChange = { total: 0, blocked_before: 0, blocked: 0, blocked_now: 0, freed: 0, freed_now: 0 };

/** Stores verdicts, and each domain's status before its first change within seven days. Only inside a transaction. */
async function storeVerdicts(rows: Row[], list: LoadedBlocklist): Promise<void> {
  await upsertBaselines(rows, measuredSince());
  const looks = rows.map(({ id, status, entry }) => ({ id, verdict: status, detail: entry }));
  const now = await storeLooks('blocklist', looks, list);
  await recordVerdicts(list.list_version);
  await updateVerdicts(now);
}

const measuredSince = (): string => new Date(Date.now() - MEASURED_MS).toISOString();

/**
 * Counts what these rows would change in the actor's portfolio, compared with seven days ago or with the last result
 * that a person has accepted.
 */
const measure = async (actor: Actor, rows: Row[]): Promise<MassChange> =>
  (await countChanges(actor, rows, measuredSince())) ?? NO_CHANGE;

/** Stores a result, or returns why it is held for a person. */
async function takeOver(operation: OperationRow, rows: Row[], list: LoadedBlocklist): Promise<Held | null> {
  const actor = await actorOf(operation.user_id);
  const { accept } = requestOf(operation);
  // A person accepts the result of one list version; that of a newer list is measured again.
  const isAccepted = accept === true || accept === list.list_version;
  return transaction(async () => {
    const mass = massOf(await measure(actor, rows));
    // More likely a broken or poisoned list than the truth: a person decides.
    if (mass && !isAccepted) return { ...mass, list_version: list.list_version };
    await storeVerdicts(rows, list);
    await noteVerdictsStored(operation.id);
    // The next results are measured against the accepted one.
    if (isAccepted) await deleteBaselines(actor);
    return null;
  });
}

/**
 * Clears earlier held results, so that a person is asked once: a held result replaces an earlier one for the same
 * domains, a stored one every earlier one that it includes.
 */
async function dropHeldBefore({ id }: OperationRow, isHeld: boolean): Promise<void> {
  const scope = await findCheckScope(id);
  if (!scope) return;
  const replaces = (other: CheckScope): boolean =>
    includesCheck(scope, other) && (!isHeld || includesCheck(other, scope));
  const held = await listHeldChecks();
  const ids = held.flatMap((other) => (other.id < id && replaces(other) ? [other.id] : []));
  if (ids.length > 0) await transaction(() => clearHeld(ids));
}

/** The step of a check that looks every name up in the list, and holds a result that changes too much at once. */
export async function runBlocklist({ operation, advance, item }: StepContext): Promise<StepOutcome> {
  const all = await targets(operation, 'last_block_check_at');
  const { list, verdicts } = await lookUpHosts(
    config().blocklistDir,
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
