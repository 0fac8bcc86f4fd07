import { execute, select } from '../../../db/index.ts';
import type { PasskeyRow } from '../../shared/access/tables.ts';

/** Numbers of the second factors that a user has in use, and of his unused recovery codes. */
export interface Factors {
  totp: number;
  passkeys: number;
  recovery_codes: number;
}

/** Returns the second factors of a user. */
export async function findFactors(user_id: number): Promise<Factors> {
  const [row] = await select<Factors>(
    `SELECT (SELECT count(*) FROM totp_secrets WHERE user_id = $user_id AND confirmed_at IS NOT NULL) AS totp,
       (SELECT count(*) FROM passkeys WHERE user_id = $user_id) AS passkeys,
       (SELECT count(*) FROM recovery_codes WHERE user_id = $user_id AND used_at IS NULL) AS recovery_codes`,
    { user_id },
  );
  return row ?? { totp: 0, passkeys: 0, recovery_codes: 0 };
}

/** A user's secret of an authenticator app, sealed. */
export interface TotpRow {
  id: number;
  secret: string;
  confirmed_at: string | null;
}

/** Returns the secret of a user's authenticator app; undefined: there is none. */
export async function findTotp(user_id: number): Promise<TotpRow | undefined> {
  const [row] = await select<TotpRow>('SELECT id, secret, confirmed_at FROM totp_secrets WHERE user_id = $user_id', {
    user_id,
  });
  return row;
}

/** Inserts a secret that is not in use yet, still empty, and returns its id: it is sealed for that. */
export async function insertTotp(user_id: number, created_at: string): Promise<number> {
  const [row] = await select<{ id: number }>(
    `INSERT INTO totp_secrets (user_id, secret, last_step, created_at) VALUES ($user_id, '', 0, $created_at) RETURNING id`,
    { user_id, created_at },
  );
  return row?.id ?? 0;
}

/** Sets the sealed secret of an authenticator app. */
export async function setTotpSecret(id: number, sealed: string): Promise<void> {
  await execute('UPDATE totp_secrets SET secret = $sealed WHERE id = $id', { id, sealed });
}

/** Notes that the code of a period was used; returns 0 where it or a later one was used before. */
export const spendTotpStep = (id: number, step: number): Promise<number> =>
  execute('UPDATE totp_secrets SET last_step = $step WHERE id = $id AND last_step < $step', { id, step });

/** Takes a secret into use. */
export async function confirmTotpRow(id: number, confirmed_at: string): Promise<void> {
  await execute('UPDATE totp_secrets SET confirmed_at = $confirmed_at WHERE id = $id', { id, confirmed_at });
}

/** Deletes the secret of a user's authenticator app, which may not be in use yet. */
export async function deleteTotp(user_id: number): Promise<void> {
  await execute('DELETE FROM totp_secrets WHERE user_id = $user_id', { user_id });
}

/** Inserts recovery codes of a user. */
export async function insertRecoveryCodes(user_id: number, hashes: readonly string[]): Promise<void> {
  await execute(
    'INSERT INTO recovery_codes (user_id, code_hash) SELECT CAST($user_id AS INTEGER), value FROM json_each($hashes)',
    { user_id, hashes: JSON.stringify(hashes) },
  );
}

/** Uses a recovery code; returns 0 where the user has no such code left. */
export const spendRecoveryCode = (user_id: number, code_hash: string, used_at: string): Promise<number> =>
  execute(
    'UPDATE recovery_codes SET used_at = $used_at WHERE user_id = $user_id AND code_hash = $code_hash AND used_at IS NULL',
    { user_id, code_hash, used_at },
  );

/** Deletes the recovery codes of a user. */
export async function deleteRecoveryCodes(user_id: number): Promise<void> {
  await execute('DELETE FROM recovery_codes WHERE user_id = $user_id', { user_id });
}

/** Returns the passkeys of a user, oldest first. */
export const listPasskeyRows = (user_id: number): Promise<PasskeyRow[]> =>
  select('SELECT * FROM passkeys WHERE user_id = $user_id ORDER BY id', { user_id });

/** A passkey with its active user. */
export interface PasskeyUser extends PasskeyRow {
  login: string;
  role: 'admin' | 'user';
  telegram: string | null;
}

/** Returns a passkey of an address by what its authenticator calls it; undefined: there is none, or its user was disabled. */
export async function findPasskey(credential_id: string, rp_id: string): Promise<PasskeyUser | undefined> {
  const [row] = await select<PasskeyUser>(
    `SELECT p.*, u.login, u.role, u.telegram FROM passkeys p JOIN users u ON u.id = p.user_id
     WHERE p.credential_id = $credential_id AND p.rp_id = $rp_id AND u.active = 1`,
    { credential_id, rp_id },
  );
  return row;
}

