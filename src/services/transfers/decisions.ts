import { recordEvents } from '../../../db/events.ts';
import type { Logger } from '../../lib/log.ts';
import type { ListOf, Paging } from '../../shared/lists.ts';
import type { Message } from '../../shared/i18n/index.ts';
import type { Choice } from '../../shared/transfers/transfer-pick.ts';
import type { DecisionView } from '../../shared/transfers/transfers.ts';
import type { Actor } from '../access/scope.ts';
import {
  countDecisions,
  findLastDecision,
  insertDecision,
  listDecisionRows,
  type DecisionSelection,
} from './decision-rows.ts';
import { standingStop, wordsOf, type StandingStop } from './stops.ts';
import { whyOf } from './tells.ts';

/** A choice with its operation. `isNew`: it differs from the domain's last decision, and is logged. */
export interface Decision extends Choice {
  project_id: number;
  operation_id: number | null;
  isNew: boolean;
}

/** Returns a choice as a decision that is shown, and neither stored nor carried out. */
export const notStored = (project_id: number, choice: Choice): Decision => ({
  ...choice,
  project_id,
  operation_id: null,
  isNew: false,
});

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
  const last = await findLastDecision(main.id);
  // Every start is stored: it has an operation of its own.
  const isSame = decision === 'declined' && last?.decision === decision && last.reason === reason;
  if (isSame) return { ...kept, isNew: false };
  if (decision === 'declined') {
    const { id: domain_id, domain_name: name } = main;
    await recordEvents([{ kind: 'transfer_waits', name, domain_id, params: whyOf(choice.reason) }]);
  }
  await insertDecision({ domain_id: main.id, target_id: target?.id ?? null, decision, reason, operation_id });
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

/**
 * Returns what automatic transfer started and declined for the caller's domains, newest first, and the stop that
 * stands; `total` is there where `limit` is given.
 */
export async function listDecisions(
  actor: Actor,
  selection: DecisionSelection,
  { limit, offset }: Pick<Paging, 'limit' | 'offset'> = {},
): Promise<ListOf<DecisionView<Message>> & { stop: { reason: Message; since: string } | null }> {
  const part = { limit: limit ?? Number.MAX_SAFE_INTEGER, offset: offset ?? 0 };
  const rows = await listDecisionRows(actor, selection, part);
  const data = rows.map((row) => Object.assign(row, { reason: JSON.parse(row.reason) as Message }));
  const stop = await standingStop();
  const standing = { stop: stop && { reason: wordsOf(stop), since: stop.since } };
  if (limit === undefined) return { data, ...standing };
  return { data, total: await countDecisions(actor, selection), ...standing };
}
