import { transaction } from '../../../db/index.ts';
import type { OperationRow } from '../../shared/operations/tables.ts';
import { config } from '../../lib/config.ts';
import type { StepContext, StepOutcome } from '../../operations/flow.ts';
import { operationRow } from '../../operations/lease.ts';
import type { BlocklistStatus, LoadedBlocklist } from '../../shared/checks/blocklist.ts';
import { MEASURED_MS, massOf, type Mass, type MassChange } from '../../shared/checks/list-doubt.ts';
import type { Held } from '../../shared/operations.ts';
import { currentVersion, isRestored, lookUpHosts } from './blocklist.ts';
import { UNKNOWN } from '../../providers/blocklist/index-lookup.ts';
import { keepFound } from './check-results.ts';
import { storeLooks } from './check-store.ts';
import { includesCheck, requestOf, targets } from './check-targets.ts';
import { updateVerdicts } from './look-rows.ts';
import { recordVerdicts } from './outages.ts';
import {
  clearHeld,
  deleteBaselines,
  findCheckScope,
  listChanges,
  listHeldChecks,
  listHoldersOf,
  noteVerdictsStored,
  upsertBaselines,
  type NewVerdict,
  type Target,
} from './rows.ts';
import { actorOf } from '../access/ownership.ts';
import type { Actor } from '../access/scope.ts';

let stored: () => void = () => undefined;

/** Calls `listener` when verdicts were stored in this process; it must not throw. */
export function onVerdicts(listener: () => void): void {
  stored = listener;
}

type Row = NewVerdict & { entry: string | null };

/** Domains of a check whose result by a list is held for their holder alone. */
export interface Apart {
  holder: number;
  ids: number[];
  list_version: string;
}

/** The end of a result: it is held for a person, or it is stored without the parts that are held apart. */
interface TakenOver {
  held: Held | null;
  apart: Apart[];
}

const NO_CHANGE: MassChange = {
  total: 0,
  blocked_before: 0,
  blocked_since: 0,
  blocked: 0,
  blocked_now: 0,
  freed: 0,
  freed_since: 0,
  freed_now: 0,
};

const sumOf = (one: MassChange, other: MassChange): MassChange => ({
  total: one.total + other.total,
  blocked_before: one.blocked_before + other.blocked_before,
  blocked_since: one.blocked_since + other.blocked_since,
  blocked: one.blocked + other.blocked,
  blocked_now: one.blocked_now + other.blocked_now,
  freed: one.freed + other.freed,
  freed_since: one.freed_since + other.freed_since,
  freed_now: one.freed_now + other.freed_now,
});

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
 * Tells what of these rows is more likely due to a broken or poisoned list than true, compared with seven days ago or with
 * the last result that a person has accepted: all of them by the actor's portfolio, or, of a check over several users' domains,
 * those of each for whose portfolio they are.
 */
async function doubtsOf(
  actor: Actor,
  rows: Row[],
  list_version: string,
): Promise<{ mass: Mass | null; apart: Apart[] }> {
  const changes = await listChanges(actor, rows, measuredSince());
  const isBack = isRestored(config().blocklistDir, list_version);
  const mass = massOf(changes.reduce(sumOf, NO_CHANGE), isBack);
  if (mass) return { mass, apart: [] };
  const found = new Map(changes.map((change) => [change.holder, massOf(change, isBack)]));
  const holders = [...found].flatMap(([holder, doubt]) => (doubt ? [holder] : []));
  if (holders.length === 0) return { mass: null, apart: [] };
  const theirs = await listHoldersOf(
    rows.map(({ id }) => id),
    holders,
  );
  const apart = holders.map((holder) => ({
    holder,
    list_version,
    ids: theirs.filter((domain) => domain.holder === holder).map(({ id }) => id),
  }));
  const [first] = apart;
  // There is nothing else in this check.
  if (first?.ids.length === rows.length) return { mass: found.get(first.holder) ?? null, apart: [] };
  return { mass: null, apart };
}

