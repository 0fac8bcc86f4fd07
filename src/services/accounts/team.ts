import { execute, select, transaction } from '../../../db/index.ts';
import { seal, unseal } from '../../lib/secret.ts';
import { AppError, notFound, noSuch } from '../../shared/errors.ts';
import { renderMessage, type Language, type Message } from '../../shared/i18n/index.ts';
import { MASK } from '../../shared/accounts/secrets.ts';
import { bindings, isAdmin, VISIBLE, type Actor } from '../access/scope.ts';

/** Tables whose rows are the team's: everybody lists and uses them, their creator and admins edit them. */
export type TeamTable = 'cloudflare_accounts' | 'cloudflare_groups' | 'servers' | 'templates';

interface TeamRow {
  id: number;
  user_id: number | null;
  name: string;
}

/** Whether secrets may go out in clear to users with a right to them: not where others can read along. */
export type SecretsShown = 'clear' | 'masked';

/** Whether a row's secret may be shown in clear, and the language of its last error. */
export interface Showing {
  shown: SecretsShown;
  language: Language;
}

/** Returns the text of a row's last error, which is stored as a Message in JSON; null: there is none. */
export function inWords(stored: string | null, language: Language): string | null {
  if (stored === null) return null;
  return renderMessage(language, JSON.parse(stored) as Message);
}

interface Cell {
  table: 'cloudflare_accounts' | 'servers';
  column: 'api_key' | 'ssh_password';
}

/** The cells that secrets of the team's rows are sealed for. */
export const API_KEY: Cell = { table: 'cloudflare_accounts', column: 'api_key' };
export const SSH_PASSWORD: Cell = { table: 'servers', column: 'ssh_password' };

const DOMAIN_FIELDS: Partial<Record<TeamTable, string>> = {
  cloudflare_accounts: 'cloudflare_account_id',
  servers: 'server_id',
  templates: 'template_id',
};

// Whether a domain uses a row. A site uses the template that it was made of, whatever its domain names since.
const usesIt = (field: string): string =>
  field === 'template_id'
    ? '(d.template_id = $id OR EXISTS (SELECT 1 FROM sites s WHERE s.domain_id = d.id AND s.template_id = $id))'
    : `d.${field} = $id`;

const NAMED_USES = 5;

/** Whether an actor may edit and delete a row, and see its secret. */
export const canEdit = (actor: Actor, { user_id }: Pick<TeamRow, 'user_id'>): boolean =>
  isAdmin(actor) || (user_id !== null && user_id === actor.id);

/** Returns a row of the team's, for any user. Throws AppError `not_found`. */
export async function findTeamRow<Row extends TeamRow>(table: TeamTable, id: number): Promise<Row> {
  const [row] = await select<Row>(`SELECT * FROM ${table} WHERE id = $id`, { id });
  if (!row) throw notFound();
  return row;
}

/**
 * Returns a row by id or by name, as the command line takes it. Throws AppError `not_found`, and `refused` where
 * several have the name.
 */
