import { dialect, execute, executeUnaudited, select } from '../../../db/index.ts';
import { isSpelled, spellingOf } from '../../../db/sql.ts';
import type { InstallationRow, SessionRow, SignInNetworkRow, UserRow } from '../../shared/access/tables.ts';
import type { Role, UserView } from '../../shared/access/users.ts';
import { secretColumns } from '../../shared/tables.ts';

/** Whether there is a user. */
export const hasUsers = async (): Promise<boolean> => (await select('SELECT 1 FROM users LIMIT 1')).length > 0;

/** Returns the users whose login is another's in the eyes of the database, oldest first, with their passwords' hashes. */
export const listUsersSpelled = (login: string): Promise<UserRow[]> =>
  select(`SELECT * FROM users WHERE ${isSpelled('login', '$login')} ORDER BY id`, { login: spellingOf(login) });

/** Returns the login and the role of a user; undefined: there is none. */
export async function findUserRole(id: number): Promise<Pick<UserRow, 'id' | 'login' | 'role'> | undefined> {
  const [row] = await select<Pick<UserRow, 'id' | 'login' | 'role'>>(
    'SELECT id, login, role FROM users WHERE id = $id',
    { id },
  );
  return row;
}

/** Returns the ids of the administrators who can sign in, oldest first. */
export const listAdmins = (): Promise<Pick<UserRow, 'id'>[]> =>
  select(`SELECT id FROM users WHERE role = 'admin' AND active = 1 ORDER BY id`);

/** Inserts a session. */
export async function insertSession(values: Omit<SessionRow, 'id' | 'last_seen_at'>): Promise<void> {
  await execute(
    `INSERT INTO sessions (user_id, sid_hash, address, agent, created_at, last_seen_at, expires_at)
     VALUES ($user_id, $sid_hash, $address, $agent, $created_at, $created_at, $expires_at)`,
    values,
  );
}

/** Condition for sessions that are valid `$now`: not expired, and seen since `$idle`. */
const LIVE = 's.expires_at > $now AND s.last_seen_at > $idle';

/** The times by which a session is valid: now, and since when it must have been used. */
export interface Times {
  now: string;
  idle: string;
}

/** For whom a second factor is required, as stored, and how many the user `u` has. */
export interface Enrolment {
  policy: string | null;
  factors: number;
}

/** The columns of an Enrolment, for a statement with the users as `u`. */
export const ENROLMENT = `(SELECT value FROM installation WHERE name = 'second_factor') AS policy,
  (SELECT count(*) FROM totp_secrets f WHERE f.user_id = u.id AND f.confirmed_at IS NOT NULL)
    + (SELECT count(*) FROM passkeys f WHERE f.user_id = u.id) AS factors`;

/** A session with its user. */
export interface SessionUser extends Omit<UserView, 'active'>, Enrolment {
  session_id: number;
  active: number;
  last_seen_at: string;
}

/** Returns a user's valid session by the hash of its id, whether or not the user is active; undefined: there is none. */
export async function findSession(user_id: number, sid_hash: string, times: Times): Promise<SessionUser | undefined> {
  const [row] = await select<SessionUser>(
    `SELECT u.id, u.login, u.role, u.telegram, u.active, u.created_at, s.id AS session_id, s.last_seen_at, ${ENROLMENT}
     FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.sid_hash = $sid_hash AND s.user_id = $user_id AND ${LIVE}`,
    { sid_hash, user_id, ...times },
  );
  return row;
}

/** Returns those of the sessions that are valid and whose user is active, with the user's role. */
export const listLiveSessions = (ids: readonly number[], times: Times): Promise<{ id: number; role: Role }[]> =>
  select(
    `SELECT s.id, u.role FROM sessions s JOIN users u ON u.id = s.user_id
     WHERE s.id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids)) AND u.active = 1 AND ${LIVE}`,
    { ids: JSON.stringify(ids), ...times },
  );

/** Sets the time at which a session was last used. */
export async function setSessionSeen(id: number, last_seen_at: string): Promise<void> {
  await execute('UPDATE sessions SET last_seen_at = $last_seen_at WHERE id = $id', { last_seen_at, id });
}

/** Deletes a session. */
export async function deleteSession(id: number): Promise<void> {
  await execute('DELETE FROM sessions WHERE id = $id', { id });
}

/** Deletes the sessions that are valid no more. */
export async function deleteEndedSessions(times: Times): Promise<void> {
  await execute('DELETE FROM sessions WHERE expires_at < $now OR last_seen_at < $idle', { ...times });
}

/** Inserts the link for the first user. */
export async function insertSetupLink(token_hash: string, expires_at: string): Promise<void> {
  await execute('INSERT INTO setup_links (token_hash, expires_at) VALUES ($token_hash, $expires_at)', {
    token_hash,
    expires_at,
  });
}

/** Whether a link for the first user has this token and is valid. */
export const hasSetupLink = async (token_hash: string, now: string): Promise<boolean> =>
  (await select('SELECT 1 FROM setup_links WHERE token_hash = $token_hash AND expires_at > $now', { token_hash, now }))
    .length > 0;

/** Deletes every link for the first user. */
export async function deleteSetupLinks(): Promise<void> {
  await execute('DELETE FROM setup_links');
}

/** Returns the networks from which users have signed in since a time. */
export const listSignInNetworks = (
  since: string,
): Promise<(Pick<UserRow, 'login'> & Pick<SignInNetworkRow, 'network' | 'last_at'>)[]> =>
  select(
    `SELECT u.login, n.network, n.last_at FROM sign_in_networks n JOIN users u ON u.id = n.user_id WHERE n.last_at >= $since`,
    { since },
  );

