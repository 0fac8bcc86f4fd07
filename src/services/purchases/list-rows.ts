import { select } from '../../../db/index.ts';
import type { PurchaseSelection } from '../../shared/purchases/purchases.ts';
import type { PurchaseRow } from '../../shared/purchases/tables.ts';
import { bindings, OWN, type Actor } from '../access/scope.ts';

/** A purchase with the names of what it refers to. */
export interface ListedPurchase extends PurchaseRow {
  registrar_name: string | null;
  project_name: string | null;
  user_login: string | null;
  asker_login: string | null;
  approver_login: string | null;
  resolver_login: string | null;
}

const from = (actor: Actor, { state, project, search }: PurchaseSelection): string =>
  `FROM purchases x LEFT JOIN projects p ON p.id = x.project_id LEFT JOIN registrars r ON r.id = x.registrar_id
   WHERE ${OWN.purchases(actor)} ${state ? 'AND x.state = $state' : ''} ${project ? 'AND x.project_id = $project' : ''}
     ${search ? 'AND instr(x.domain_name, $search) > 0' : ''}`;

const bind = (actor: Actor, { state, project, search }: PurchaseSelection) => ({
  ...bindings(actor),
  ...(state && { state }),
  ...(project && { project }),
  ...(search && { search: search.toLowerCase() }),
});

const loginOf = (column: string): string => `(SELECT login FROM users WHERE id = x.${column})`;

const COLUMNS = `x.*, r.name AS registrar_name, p.name AS project_name, ${loginOf('user_id')} AS user_login,
  ${loginOf('asker_id')} AS asker_login, ${loginOf('approver_id')} AS approver_login,
  ${loginOf('resolver_id')} AS resolver_login`;

/** Returns a part of the ledger that an actor may see, the newest first. */
export const listPurchaseRows = (actor: Actor, selection: PurchaseSelection): Promise<ListedPurchase[]> =>
  select(`SELECT ${COLUMNS} ${from(actor, selection)} ORDER BY x.id DESC LIMIT $limit OFFSET $offset`, {
    ...bind(actor, selection),
    limit: selection.limit ?? 1_000_000,
    offset: selection.offset ?? 0,
  });

/** Returns the purchases that an actor may see and on which a person has to decide, as `needsPerson` tells, the newest first. */
export const listUndecidedRows = (actor: Actor): Promise<ListedPurchase[]> =>
  select(
    `SELECT ${COLUMNS} ${from(actor, {})} AND (x.state = 'awaiting_approval' OR (x.state IN ('unknown', 'pending') AND x.look_at IS NULL)
       OR (x.state = 'committed' AND x.charged IS NULL AND x.resolved_at IS NULL)) ORDER BY x.id DESC`,
    bindings(actor),
  );

/** Counts what of the ledger an actor may see. */
export async function countPurchases(actor: Actor, selection: PurchaseSelection): Promise<number> {
  const [row] = await select<{ n: number }>(`SELECT COUNT(*) AS n ${from(actor, selection)}`, bind(actor, selection));
  return row?.n ?? 0;
}

/** Returns a purchase that an actor may see; undefined: there is none. */
export async function findVisiblePurchase(actor: Actor, id: number): Promise<ListedPurchase | undefined> {
  const [row] = await select<ListedPurchase>(`SELECT ${COLUMNS} ${from(actor, {})} AND x.id = $id`, {
    ...bindings(actor),
    id,
  });
  return row;
}
