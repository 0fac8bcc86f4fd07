import { acting, SYSTEM_ASKER, type Asker, type Door } from '../../db/acting.ts';
import { note } from '../../db/audit.ts';
import type { NewEvent } from '../../db/events.ts';
import type { AuditOutcome } from '../shared/audit/audit.ts';
import type { OperationState } from '../shared/operations.ts';
import type { OperationRow } from '../shared/operations/tables.ts';
import { findLogin } from './rows.ts';

async function askerOf(user_id: number | null): Promise<Asker> {
  const login = user_id === null ? undefined : await findLogin(user_id);
  return login === undefined ? SYSTEM_ASKER : { id: user_id, login };
}

/** Runs an operation's work in the name of the user who asked for it. */
export async function actForAsker<T>(
  { id, kind, user_id, request_id }: Pick<OperationRow, 'id' | 'kind' | 'user_id' | 'request_id'>,
  work: () => Promise<T>,
): Promise<T> {
  const door: Door = { name: 'operation', call: kind, operation_id: id, ...(request_id !== null && { request_id }) };
  return acting(await askerOf(user_id), door, work);
}

type Named = Pick<OperationRow, 'id' | 'kind' | 'subject'>;

/** Audits that work was asked for: `items` is the number of what it works on. */
export const noteStart = ({ id, kind, subject }: Named, items: number): void =>
  note({ action: 'start', object: 'operations', id, name: kind, after: { subject, items } });

/** Audits that somebody asked for the cancellation of work, or for another try of its failed items. */
export const noteAsked = (action: 'cancel' | 'retry', { id, kind, subject }: Named): void =>
  note({ action, object: 'operations', id, name: kind, after: { subject } });

const OUTCOMES: Partial<Record<OperationState, AuditOutcome>> = {
  succeeded: 'done',
  partial: 'partial',
  failed: 'failed',
  cancelled: 'cancelled',
};

/** Audits the end of work; nothing for a state in which it goes on. */
export function noteEnd(operation: Named & Pick<OperationRow, 'state' | 'total' | 'done' | 'failed'>): void {
  const { id, kind, subject, total, done, failed } = operation;
  const outcome = OUTCOMES[operation.state];
  if (!outcome) return;
  note({ action: 'finish', object: 'operations', id, name: kind, after: { subject, total, done, failed }, outcome });
}

const aboutOf = ({
  id,
  kind,
  user_id,
  asked_by,
}: Pick<OperationRow, 'id' | 'kind' | 'user_id' | 'asked_by'>): Pick<NewEvent, 'name' | 'user_id'> => ({
  name: asked_by === 'automation' ? kind : `${kind} #${id}`,
  user_id,
});

/** Returns what people are told of work that has failed, or that no process went on with. */
export const failureEvent = (operation: OperationRow): NewEvent => ({
  kind: 'operation_failed',
  ...aboutOf(operation),
});

/**
 * Returns what people are told of the end of work: who asked for it, or the administrators. Work that begins by itself is told by its kind,
 * so that it is told once until somebody has seen it. The message of the end is left out: it may repeat what a service has said.
 */
export function endEvents(operation: OperationRow): NewEvent[] {
  const { state, held } = operation;
  if (state === 'failed') return [failureEvent(operation)];
  if (state === 'partial') return [{ kind: 'operation_partial', ...aboutOf(operation) }];
  return held === null ? [] : [{ kind: 'operation_attention', ...aboutOf(operation) }];
}
