import { select } from '../../../db/index.ts';
import type { UserRow } from '../../shared/access/tables.ts';

/** A user without the password's hash, with the number of second factors and the time of the last request or sign-in. */
export interface ListedRow extends Omit<UserRow, 'password'> {
  factors: number;
  last_seen_at: string | null;
}

/** Returns every user, oldest first, without password hashes. */
export const listUserRows = (): Promise<ListedRow[]> =>
  select(
    `SELECT u.id, u.login, u.telegram, u.role, u.active, u.created_at,
       (SELECT count(*) FROM totp_secrets f WHERE f.user_id = u.id AND f.confirmed_at IS NOT NULL)
         + (SELECT count(*) FROM passkeys f WHERE f.user_id = u.id) AS factors,
       COALESCE((SELECT max(s.last_seen_at) FROM sessions s WHERE s.user_id = u.id),
         (SELECT max(n.last_at) FROM sign_in_networks n WHERE n.user_id = u.id)) AS last_seen_at
     FROM users u ORDER BY u.id`,
  );
