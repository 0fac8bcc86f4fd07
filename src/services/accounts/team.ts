import { transaction } from '../../../db/index.ts';
import { deleteRow, findRow, updateRow } from '../../../db/rows.ts';
import { seal, unseal, type Place } from '../../lib/secret.ts';
import { AppError, notFound, noSuch } from '../../shared/errors.ts';
import type { Table } from '../../shared/table.ts';
import { secretColumns, TABLES } from '../../shared/tables.ts';
import { textOf } from '../../shared/accounts/kind.ts';
import { kindIn, type AccountTable } from '../../shared/accounts/kinds.ts';
import { MASK } from '../../shared/accounts/secrets.ts';
import { isAdmin, type Actor } from '../access/scope.ts';
import { listGroupNames } from './rows.ts';
import {
  clearDomainUses,
  countDomainsUsing,
  findNamedRows,
  listDomainsUsing,
  listNamesBoughtAt,
  listProjectsUsing,
  listOperationsUsing,
} from './team-rows.ts';

/** Tables whose rows are the team's: everybody lists and uses them, their creator and admins edit them. */
export type TeamTable = AccountTable | 'cloudflare_groups' | 'templates';

interface TeamRow {
  id: number;
  user_id: number | null;
  name: string;
}

/** Whether secrets may go out in clear to users with a right to them: not where others can read along. */
export type SecretsShown = 'clear' | 'masked';

function tableOf(name: TeamTable): Table {
  const table = TABLES.get(name);
  if (!table) throw new Error(`The table ${name} is not declared`);
  return table;
}

function secretColumnOf(name: AccountTable): string {
  const secret = secretColumns().find(({ table }) => table === name);
  if (!secret) throw new Error(`The table ${name} has no secret column`);
  return secret.column;
}

const NAMED_USES = 5;

/** Whether an actor may edit and delete a row, and see its secret. */
export const canEdit = (actor: Actor, { user_id }: Pick<TeamRow, 'user_id'>): boolean =>
  isAdmin(actor) || (user_id !== null && user_id === actor.id);

/** Returns a row of the team's, for any user. Throws AppError `not_found`. */
export async function findTeamRow<Row extends TeamRow>(table: TeamTable, id: number): Promise<Row> {
  const row = await findRow(tableOf(table), id);
  if (!row) throw notFound();
  return row as unknown as Row;
}

function noSuchRow(table: TeamTable, what: string): AppError {
  const kind = kindIn(table);
  return kind
    ? new AppError('not_found', textOf(kind, 'no_such'), { what })
    : noSuch(table as Exclude<TeamTable, AccountTable>, what);
}

/**
 * Returns a row by id or by name, as the command line takes it. Throws AppError `not_found`, and `refused` where
 * several have the name.
 */
export async function teamRowNamed(table: TeamTable, text: string): Promise<TeamRow> {
  const id = /^\d{1,15}$/.test(text) ? Number(text) : null;
  const rows = await findNamedRows(tableOf(table), text, id);
  const [row] = rows;
  if (!row) throw noSuchRow(table, text);
  if (rows.length > 1 && String(row.id) !== text) {
    throw new AppError('refused', 'team.many', { name: text, ids: rows.map(({ id }) => id).join(', ') });
  }
  return row;
}

/** Returns a row that the actor may edit. Throws AppError `not_found`, or `forbidden` for one of somebody else's. */
export async function findOwnTeamRow<Row extends TeamRow>(actor: Actor, table: TeamTable, id: number): Promise<Row> {
  const row = await findTeamRow<Row>(table, id);
  if (!canEdit(actor, row)) throw new AppError('forbidden', 'team.forbidden');
  return row;
}

/** Returns a new secret; undefined where the mask or nothing was sent: the stored one stays. */
export const newSecret = (text: string | undefined): string | undefined => (text === MASK ? undefined : text);

/** Returns the secret for a new row. Throws AppError `invalid` for the mask: nothing is stored yet. */
export function requireSecret(field: string, text: string): string {
  if (text !== MASK) return text;
  throw new AppError('invalid', 'error.invalid', { fields: field }, { fields: { [field]: 'team.mask_of_nothing' } });
}

/** Returns the place that a row's secret is sealed for. */
const cellOf = (table: AccountTable, id: number): Place => `${table}.${secretColumnOf(table)}:${id}`;

