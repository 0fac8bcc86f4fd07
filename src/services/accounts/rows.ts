import { execute, executeUnaudited, select } from '../../../db/index.ts';
import { byName } from '../../shared/lists.ts';
import { fieldsOf } from '../../shared/accounts/kind.ts';
import type { Money } from '../../providers/provider.ts';
import type { Kind } from '../../shared/accounts/kinds.ts';
import type { CloudflareAccountRow, CloudflareGroupRow, ServerRow } from '../../shared/accounts/tables.ts';
import { referencesTo } from '../../shared/tables.ts';

type Stored = string | number | null;

/** The row of an account of any kind. */
export type AccountRow = { id: number; user_id: number | null; name: string } & Record<string, Stored>;

/** An account with the number of its domains; `groups` (`{id, name}` as JSON, by name) where it can be in groups. */
export type ListedAccountRow = AccountRow & { domains: number };

const GROUPS = `(SELECT COALESCE(json_group_array(json_object('id', g.id, 'name', g.name)), '[]')
  FROM cloudflare_group_accounts m JOIN cloudflare_groups g ON g.id = m.cloudflare_group_id WHERE m.cloudflare_account_id = a.id)`;

/** Puts rows of `{id, name}` as JSON in the order of names. */
const inOrder = (named: string): string =>
  JSON.stringify((JSON.parse(named) as { id: number; name: string }[]).toSorted(byName));

/** Returns the accounts of a kind, or the one with an id, by name. Counts the domains of all of them in one pass: no index has their columns. */
export async function listAccountRows(kind: Kind, id?: number): Promise<ListedAccountRow[]> {
  const [of, bind] = id === undefined ? [() => '', {}] : [(column: string) => `AND ${column} = $id`, { id }];
  const use = referencesTo(kind.table.name).find(({ table }) => table === 'domains')?.column;
  const counted = use
    ? `LEFT JOIN (SELECT d.${use} AS id, COUNT(*) AS domains FROM domains d
         WHERE d.deleted_at IS NULL AND d.${use} IS NOT NULL ${of(`d.${use}`)} GROUP BY d.${use}) u ON u.id = a.id`
    : '';
  const rows = await select<ListedAccountRow>(
    `SELECT a.*, ${use ? 'COALESCE(u.domains, 0)' : '0'} AS domains${kind.inGroups ? `, ${GROUPS} AS groups` : ''}
     FROM ${kind.table.name} a ${counted} WHERE true ${of('a.id')}`,
    bind,
  );
  const ordered = rows.map((row) =>
    typeof row['groups'] === 'string' ? Object.assign(row, { groups: inOrder(row['groups']) }) : row,
  );
  return ordered.toSorted(byName);
}

/** Stores columns with the test of an account, and returns 1; 0 where a field of its login, or one `also` named, has changed since `before`. */
export async function setAccountTest(
  kind: Kind,
  before: AccountRow,
  columns: Readonly<Record<string, Stored>>,
  also: readonly string[] = [],
): Promise<number> {
  const fields = [...fieldsOf(kind).map(([name]) => name), ...also];
  const sets = Object.keys(columns).map((name) => `${name} = $${name}`);
  const same = fields.map((name) => ` AND ${name} IS NOT DISTINCT FROM $before_${name}`);
  const sql = `UPDATE ${kind.table.name} SET ${sets.join(', ')} WHERE id = $id${same.join('')}`;
  return executeUnaudited('login_test', sql, {
    ...columns,
    ...Object.fromEntries(fields.map((name) => [`before_${name}`, before[name] ?? null])),
    id: before.id,
  });
}

/** Sets what a registrar's account has left. */
export const setBalance = (id: number, { amount, currency }: Money): Promise<number> =>
  executeUnaudited(
    'login_test',
    'UPDATE registrars SET balance = $amount, balance_currency = $currency WHERE id = $id',
    {
      id,
      amount,
      currency,
    },
  );

/** A group of CDN accounts with its accounts (`{id, name}` as JSON, by name). */
type ListedGroupRow = CloudflareGroupRow & { accounts: string };

/** Returns the groups, or the one with an id, by name. */
export async function listGroupRows(id?: number): Promise<ListedGroupRow[]> {
  const rows = await select<ListedGroupRow>(
    `SELECT g.*,
       (SELECT COALESCE(json_group_array(json_object('id', c.id, 'name', c.name)), '[]')
        FROM cloudflare_group_accounts m JOIN cloudflare_accounts c ON c.id = m.cloudflare_account_id
        WHERE m.cloudflare_group_id = g.id) AS accounts
     FROM cloudflare_groups g WHERE ${id === undefined ? '1 = 1' : 'g.id = $id'}`,
    id === undefined ? {} : { id },
  );
  return rows.map((row) => Object.assign(row, { accounts: inOrder(row.accounts) })).toSorted(byName);
}

/** A server with what tells its host. */
export type ServerHost = Pick<ServerRow, 'id' | 'name' | 'ssh_host' | 'ssh_user' | 'host_key'>;

