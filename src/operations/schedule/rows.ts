import { execute, select } from '../../../db/index.ts';
import type { JobResult } from '../../shared/system/schedules.ts';
import type { ScheduleRunRow } from '../../shared/system/tables.ts';

// Long enough for a process that is stopped for a moment; a live runner renews it every ten seconds.
const LEASE_SECONDS = 40;

// Leases and slots go by the clock of the database: the clocks of several hosts differ.
const NOW = `strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`;
const LEASE_END = `strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+${LEASE_SECONDS} seconds')`;
const FREE = `(lease_until IS NULL OR lease_until < ${NOW})`;

/** Returns the time of the database. */
export async function databaseNow(): Promise<string> {
  const [row] = await select<{ now: string }>(`SELECT ${NOW} AS now`);
  return row?.now ?? new Date().toISOString();
}

/** A job's row, and whether its lease has ended; `now` is the time of the database. */
export type FoundRun = ScheduleRunRow & { is_free: 0 | 1; now: string };

/** Returns how far each job is. */
export const listRuns = (): Promise<FoundRun[]> =>
  select(`SELECT *, CASE WHEN ${FREE} THEN 1 ELSE 0 END AS is_free, ${NOW} AS now FROM schedule_runs ORDER BY name`);

/** Plans a job's next run, unless another process has planned or claimed it since `seen`. Returns 1 or 0. */
export const planRun = (name: string, rule: string, next_at: string | null, seen: string | null): Promise<number> =>
  execute(
    `INSERT INTO schedule_runs (name, rule, next_at, tries) VALUES ($name, $rule, $next_at, 0)
     ON CONFLICT (name) DO UPDATE SET rule = excluded.rule, next_at = excluded.next_at
     WHERE schedule_runs.next_at IS NOT DISTINCT FROM $seen`,
    { name, rule, next_at, seen },
  );

/** Makes sure that a job has a row. */
export const insertRun = (name: string): Promise<number> =>
  execute(`INSERT INTO schedule_runs (name, rule, tries) VALUES ($name, '', 0) ON CONFLICT (name) DO NOTHING`, {
    name,
  });

/** The claim of a slot: `seen` is the planned time that it uses up, null for a run that somebody has asked for. */
export interface Claim {
  name: string;
  owner: string;
  seen: string | null;
  next_at: string | null;
}

/**
 * Takes the lease of a job that nobody runs, and plans its next run in the same statement. Of several processes one gets 1, the
 * others 0.
 */
export const claimSlot = ({ name, owner, seen, next_at }: Claim): Promise<number> =>
  execute(
    `UPDATE schedule_runs SET lease_owner = $owner, lease_until = ${LEASE_END}, slot_at = next_at, next_at = $next_at,
       started_at = ${NOW}, tries = 1
     WHERE name = $name AND ${FREE} AND lease_owner IS NULL AND next_at = $seen`,
    { name, owner, seen, next_at },
  );

/** Takes the lease of a job that nobody runs, beside its slots. Returns 1 or 0. */
export const claimNow = (name: string, owner: string): Promise<number> =>
  execute(
    `UPDATE schedule_runs SET lease_owner = $owner, lease_until = ${LEASE_END}, slot_at = ${NOW}, started_at = ${NOW},
       tries = 1
     WHERE name = $name AND ${FREE}`,
    { name, owner },
  );

/** Why a job runs: since when somebody has its lease, or works on the operation that its last run has queued. */
export interface Work {
  since: string;
  operation_id: number | null;
}

/** Returns the work on a job that is under way, in whichever process; undefined: none. Work that only waits in a queue does not count. */
export async function findWork(name: string): Promise<Work | undefined> {
  const [row] = await select<Work>(
    `SELECT started_at AS since, CAST(NULL AS INTEGER) AS operation_id FROM schedule_runs
     WHERE name = $name AND lease_owner IS NOT NULL AND lease_until >= ${NOW}
     UNION ALL SELECT o.created_at, o.id FROM schedule_runs r JOIN operations o ON o.id = r.operation_id
     WHERE r.name = $name AND o.state IN ('queued', 'running') AND o.lease_owner IS NOT NULL AND o.lease_until >= ${NOW}`,
    { name },
  );
  return row;
}

/** Takes over a slot from a process that died in it. Returns 1 or 0. */
export const takeOver = (name: string, owner: string, dead: string): Promise<number> =>
  execute(
    `UPDATE schedule_runs SET lease_owner = $owner, lease_until = ${LEASE_END}, started_at = ${NOW}, tries = tries + 1
     WHERE name = $name AND lease_owner = $dead AND ${FREE}`,
    { name, owner, dead },
  );

/** Renews the lease of a run. Returns 1, or 0 where somebody has taken it over. */
export const renewLease = (name: string, owner: string): Promise<number> =>
  execute(`UPDATE schedule_runs SET lease_until = ${LEASE_END} WHERE name = $name AND lease_owner = $owner`, {
    name,
    owner,
  });

/** The end of a run; `message` is JSON. */
export interface RunEnd {
  result: JobResult;
  message: string | null;
  operation_id: number | null;
}

/** Ends a run and releases its lease. Returns 1, or 0 where somebody has taken it over. */
export const endRun = (name: string, owner: string, end: RunEnd): Promise<number> =>
  execute(
    `UPDATE schedule_runs SET lease_owner = NULL, lease_until = NULL, tries = 0, ended_at = ${NOW}, result = $result,
       message = $message, operation_id = $operation_id
     WHERE name = $name AND lease_owner = $owner`,
    { name, owner, ...end },
  );

/** Notes that an address was called after a run; `error` is null where it answered. */
export const noteHeartbeat = (name: string, error: string | null): Promise<number> =>
  execute(
    `UPDATE schedule_runs SET heartbeat_error = $error,
       heartbeat_at = CASE WHEN $failed = 1 THEN heartbeat_at ELSE ${NOW} END WHERE name = $name`,
    { name, error, failed: error === null ? 0 : 1 },
  );