/** Stores a result, but for what of it is held for a person; null: another list is the current one by now. */
async function takeOver(operation: OperationRow, rows: Row[], list: LoadedBlocklist): Promise<TakenOver | null> {
  const actor = await actorOf(operation.user_id);
  const { accept } = requestOf(operation);
  // A person accepts the result of one list version; that of a newer list is measured again.
  const isAccepted = accept === true || accept === list.list_version;
  return transaction(async () => {
    // Prevents verdicts of a replaced list. An exchange after this read asks for a check of its own, which waits for this transaction.
    if (currentVersion(config().blocklistDir) !== list.list_version) return null;
    const { mass, apart } = isAccepted ? { mass: null, apart: [] } : await doubtsOf(actor, rows, list.list_version);
    if (mass) return { held: { ...mass, list_version: list.list_version }, apart };
    const held = new Set(apart.flatMap(({ ids }) => ids));
    await storeVerdicts(
      rows.filter(({ id }) => !held.has(id)),
      list,
    );
    if (held.size === 0) await noteVerdictsStored(operation.id);
    // The next results for these domains are measured against the accepted one.
    if (isAccepted) await deleteBaselines(rows.map(({ id }) => id));
    return { held: null, apart };
  });
}

/**
 * Clears earlier held results, so that a person is asked once: a held result replaces an earlier one for the same
 * domains, a stored one every earlier one that it includes, unless it has left domains of that one as they were (`apart`).
 */
async function dropHeldBefore({ id }: OperationRow, { held: result, apart }: TakenOver): Promise<void> {
  const scope = await findCheckScope(id);
  if (!scope) return;
  const left = new Set(apart.flatMap(({ ids }) => ids));
  const ids: number[] = [];
  for (const other of await listHeldChecks()) {
    if (other.id >= id || !includesCheck(scope, other)) continue;
    const isSame = includesCheck(other, scope);
    const replaces = isSame || (result === null && (left.size === 0 || !(await covers(other.id, left))));
    if (replaces) ids.push(other.id);
  }
  if (ids.length > 0) await transaction(() => clearHeld(ids));
}

/** Whether a check is of one of these domains. */
const covers = async (id: number, domains: ReadonlySet<number>): Promise<boolean> =>
  (await targets(await operationRow(id), 'last_block_check_at')).some((domain) => domains.has(domain.id));

/**
 * The step of a check that looks every name up in the list, and holds a result that changes too much at once. `apart` is left as it was:
 * each part of it is for a check of its own. Where the list is exchanged meanwhile, the names are looked up in the new one.
 */
export async function runBlocklist(context: StepContext): Promise<StepOutcome & { apart?: Apart[] }> {
  const { operation, advance } = context;
  const all = await targets(operation, 'last_block_check_at');
  for (;;) {
    const { list, rows } = await lookUp(context, all);
    // Without a usable list the stored verdicts stay: unknown is not free.
    if (rows === null || list.state !== 'fresh') {
      // An empty portfolio needs none.
      if (all.length === 0) return {};
      advance(all.length, all.length);
      const state = list.state === 'fresh' ? 'damaged' : list.state;
      return { error: { key: `check.list_${state}` } };
    }
    const taken = await takeOver(operation, rows, list);
    if (!taken) continue;
    advance(all.length);
    await dropHeldBefore(operation, taken);
    if (taken.held) return { held: taken.held };
    stored();
    return { apart: taken.apart };
  }
}

/** Looks domains up in the current list, and keeps what is found for the answer of the operation; `rows` is null where it gives no verdicts. */
async function lookUp(
  { operation, item }: StepContext,
  all: readonly Target[],
): Promise<{ list: BlocklistStatus; rows: Row[] | null }> {
  const { list, verdicts } = await lookUpHosts(
    config().blocklistDir,
    all.map(({ domain_name }) => domain_name),
  );
  const found = all.map(({ domain_name }, index) => ({ domain: domain_name, ...(verdicts?.[index] ?? UNKNOWN) }));
  for (const one of found) item(one);
  await keepFound(operation.id, found);
  if (verdicts === null) return { list, rows: null };
  const rows = all.flatMap(({ id }, index): Row[] => {
    const verdict = verdicts[index];
    if (!verdict || verdict.status === 'unknown') return [];
    return [{ id, status: verdict.status === 'blocked' ? 'blocked' : 'available', entry: verdict.entry }];
  });
  return { list, rows };
}
