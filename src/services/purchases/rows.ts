import { executeUnaudited, select } from '../../../db/index.ts';
import { LIVE_STATES, OPEN_STATES, type PurchaseKind } from '../../shared/purchases/purchases.ts';
import type { PurchaseState } from '../../shared/purchases/states.ts';
import type { PurchaseRow } from '../../shared/purchases/tables.ts';

const listed = (states: readonly PurchaseState[]): string => states.map((state) => `'${state}'`).join(', ');

/** Condition for purchases that hold their money and their name. */
const LIVE = `state IN (${listed(LIVE_STATES)})`;

/** Returns the condition that a purchase of the alias holds its money and its name. */
export const isLivePurchase = (alias: string): string => `${alias}.${LIVE}`;

/** Condition for purchases that count among the names of a day. */
const COUNTED = `state NOT IN ('released', 'simulated')`;

/** The columns of a new purchase; `insertPurchase` sets its times. */
export type NewPurchase = Pick<
  PurchaseRow,
  | 'kind'
  | 'domain_name'
  | 'state'
  | 'registrar_id'
  | 'registrar_type'
  | 'project_id'
  | 'user_id'
  | 'asker_id'
  | 'asked_by'
  | 'operation_id'
  | 'years'
  | 'currency'
  | 'price'
  | 'cap'
  | 'periods'
  | 'day'
  | 'reference'
  | 'expires_before'
>;

/** Inserts a purchase and returns it. */
export async function insertPurchase(values: NewPurchase): Promise<PurchaseRow> {
  const now = new Date().toISOString();
  const names = Object.keys(values) as (keyof NewPurchase)[];
  const [row] = await select<PurchaseRow>(
    `INSERT INTO purchases (${names.join(', ')}, looks, evidence, created_at, changed_at)
     VALUES (${names.map((name) => `$${name}`).join(', ')}, 0, '[]', $now, $now) RETURNING *`,
    { ...values, now },
  );
  return row!;
}

/** Writes columns of a purchase and returns it. */
export async function updatePurchase(id: number, change: Partial<PurchaseRow>): Promise<PurchaseRow> {
  const sets = Object.keys(change).map((name) => `${name} = $${name}`);
  const [row] = await select<PurchaseRow>(
    `UPDATE purchases SET ${[...sets, 'changed_at = $now'].join(', ')} WHERE id = $id RETURNING *`,
    { ...change, id, now: new Date().toISOString() },
  );
  return row!;
}

/** Returns a purchase; undefined: there is none. */
export async function findPurchaseRow(id: number): Promise<PurchaseRow | undefined> {
  const [row] = await select<PurchaseRow>('SELECT * FROM purchases WHERE id = $id', { id });
  return row;
}

/** Returns the last purchase of a name that an operation has asked for; undefined: there is none. */
export async function findPurchaseOf(
  operation: number,
  kind: PurchaseKind,
  domain_name: string,
): Promise<PurchaseRow | undefined> {
  const [row] = await select<PurchaseRow>(
    `SELECT * FROM purchases WHERE operation_id = $operation AND kind = $kind AND domain_name = $domain_name
     ORDER BY id DESC LIMIT 1`,
    { operation, kind, domain_name },
  );
  return row;
}

/** Whether somebody has asked for another try of a purchase's operation since the purchase was last changed. */
export const isTriedAgain = async ({
  operation_id,
  changed_at,
}: Pick<PurchaseRow, 'operation_id' | 'changed_at'>): Promise<boolean> =>
  (
    await select(
      `SELECT 1 FROM audit WHERE object = 'operations' AND object_id = $operation_id AND action = 'retry' AND at >= $changed_at LIMIT 1`,
      { operation_id, changed_at },
    )
  ).length > 0;

/**
 * Returns a purchase that has the name: one that holds it; for a registration, one that has bought it; for a renewal, one that has paid for the
 * same date, which the registrar may still show.
 */