/** Seals a secret into its row. Only inside a transaction. */
export const storeSecret = (table: AccountTable, id: number, text: string): Promise<void> =>
  updateRow(tableOf(table), id, { [secretColumnOf(table)]: seal(cellOf(table, id), text) });

/** Returns the secret of a row in clear, for use. Throws AppError `not_configured` where it can't be read. */
export const readSecret = (table: AccountTable, id: number, sealed: string): string =>
  unseal(cellOf(table, id), sealed);

/** Returns the secret as the actor may see it: in clear, or the mask. A secret that can't be read is masked, too. */
export function shownSecret(
  actor: Actor,
  shown: SecretsShown,
  table: AccountTable,
  row: TeamRow,
  sealed: string,
): string {
  if (shown === 'masked' || !canEdit(actor, row)) return MASK;
  try {
    return readSecret(table, row.id, sealed);
  } catch (error) {
    if (error instanceof AppError && error.code === 'secret_unreadable') return MASK;
    throw error;
  }
}

/** The uses of a row: the names that the caller may see, and the number of all. Those of other users are only counted. */
interface Uses {
  names: readonly string[];
  total: number;
}

const whole = (names: readonly string[]): Uses => ({ names, total: names.length });

function named({ names, total }: Uses): string {
  const shown = names.slice(0, NAMED_USES);
  return [...shown, ...(total > shown.length ? [`+${total - shown.length}`] : [])].join(', ');
}

async function domainsUsing(actor: Actor, table: Table, id: number): Promise<Uses> {
  const total = await countDomainsUsing(table, id);
  return total === 0 ? whole([]) : { names: await listDomainsUsing(actor, table, id, NAMED_USES), total };
}

/** Returns the operations (`#id`) that still work on an account or a server, or will write its id. */
async function operationsUsing(table: TeamTable, id: number): Promise<Uses> {
  const operations = await listOperationsUsing(table, id);
  return whole(operations.map((operation) => `#${operation}`));
}

/** Throws what `deleteTeamRow` would throw, and deletes nothing. */
export async function checkDeletable(actor: Actor, table: TeamTable, id: number): Promise<void> {
  await refuseUsed(actor, table, await findOwnTeamRow<TeamRow>(actor, table, id));
}

async function refuseUsed(actor: Actor, table: TeamTable, { id, name }: TeamRow): Promise<void> {
  const all: Uses[] = [
    await domainsUsing(actor, tableOf(table), id),
    whole(kindIn(table)?.inGroups ? await listGroupNames(id) : []),
    await listProjectsUsing(actor, tableOf(table), id),
    table === 'registrars' ? await listNamesBoughtAt(actor, id) : whole([]),
  ];
  const used = all.filter(({ total }) => total > 0);
  const operations = await operationsUsing(table, id);
  if (operations.total > 0) throw usedByOperations(name, used, operations);
  if (used.length === 0) return;
  if (used.every(({ names }) => names.length === 0)) {
    const n = used.reduce((sum, { total }) => sum + total, 0);
    throw new AppError('conflict', 'team.in_use_by_others', { name, n }, { code: 'in_use' });
  }
  throw new AppError('conflict', 'team.in_use', { name, uses: used.map(named).join('; ') }, { code: 'in_use' });
}

function usedByOperations(name: string, used: readonly Uses[], operations: Uses): AppError {
  const n = operations.total;
  if (used.length === 0) {
    return new AppError('conflict', 'team.in_operations', { name, n, uses: named(operations) }, { code: 'in_use' });
  }
  const params = { name, n, uses: used.map(named).join('; '), operations: named(operations) };
  return new AppError('conflict', 'team.in_use_and_operations', params, { code: 'in_use' });
}

/**
 * Deletes a row and returns it. Throws AppError `not_found`, `forbidden`, and `conflict` naming what still uses it.
 * Deleted domains that can still be restored lose the reference.
 */
export async function deleteTeamRow(actor: Actor, table: TeamTable, id: number): Promise<TeamRow> {
  return transaction(async () => {
    const row = await findOwnTeamRow<TeamRow>(actor, table, id);
    await refuseUsed(actor, table, row);
    await clearDomainUses(tableOf(table), id);
    await deleteRow(tableOf(table), id);
    return row;
  });
}
