import { execute, select } from '../../../db/index.ts';
import type { TransferDecisionRow } from '../../shared/transfers/tables.ts';
import type { Logger } from '../../lib/log.ts';
import { redact } from '../../lib/redact.ts';
import type { ListOf, Paging } from '../../shared/lists.ts';
import { translate, type Language, type Message } from '../../shared/i18n/index.ts';
import type { Choice } from '../../shared/transfers/transfer-pick.ts';
import type { DecisionView } from '../../shared/transfers/transfers.ts';
import { bindings, VISIBLE, type Actor } from '../access/scope.ts';
import { standingStop, wordsOf, type StandingStop } from './stops.ts';

/** A choice with its operation. `isNew`: it differs from the domain's last decision, and is logged. */
export interface Decision extends Choice {
  project_id: number;
  operation_id: number | null;
  isNew: boolean;
}

/**
 * Stores a decision about a main domain, unless it waits, or is declined for the same reason as the last time. Only
 * inside a transaction.
 */
export async function keepDecision(
  project_id: number,
  choice: Choice,
  operation_id: number | null = null,
): Promise<Decision> {
  const kept = { ...choice, project_id, operation_id };
  if (choice.decision === 'waiting') return { ...kept, isNew: false };
  const { main, target, decision } = choice;
  const reason = JSON.stringify(choice.reason);
  const [last] = await select<TransferDecisionRow>(
    'SELECT * FROM transfer_decisions WHERE domain_id = $id ORDER BY id DESC LIMIT 1',
    { id: main.id },
  );
  // Every start is stored: it has an operation of its own.
  const isSame = decision === 'declined' && last?.decision === decision && last.reason === reason;
  if (isSame) return { ...kept, isNew: false };
  await execute(
    `INSERT INTO transfer_decisions (domain_id, target_id, decision, reason, operation_id, created_at)
     VALUES ($domain, $target, $decision, $reason, $operation, $now)`,
    {
      domain: main.id,
      target: target?.id ?? null,
      decision,
      reason,
      operation: operation_id,
      now: new Date().toISOString(),
    },
  );
  return { ...kept, isNew: true };
}

/** Logs the new stop and the new decisions of a run. */
export function logDecisions(log: Logger, stop: StandingStop | null, decisions: readonly Decision[]): void {
  if (stop?.isNew)
    log.warn({ cause: stop.cause, blocked: stop.blocked, total: stop.total }, 'automatic transfer stopped');
  for (const { main, target, decision, reason, operation_id, isNew } of decisions) {
    if (!isNew) continue;
    const facts = {
      domain: main.domain_name,
      target: target?.domain_name,
      reason: reason.key,
      operation: operation_id,
    };
    if (decision === 'started') log.info(facts, 'automatic transfer');
    else log.warn(facts, 'automatic transfer declined');
  }
}

/** `current`: only the last decision of each domain that is still a blocked main. */
export interface DecisionSelection {
  project?: number | undefined;
  current?: boolean | undefined;
}

const CURRENT = `d.type = 'main' AND d.status = 'blocked' AND t.id =
  (SELECT max(later.id) FROM transfer_decisions later WHERE later.domain_id = d.id)`;

/**
 * Returns what automatic transfer started and declined for the caller's domains, newest first, and the stop that
 * stands. Reasons are in `language`; `total` is there where `limit` is given.
 */
export async function listDecisions(
  actor: Actor,
  language: Language,
  { project, current }: DecisionSelection,
  { limit, offset }: Pick<Paging, 'limit' | 'offset'> = {},
): Promise<ListOf<DecisionView> & { stop: { reason: string; since: string } | null }> {
  const from = `FROM transfer_decisions t JOIN domains d ON d.id = t.domain_id LEFT JOIN projects p ON p.id = d.project_id
     LEFT JOIN domains r ON r.id = t.target_id
     WHERE ${VISIBLE.domains(actor)} AND ($project IS NULL OR d.project_id = $project)${current ? ` AND ${CURRENT}` : ''}`;
  const bind = { project: project ?? null, ...bindings(actor) };
  const rows = await select<Omit<DecisionView, 'reason'> & { reason: string }>(
    `SELECT t.id, t.domain_id, d.domain_name, d.unicode_name, d.project_id, p.name AS project_name, t.target_id,
       r.domain_name AS target_name, t.decision, t.reason, t.operation_id, t.created_at ${from}
     ORDER BY t.id DESC LIMIT $limit OFFSET $offset`,
    { ...bind, limit: limit ?? -1, offset: offset ?? 0 },
  );
  const inWords = ({ key, params }: Message): string => redact(translate(language, key, params));
  const data = rows.map((row) => Object.assign(row, { reason: inWords(JSON.parse(row.reason) as Message) }));
  const stop = await standingStop();
  const told = { stop: stop && { reason: inWords(wordsOf(stop)), since: stop.since } };
  if (limit === undefined) return { data, ...told };
  const [count] = await select<{ total: number }>(`SELECT count(*) AS total ${from}`, bind);
  return { data, total: count?.total ?? 0, ...told };
}