/** Stores the time of a user's last sign-in from a network. */
export async function upsertSignInNetwork(values: Omit<SignInNetworkRow, 'id'>): Promise<void> {
  await execute(
    `INSERT INTO sign_in_networks (user_id, network, last_at) VALUES ($user_id, $network, $last_at)
     ON CONFLICT (user_id, network) DO UPDATE SET last_at = excluded.last_at`,
    values,
  );
}

/** Deletes a user's networks of before `oldest`, and all but the newest `most`. */
export async function deleteOldSignInNetworks(user_id: number, oldest: string, most: number): Promise<void> {
  await execute(
    `DELETE FROM sign_in_networks WHERE user_id = $user_id AND (last_at < $oldest OR id NOT IN
       (SELECT id FROM sign_in_networks WHERE user_id = $user_id ORDER BY last_at DESC LIMIT $most))`,
    { user_id, oldest, most },
  );
}

/**
 * A domain in a zone, or a name that is attached to a main domain (a negative `id`): its user, and its place in the order in which
 * names were taken.
 */
export interface HoldingRow {
  id: number;
  name: string;
  holder: number;
  claim: number;
}

/** Since when the row `domain` has its name: a claim that no other row, and no earlier time of this one, has. */
export const claimedSince = (domain: string): string =>
  `CASE WHEN ${domain}.name_claim > ${domain}.id THEN ${domain}.name_claim ELSE ${domain}.id END`;

/** Condition: `m` is the main domain that gives an attached name `a` its holder. */
export const IS_MAIN = 'm.id = a.main_id AND m.domain_name = a.forward_to AND m.deleted_at IS NULL';

/** The claim of an attached name `a`: it was free while its main domain `m` was in nobody's portfolio. */
export const ATTACHED_CLAIM = `CASE WHEN a.main_claim = ${claimedSince('m')} THEN a.name_claim ELSE ${claimedSince('m')} END`;

/** The place of a domain in the order of names: its own, or that of the attached name that it has taken. */
const CLAIM = `CASE WHEN d.attached_claim < COALESCE(d.name_claim, d.id) THEN d.attached_claim ELSE COALESCE(d.name_claim, d.id) END`;

const HOLDINGS = `SELECT * FROM (
  SELECT d.id, d.domain_name AS name, COALESCE(p.user_id, d.user_id) AS holder, ${CLAIM} AS claim
  FROM domains d LEFT JOIN projects p ON p.id = d.project_id WHERE d.deleted_at IS NULL
  UNION ALL SELECT -a.id, a.domain_name, COALESCE(p.user_id, m.user_id), ${ATTACHED_CLAIM}
  FROM attachments a JOIN domains m ON ${IS_MAIN} LEFT JOIN projects p ON p.id = m.project_id
) h`;

/** Returns every domain and every attached name as a holding. */
export const listHoldings = (): Promise<HoldingRow[]> => select(HOLDINGS);

/** Returns the domains and the attached names at a name and below it as holdings. */
export const listHoldingsAt = (name: string): Promise<HoldingRow[]> =>
  select(`${HOLDINGS} WHERE h.name = $name OR substr(h.name, length(h.name) - length($below) + 1) = $below`, {
    name,
    below: `.${name}`,
  });

/** Returns a named value of the installation; null: it is not set. */
export async function findInstalled(name: string): Promise<string | null> {
  const [row] = await select<Pick<InstallationRow, 'value'>>('SELECT value FROM installation WHERE name = $name', {
    name,
  });
  return row?.value ?? null;
}

/** Sets a named value of the installation. */
export async function setInstalled(name: string, value: string): Promise<void> {
  await execute(
    'INSERT INTO installation (name, value) VALUES ($name, $value) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    { name, value },
  );
}

/** Sets a named value of the installation unless it is set. */
export async function insertInstalled(name: string, value: string): Promise<void> {
  await execute('INSERT INTO installation (name, value) VALUES ($name, $value) ON CONFLICT (name) DO NOTHING', {
    name,
    value,
  });
}

/** Deletes a named value of the installation. */
export async function deleteInstalled(name: string): Promise<void> {
  await execute('DELETE FROM installation WHERE name = $name', { name });
}

/** The text in a secret column of a row. */
export interface SecretText {
  table: string;
  column: string;
  id: number;
  text: string;
}

// The beginning of a sealed text: 'v1.', sixteen characters, '.'.
const NOT_SEALED = secretColumns()
  .map(
    ({ table, column }) =>
      `SELECT '${table}' AS "table", '${column}' AS "column", id, ${column} AS text FROM ${table}
     WHERE NOT (substr(${column}, 1, 3) = 'v1.' AND substr(${column}, 20, 1) = '.')`,
  )
  .join(' UNION ALL ');

/** Returns the texts in secret columns that do not look sealed. */
export const listNotSealed = (): Promise<SecretText[]> => select(NOT_SEALED);

/** Sets a secret column of a row to a sealed text. */
export async function setSecret({ table, column, id }: Omit<SecretText, 'text'>, sealed: string): Promise<void> {
  await executeUnaudited('seal', `UPDATE ${table} SET ${column} = $sealed WHERE id = $id`, { sealed, id });
}

/**
 * Rewrites the database file and empties its log, so that deleted text stays in neither. Call outside of transactions. Does
 * nothing on PostgreSQL, whose files are the server's.
 */
export async function eraseFreePages(): Promise<void> {
  if (dialect() !== 'sqlite') return;
  await select('VACUUM');
  await select('PRAGMA wal_checkpoint(TRUNCATE)');
}
