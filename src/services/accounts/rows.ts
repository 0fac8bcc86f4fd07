import { execute, select } from '../../../db/index.ts';
import type { CloudflareAccountRow, CloudflareGroupRow, ServerRow } from '../../shared/accounts/tables.ts';

/** A CDN account with the number of its domains, and its groups (`{id, name}` as JSON, by name). */
type ListedAccountRow = CloudflareAccountRow & { domains: number; groups: string };

/** Returns the CDN accounts, or the one with an id, by name. */
export const listAccountRows = (id?: number): Promise<ListedAccountRow[]> =>
  select(
    `SELECT c.*,
       (SELECT COUNT(*) FROM domains d WHERE d.cloudflare_account_id = c.id AND d.deleted_at IS NULL) AS domains,
       (SELECT COALESCE(json_group_array(json_object('id', id, 'name', name)), '[]') FROM (
          SELECT g.id, g.name FROM cloudflare_group_accounts m JOIN cloudflare_groups g ON g.id = m.cloudflare_group_id
          WHERE m.cloudflare_account_id = c.id ORDER BY g.name COLLATE NOCASE, g.id) AS named) AS groups
     FROM cloudflare_accounts c WHERE ${id === undefined ? '1 = 1' : 'c.id = $id'} ORDER BY c.name COLLATE NOCASE, c.id`,
    id === undefined ? {} : { id },
  );

/** A group of CDN accounts with its accounts (`{id, name}` as JSON, by name). */
type ListedGroupRow = CloudflareGroupRow & { accounts: string };

/** Returns the groups, or the one with an id, by name. */
export const listGroupRows = (id?: number): Promise<ListedGroupRow[]> =>
  select(
    `SELECT g.*,
       (SELECT COALESCE(json_group_array(json_object('id', id, 'name', name)), '[]') FROM (
          SELECT c.id, c.name FROM cloudflare_group_accounts m JOIN cloudflare_accounts c ON c.id = m.cloudflare_account_id
          WHERE m.cloudflare_group_id = g.id ORDER BY c.name COLLATE NOCASE, c.id) AS named) AS accounts
     FROM cloudflare_groups g WHERE ${id === undefined ? '1 = 1' : 'g.id = $id'} ORDER BY g.name COLLATE NOCASE, g.id`,
    id === undefined ? {} : { id },
  );

/** A server with the number of its domains. */
type ListedServerRow = ServerRow & { domains: number };

/** Returns the servers, or the one with an id, by name. */
export const listServerRows = (id?: number): Promise<ListedServerRow[]> =>
  select(
    `SELECT s.*, (SELECT COUNT(*) FROM domains d WHERE d.server_id = s.id AND d.deleted_at IS NULL) AS domains
     FROM servers s WHERE ${id === undefined ? '1 = 1' : 's.id = $id'} ORDER BY s.name COLLATE NOCASE, s.id`,
    id === undefined ? {} : { id },
  );

/** A server with what tells its host. */
export type ServerHost = Pick<ServerRow, 'id' | 'name' | 'ssh_host' | 'ssh_user' | 'host_key'>;

/** Returns every server, by id. */
export const listServerHosts = (): Promise<ServerHost[]> =>
  select('SELECT id, name, ssh_host, ssh_user, host_key FROM servers ORDER BY id');

type AccountLogin = Pick<CloudflareAccountRow, 'id' | 'email' | 'api_key'>;
type AccountTest = Pick<CloudflareAccountRow, 'checked_at' | 'check_error' | 'zones' | 'ns_1' | 'ns_2'> & {
  cf_accounts: string | null;
};

/** Stores the test of a login; what is null stays, except the error. Does nothing where the login has changed. */
export async function setAccountTest({ id, email, api_key }: AccountLogin, test: AccountTest): Promise<void> {
  await execute(
    `UPDATE cloudflare_accounts SET checked_at = $checked_at, check_error = $check_error,
       zones = COALESCE($zones, zones), cf_accounts = COALESCE($cf_accounts, cf_accounts),
       ns_1 = COALESCE($ns_1, ns_1), ns_2 = COALESCE($ns_2, ns_2)
     WHERE id = $id AND email = $email AND api_key = $api_key`,
    { id, email, api_key, ...test },
  );
}

/** Counts a zone that was created, and sets the account's name servers to those of the zone. */
export async function countNewZone(id: number, names: Pick<CloudflareAccountRow, 'ns_1' | 'ns_2'>): Promise<void> {
  await execute(
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
  const rows = await select<Pick<CloudflareGroupRow, 'name'>>(
    `SELECT g.name FROM cloudflare_group_accounts m JOIN cloudflare_groups g ON g.id = m.cloudflare_group_id
     WHERE m.cloudflare_account_id = $accountId ORDER BY g.name COLLATE NOCASE`,
    { accountId },
  );
  return rows.map(({ name }) => name);
}

type ServerLogin = Pick<ServerRow, 'id' | 'ssh_host' | 'ssh_user' | 'ssh_password'>;

/** Stores the test of a login. Does nothing where the login has changed. */
export async function setServerTest(
  { id, ssh_host, ssh_user, ssh_password }: ServerLogin,
  test: Pick<ServerRow, 'checked_at' | 'check_error'>,
): Promise<void> {
  await execute(
    `UPDATE servers SET checked_at = $checked_at, check_error = $check_error
     WHERE id = $id AND ssh_host = $ssh_host AND ssh_user = $ssh_user AND ssh_password = $ssh_password`,
    { id, ssh_host, ssh_user, ssh_password, ...test },
  );
}

/** Stores the host key of a server that has none. Does nothing where the host has changed. */
export async function pinHostKey(
  { id, ssh_host }: Pick<ServerHost, 'id' | 'ssh_host'>,
  host_key: string,
): Promise<void> {
  await execute(
    'UPDATE servers SET host_key = $host_key WHERE id = $id AND ssh_host = $ssh_host AND host_key IS NULL',
    { id, ssh_host, host_key },
  );
}

/** Stores a host key that differs from the pinned one. Does nothing where the host has changed, or no key is pinned. */
export async function setOtherHostKey(
  { id, ssh_host }: Pick<ServerHost, 'id' | 'ssh_host'>,
  seen: Pick<ServerRow, 'host_key_seen' | 'checked_at' | 'check_error'>,
): Promise<void> {
  await execute(
    `UPDATE servers SET host_key_seen = $host_key_seen, checked_at = $checked_at, check_error = $check_error
     WHERE id = $id AND ssh_host = $ssh_host AND host_key IS NOT NULL AND host_key <> $host_key_seen`,
    { id, ssh_host, ...seen },
  );
}
