import { select } from '../../../db/index.ts';

/** Returns how much work of each kind has not ended, by state, and the age in seconds of the oldest that waits. */
export const countOpenWork = (): Promise<{ kind: string; state: string; n: number; oldest: string }[]> =>
  select(
    `SELECT kind, state, COUNT(*) AS n, MIN(created_at) AS oldest FROM operations
     WHERE state IN ('queued', 'running') GROUP BY kind, state ORDER BY kind, state`,
  );

/** Returns when domains were last looked at, in either way; null: never. */
export async function findLastLooks(): Promise<{ http: string | null; blocklist: string | null }> {
  const [row] = await select<{ http: string | null; blocklist: string | null }>(
    'SELECT MAX(last_http_check_at) AS http, MAX(last_block_check_at) AS blocklist FROM domains WHERE deleted_at IS NULL',
  );
  return row ?? { http: null, blocklist: null };
}