/** Returns every server, by id. */
export const listServerHosts = (): Promise<ServerHost[]> =>
  select('SELECT id, name, ssh_host, ssh_user, host_key FROM servers ORDER BY id');

/** Counts a zone that was created, and sets the account's name servers to those of the zone. */
export async function countNewZone(id: number, names: Pick<CloudflareAccountRow, 'ns_1' | 'ns_2'>): Promise<void> {
  await executeUnaudited(
    'login_test',
    'UPDATE cloudflare_accounts SET ns_1 = $ns_1, ns_2 = $ns_2, zones = COALESCE(zones, 0) + 1 WHERE id = $id',
    { id, ...names },
  );
}

/** Returns how many of the ids are those of CDN accounts. */
export async function countAccounts(ids: readonly number[]): Promise<number> {
  const rows = await select(
    'SELECT id FROM cloudflare_accounts WHERE id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids))',
    {
      ids: JSON.stringify(ids),
    },
  );
  return rows.length;
}

/** Replaces the accounts of a group. */
export async function setGroupAccounts(id: number, accounts: readonly number[]): Promise<void> {
  await execute('DELETE FROM cloudflare_group_accounts WHERE cloudflare_group_id = $id', { id });
  await execute(
    `INSERT INTO cloudflare_group_accounts (cloudflare_group_id, cloudflare_account_id)
     SELECT $id, CAST(value AS INTEGER) FROM json_each($ids)`,
    { id, ids: JSON.stringify(accounts) },
  );
}

/** Returns the names of the groups that an account is in. */
export async function listGroupNames(accountId: number): Promise<string[]> {
  const rows = await select<Pick<CloudflareGroupRow, 'id' | 'name'>>(
    `SELECT g.id, g.name FROM cloudflare_group_accounts m JOIN cloudflare_groups g ON g.id = m.cloudflare_group_id
     WHERE m.cloudflare_account_id = $accountId`,
    { accountId },
  );
  return rows.toSorted(byName).map(({ name }) => name);
}

/** Stores the host key of a server that has none. Returns 0 where it has one, or the host has changed, else 1. */
export const pinHostKey = ({ id, ssh_host }: Pick<ServerHost, 'id' | 'ssh_host'>, host_key: string): Promise<number> =>
  execute('UPDATE servers SET host_key = $host_key WHERE id = $id AND ssh_host = $ssh_host AND host_key IS NULL', {
    id,
    ssh_host,
    host_key,
  });

/** Stores a host key that differs from the pinned one. Returns 0 where the host has changed or no key is pinned, else 1. */
export const setOtherHostKey = (
  { id, ssh_host }: Pick<ServerHost, 'id' | 'ssh_host'>,
  seen: Pick<ServerRow, 'host_key_seen' | 'checked_at' | 'check_error'>,
): Promise<number> =>
  execute(
    `UPDATE servers SET host_key_seen = $host_key_seen, checked_at = $checked_at, check_error = $check_error
     WHERE id = $id AND ssh_host = $ssh_host AND host_key IS NOT NULL AND host_key <> $host_key_seen`,
    { id, ssh_host, ...seen },
  );

/** Returns the CDN accounts whose last test has failed, with why as a message in JSON. */
export const listFailedCdn = (): Promise<{ id: number; check_error: string }[]> =>
  select('SELECT id, check_error FROM cloudflare_accounts WHERE check_error IS NOT NULL');

type SearchTable = 'xmlriver_accounts' | 'arsenkin_accounts';

/** Returns the accounts at a source of positions by id, those whose last test has failed last. */
export const listUsable = (table: SearchTable): Promise<AccountRow[]> =>
  select(`SELECT * FROM ${table} ORDER BY CASE WHEN check_error IS NULL THEN 0 ELSE 1 END, id`);

/** Returns what is known of an account at a source of positions; undefined: it is gone. */
export async function findSearchKnown(
  table: SearchTable,
  id: number,
): Promise<Record<'check_error' | 'balance' | 'balance_currency', string | null> | undefined> {
  const sql = `SELECT check_error, balance, balance_currency FROM ${table} WHERE id = $id`;
  const [row] = await select<Record<'check_error' | 'balance' | 'balance_currency', string | null>>(sql, { id });
  return row;
}

/** Sets why an account at a source of positions can't be used. */
export async function setSearchError(table: SearchTable, id: number, check_error: string, now: string): Promise<void> {
  const sql = `UPDATE ${table} SET check_error = $check_error, checked_at = $now WHERE id = $id`;
  await executeUnaudited('login_test', sql, { id, check_error, now });
}

/** Sets what an account at a source of positions has left; it works, then. */
export async function setSearchBalance(
  table: SearchTable,
  id: number,
  { amount, currency }: Money,
  now: string,
): Promise<void> {
  const sql = `UPDATE ${table} SET balance = $amount, balance_currency = $currency, checked_at = $now WHERE id = $id`;
  await executeUnaudited('login_test', sql, { id, amount, currency, now });
}