/** Inserts a passkey; returns 0 where it is there already, whoever has it. */
export const insertPasskey = (values: Omit<PasskeyRow, 'id' | 'last_used_at'>): Promise<number> =>
  execute(
    `INSERT INTO passkeys (user_id, name, rp_id, credential_id, public_key, counter, transports, created_at)
     VALUES ($user_id, $name, $rp_id, $credential_id, $public_key, $counter, $transports, $created_at)
     ON CONFLICT (credential_id) DO NOTHING`,
    values,
  );

/** Stores the counter of a passkey that was used; returns 0 where the passkey is gone or the counter was seen before. */
export const setPasskeyUsed = (id: number, counter: number, last_used_at: string): Promise<number> =>
  execute(
    `UPDATE passkeys SET counter = $counter, last_used_at = $last_used_at
     WHERE id = $id AND ($counter = 0 OR counter < $counter)`,
    { id, counter, last_used_at },
  );

/** Deletes a passkey of a user; returns its name. */
export async function deletePasskeyRow(user_id: number, id: number): Promise<string | undefined> {
  const [row] = await select<{ name: string }>(
    'DELETE FROM passkeys WHERE id = $id AND user_id = $user_id RETURNING name',
    { id, user_id },
  );
  return row?.name;
}

/** Deletes every passkey of a user. */
export async function deletePasskeysOf(user_id: number): Promise<void> {
  await execute('DELETE FROM passkeys WHERE user_id = $user_id', { user_id });
}

/** A challenge that is valid, with its active user. */
export interface ChallengeUser {
  challenge_id: number;
  id: number;
  login: string;
  role: 'admin' | 'user';
  telegram: string | null;
}

/** Inserts a challenge, and deletes those of everybody that have expired. */
export async function insertChallenge(values: {
  user_id: number;
  kind: string;
  token_hash: string;
  expires_at: string;
  now: string;
}): Promise<void> {
  const { now, ...columns } = values;
  await execute('DELETE FROM sign_in_challenges WHERE expires_at < $now', { now });
  await execute(
    `INSERT INTO sign_in_challenges (user_id, kind, token_hash, tries, expires_at)
     VALUES ($user_id, $kind, $token_hash, 0, $expires_at)`,
    columns,
  );
}

/** Returns a valid challenge by its hash; undefined: there is none, or its user was disabled. */
export async function findChallenge(kind: string, token_hash: string, now: string): Promise<ChallengeUser | undefined> {
  const [row] = await select<ChallengeUser>(
    `SELECT c.id AS challenge_id, u.id, u.login, u.role, u.telegram
     FROM sign_in_challenges c JOIN users u ON u.id = c.user_id
     WHERE c.token_hash = $token_hash AND c.kind = $kind AND c.expires_at > $now AND u.active = 1`,
    { kind, token_hash, now },
  );
  return row;
}

/** Counts a try of a challenge; returns 0 where it is gone or had `most` tries. */
export const countChallengeTry = (id: number, most: number): Promise<number> =>
  execute('UPDATE sign_in_challenges SET tries = tries + 1 WHERE id = $id AND tries < $most', { id, most });

/** Deletes a challenge; returns 0 where somebody else has used it. */
export const deleteChallenge = (id: number): Promise<number> =>
  execute('DELETE FROM sign_in_challenges WHERE id = $id', { id });

/**
 * Notes until when a challenge that has no row of its own was used; returns 0 where it was noted before. Deletes those of
 * everybody that have expired.
 */
export async function spendChallenge(values: {
  user_id: number;
  token_hash: string;
  expires_at: string;
  now: string;
}): Promise<number> {
  const { now, ...columns } = values;
  await execute('DELETE FROM sign_in_challenges WHERE expires_at < $now', { now });
  return execute(
    `INSERT INTO sign_in_challenges (user_id, kind, token_hash, tries, expires_at)
     VALUES ($user_id, 'spent', $token_hash, 0, $expires_at) ON CONFLICT (token_hash) DO NOTHING`,
    columns,
  );
}

/** Deletes every challenge of a user that is still to be used: what was used must stay known as such. */
export async function deleteChallengesOf(user_id: number): Promise<void> {
  await execute(`DELETE FROM sign_in_challenges WHERE user_id = $user_id AND kind <> 'spent'`, { user_id });
}