export async function findHolderOf({
  kind,
  domain_name,
  expires_before,
}: Pick<PurchaseRow, 'kind' | 'domain_name' | 'expires_before'>): Promise<PurchaseRow | undefined> {
  const [row] = await select<PurchaseRow>(
    `SELECT * FROM purchases
     WHERE domain_name = $domain_name
       AND (${LIVE} OR (state = 'committed' AND kind = $kind AND COALESCE(expires_before, '') = $date))
     ORDER BY id DESC LIMIT 1`,
    { domain_name, kind, date: expires_before ?? '' },
  );
  return row;
}

/** Counts the names of a day, of one project or of all. */
export async function countNames(day: string, project: number | null): Promise<number> {
  const [row] = await select<{ n: number }>(
    `SELECT COUNT(*) AS n FROM purchases
     WHERE day = $day AND kind = 'register' AND ${COUNTED} AND ($project IS NULL OR project_id = $project)`,
    { day, project },
  );
  return row?.n ?? 0;
}

/** Returns when the last purchase was asked for that began by itself and still counts; null: there is none. */
export async function findLastAutomatic(): Promise<string | null> {
  const [row] = await select<{ at: string | null }>(
    `SELECT max(created_at) AS at FROM purchases WHERE kind = 'register' AND asked_by = 'automation' AND ${COUNTED}`,
  );
  return row?.at ?? null;
}

/**
 * Whether another order of the same type of registrar may have been charged since a purchase was asked for: it was changed since, or its end is open.
 */
export async function hasOrdersBeside({
  id,
  registrar_type,
  created_at,
}: Pick<PurchaseRow, 'id' | 'registrar_type' | 'created_at'>): Promise<boolean> {
  const rows = await select(
    `SELECT 1 FROM purchases WHERE id <> $id AND registrar_type = $registrar_type AND sent_at IS NOT NULL
       AND (changed_at >= $created_at OR state IN ('sending', ${listed(OPEN_STATES)})) LIMIT 1`,
    { id, registrar_type, created_at },
  );
  return rows.length > 0;
}

/** Returns the ids of purchases whose look-up is due, those that were sent first before the others. */
export const listDue = (now: string, limit: number): Promise<{ id: number }[]> =>
  select(
    `SELECT id FROM purchases WHERE state IN (${listed(OPEN_STATES)}) AND look_at <= $now ORDER BY look_at, id LIMIT $limit`,
    { now, limit },
  );

const LEFT = `FROM purchases p LEFT JOIN operations o ON o.id = p.operation_id
  WHERE p.state IN ('awaiting_approval', 'reserved', 'sending') AND p.changed_at < $before
    AND (o.id IS NULL OR o.state NOT IN ('queued', 'running'))`;

/** Returns the ids of purchases that were last changed before a time and have no operation, or one that has ended, before their order was answered. */
export const listLeft = (before: string): Promise<{ id: number }[]> =>
  select(`SELECT p.id ${LEFT} ORDER BY p.id`, { before });

/** Whether a purchase is among those of `listLeft`. */
export const isLeft = async (id: number, before: string): Promise<boolean> =>
  (await select(`SELECT 1 ${LEFT} AND p.id = $id`, { id, before })).length > 0;

/** Takes the next look-up of a purchase over: 0, if another process has. */
export const claimLook = (id: number, looks: number, look_at: string | null): Promise<number> =>
  executeUnaudited(
    'purchase_look',
    `UPDATE purchases SET looks = looks + 1, look_at = $look_at
     WHERE id = $id AND looks = $looks AND state IN (${listed(OPEN_STATES)})`,
    { id, looks, look_at },
  );

/** Stores what a look-up has seen that proved nothing. */
export const updateLook = (id: number, { absent_at, evidence }: Pick<PurchaseRow, 'absent_at' | 'evidence'>) =>
  executeUnaudited(
    'purchase_look',
    `UPDATE purchases SET absent_at = $absent_at, evidence = $evidence
     WHERE id = $id AND state IN (${listed(OPEN_STATES)})`,
    { id, absent_at, evidence },
  );