export async function teamRowNamed(table: TeamTable, text: string): Promise<TeamRow> {
  const rows = await select<TeamRow>(
    `SELECT * FROM ${table} WHERE name = $text COLLATE NOCASE OR id = $text ORDER BY id = $text DESC`,
    { text },
  );
  const [row] = rows;
  if (!row) throw noSuch(table, text);
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

/** Seals a secret into its cell. Only inside a transaction. */
export async function storeSecret({ table, column }: Cell, id: number, text: string): Promise<void> {
  await execute(`UPDATE ${table} SET ${column} = $sealed WHERE id = $id`, {
    id,
    sealed: seal(`${table}.${column}:${id}`, text),
  });
}

/** Returns the secret of a row in clear, for use. Throws AppError `not_configured` where it can't be read. */
export const readSecret = ({ table, column }: Cell, id: number, sealed: string): string =>
  unseal(`${table}.${column}:${id}`, sealed);

/** Returns the secret as the actor may see it: in clear, or the mask. A secret that can't be read is masked, too. */
export function shownSecret(actor: Actor, shown: SecretsShown, cell: Cell, row: TeamRow, sealed: string): string {
  if (shown === 'masked' || !canEdit(actor, row)) return MASK;
  try {
    return readSecret(cell, row.id, sealed);
  } catch (error) {
    if (error instanceof AppError && error.code === 'secret_unreadable') return MASK;
    throw error;
  }
}

async function domainsUsing(actor: Actor, field: string, id: number): Promise<string[]> {
  const [count] = await select<{ total: number }>(
    `SELECT COUNT(*) AS total FROM domains d WHERE ${usesIt(field)} AND d.deleted_at IS NULL`,
    { id },
  );
  const total = count?.total ?? 0;
  if (total === 0) return [];
  // Another user's domains are counted, but the caller must not see their names.
  const named = await select<{ name: string }>(
    `SELECT d.domain_name AS name FROM domains d LEFT JOIN projects p ON p.id = d.project_id
     WHERE ${usesIt(field)} AND ${VISIBLE.domains(actor)} ORDER BY d.domain_name LIMIT ${NAMED_USES}`,
    { id, ...bindings(actor) },
  );
  const more = total - named.length;
  return [...named.map(({ name }) => name), ...(more > 0 ? [`+${more}`] : [])];
}

const groupsUsing = async (id: number): Promise<string[]> =>
  (
    await select<{ name: string }>(
      `SELECT g.name FROM cloudflare_group_accounts m JOIN cloudflare_groups g ON g.id = m.cloudflare_group_id
       WHERE m.cloudflare_account_id = $id ORDER BY g.name COLLATE NOCASE`,
      { id },
    )
  ).map(({ name }) => name);

// `lane`: the lane of work on a row, as `laneKeyOf` in zones.ts and `serverLaneKey` in servers.ts name it; `fields`: where
// the data of items in other lanes names the row.
const WORK: Partial<Record<TeamTable, { lane: string; fields: string[] }>> = {
  cloudflare_accounts: { lane: 'cloudflare', fields: ['account_id', 'source_account', 'target_account'] },
  servers: { lane: 'ssh', fields: ['server_id'] },
};

/** Returns the operations (`#id`) that still work on an account or a server, or will write its id. */
async function operationsUsing(table: TeamTable, id: number): Promise<string[]> {
  const work = WORK[table];
  if (!work) return [];
  const rows = await select<{ id: number }>(
    `SELECT DISTINCT o.id FROM operations o JOIN operation_items i ON i.operation_id = o.id
     WHERE o.state IN ('queued', 'running')
       AND (i.lane = $lane OR EXISTS (SELECT 1 FROM json_each($fields) f WHERE i.data ->> f.value = $id)) ORDER BY o.id`,
    { id, lane: `${work.lane}:${id}`, fields: JSON.stringify(work.fields) },
  );
  return rows.map((operation) => `#${operation.id}`);
}

/** Throws what `deleteTeamRow` would throw, and deletes nothing. */
export async function checkDeletable(actor: Actor, table: TeamTable, id: number): Promise<void> {
  await refuseUsed(actor, table, await findOwnTeamRow<TeamRow>(actor, table, id));
}

async function refuseUsed(actor: Actor, table: TeamTable, { id, name }: TeamRow): Promise<void> {
  const field = DOMAIN_FIELDS[table];
  const domains = field === undefined ? [] : await domainsUsing(actor, field, id);
  const groups = table === 'cloudflare_accounts' ? await groupsUsing(id) : [];
  const operations = await operationsUsing(table, id);
  const uses = [domains, groups, operations]
    .filter((names) => names.length > 0)
    .map((names) => names.join(', '))
    .join('; ');
  if (uses === '') return;
  throw new AppError('conflict', 'team.in_use', { name, uses }, { code: 'in_use' });
}

/**
 * Deletes a row and returns it. Throws AppError `not_found`, `forbidden`, and `conflict` naming what still uses it.
 * Deleted domains that can still be restored lose the reference.
 */
export async function deleteTeamRow(actor: Actor, table: TeamTable, id: number): Promise<TeamRow> {
  return transaction(async () => {
    const row = await findOwnTeamRow<TeamRow>(actor, table, id);
    await refuseUsed(actor, table, row);
    const field = DOMAIN_FIELDS[table];
    if (field !== undefined) await execute(`UPDATE domains SET ${field} = NULL WHERE ${field} = $id`, { id });
    if (table === 'templates') await execute('DELETE FROM sites WHERE template_id = $id', { id });
    await execute(`DELETE FROM ${table} WHERE id = $id`, { id });
    return row;
  });
}
