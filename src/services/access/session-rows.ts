import { execute, select } from '../../../db/index.ts';
import type { SessionRow } from '../../shared/access/tables.ts';
import type { Times } from './rows.ts';

/** Returns the valid sessions of a user, the one last used first. */
export const listSessionRows = (
  user_id: number,
  times: Times,
): Promise<Pick<SessionRow, 'id' | 'address' | 'agent' | 'created_at' | 'last_seen_at'>[]> =>
  select(
    `SELECT id, address, agent, created_at, last_seen_at FROM sessions
     WHERE user_id = $user_id AND expires_at > $now AND last_seen_at > $idle ORDER BY last_seen_at DESC, id DESC`,
    { user_id, ...times },
  );

/** Deletes a session if it is this user's; returns how many were deleted. */
export const deleteOwnSession = (user_id: number, id: number): Promise<number> =>
  execute('DELETE FROM sessions WHERE id = $id AND user_id = $user_id', { id, user_id });

/** Deletes the sessions of a user but one; returns how many. */
export const deleteSessionsBut = (user_id: number, but: number | null): Promise<number> =>
  execute('DELETE FROM sessions WHERE user_id = $user_id AND id <> COALESCE($but, 0)', { user_id, but });
