import { execute, select } from '../../../db/index.ts';
import type { TransferDecisionRow, TransferStopRow } from '../../shared/transfers/tables.ts';
import type { DecisionView } from '../../shared/transfers/transfers.ts';
import { bindings, VISIBLE, type Actor } from '../access/scope.ts';

/** Returns the newest decision about a domain; undefined: there is none. */
export async function findLastDecision(domainId: number): Promise<TransferDecisionRow | undefined> {
  const [row] = await select<TransferDecisionRow>(
    'SELECT * FROM transfer_decisions WHERE domain_id = $domainId ORDER BY id DESC LIMIT 1',
    { domainId },
  );
  return row;
}

/** Adds a decision. */
export async function insertDecision(
  decision: Pick<TransferDecisionRow, 'domain_id' | 'target_id' | 'decision' | 'reason' | 'operation_id'>,
): Promise<void> {
  await execute(
    `INSERT INTO transfer_decisions (domain_id, target_id, decision, reason, operation_id, created_at)
     VALUES ($domain_id, $target_id, $decision, $reason, $operation_id, $now)`,
    { ...decision, now: new Date().toISOString() },
  );
}

/** `current`: only the last decision of each domain that is still a blocked main. */
export interface DecisionSelection {
  project?: number | undefined;
  current?: boolean | undefined;
}

/**
 * The condition that a decision `t` about a domain of an alias was made for want of any reserve, and that its project has got one since: the next run decides anew.
 */
export const isOvertaken = (d: string): string =>
  `(t.decision = 'declined' AND t.reason ->> 'key' = 'auto_transfer.no_reserve' AND EXISTS (SELECT 1 FROM domains n
     WHERE n.project_id = ${d}.project_id AND n.type = 'transfer' AND n.deleted_at IS NULL AND n.updated_at > t.created_at))`;

const CURRENT = `d.type = 'main' AND d.status = 'blocked' AND t.id =
  (SELECT max(later.id) FROM transfer_decisions later WHERE later.domain_id = d.id) AND NOT ${isOvertaken('d')}`;

const selected = (actor: Actor, { current }: DecisionSelection): string =>
  `FROM transfer_decisions t JOIN domains d ON d.id = t.domain_id LEFT JOIN projects p ON p.id = d.project_id
     LEFT JOIN domains r ON r.id = t.target_id
   WHERE ${VISIBLE.domains(actor)} AND ($project IS NULL OR d.project_id = $project)${current ? ` AND ${CURRENT}` : ''}`;

/** Returns decisions about domains that the actor may see, the newest first; `reason` is a Message as JSON. */
export const listDecisionRows = (
  actor: Actor,
  selection: DecisionSelection,
  { limit, offset }: { limit: number; offset: number },
): Promise<DecisionView[]> =>
  select(
    `SELECT t.id, t.domain_id, d.domain_name, d.unicode_name, d.project_id, p.name AS project_name, t.target_id,
       r.domain_name AS target_name, t.decision, t.reason, t.operation_id, t.created_at ${selected(actor, selection)}
     ORDER BY t.id DESC LIMIT $limit OFFSET $offset`,
    { project: selection.project ?? null, limit, offset, ...bindings(actor) },
  );

/** Counts the decisions about domains that the actor may see. */
export async function countDecisions(actor: Actor, selection: DecisionSelection): Promise<number> {
  const [row] = await select<{ total: number }>(`SELECT count(*) AS total ${selected(actor, selection)}`, {
    project: selection.project ?? null,
    ...bindings(actor),
  });
  return row?.total ?? 0;
}

/** Returns the recorded stop that has not ended; undefined: there is none. */
export async function findStandingStop(): Promise<TransferStopRow | undefined> {
  const [row] = await select<TransferStopRow>(
    'SELECT * FROM transfer_stops WHERE ended_at IS NULL ORDER BY id DESC LIMIT 1',
  );
  return row;
}

type StopCause = Pick<TransferStopRow, 'cause' | 'blocked' | 'total'>;

/** Adds a stop. */
export async function insertStop(stop: StopCause, created_at: string): Promise<void> {
  await execute(
    'INSERT INTO transfer_stops (cause, blocked, total, created_at) VALUES ($cause, $blocked, $total, $created_at)',
    { ...stop, created_at },
  );
}

/** Sets the cause of the stop that has not ended. */
export async function updateStop(stop: StopCause): Promise<void> {
  await execute('UPDATE transfer_stops SET cause = $cause, blocked = $blocked, total = $total WHERE ended_at IS NULL', {
    ...stop,
  });
}

/** Ends the stop that has not ended. */
export async function endStop(ended_at: string): Promise<void> {
  await execute('UPDATE transfer_stops SET ended_at = $ended_at WHERE ended_at IS NULL', { ended_at });
}
