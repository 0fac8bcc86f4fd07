import type { OperationState } from '../../shared/operations.ts';
import type { ItemState, StoredAct } from '../../shared/operations.ts';
import type { DoorName } from '../../shared/audit/audit.ts';
import type { Message } from '../../shared/i18n/index.ts';
import { iso, type Row } from './time.ts';

/** An item of a past work; `uses` is the account of its lane. */
export interface WorkItem {
  kind: string;
  name: string;
  lane: string;
  uses: { kind: string; id: number };
  data: object;
  state: ItemState;
  acts: StoredAct[];
  error?: Message | undefined;
}

/** A long work of the past, before it has a number. Without a `user` it began by itself or on the host. */
export interface Work {
  kind: string;
  subject: string;
  user: number | null;
  door: DoorName;
  call: string;
  input: object;
  at: number;
  seconds: number;
  state: OperationState;
  total: number;
  done: number;
  failed: number;
  steps: { name: string; done: number; failed: number; state?: 'failed' | 'succeeded'; again?: true }[];
  message: Message;
  items: WorkItem[];
  restored_kind?: string;
}

/** A work with its number. */
export type Numbered = Work & { id: number };

/** Numbers works in the order of their begin. */
export const numbered = (works: readonly Work[]): Numbered[] =>
  works.toSorted((one, other) => one.at - other.at).map((work, index) => Object.assign(work, { id: index + 1 }));

/** When a work ended. */
export const endOf = ({ at, seconds }: Work): number => at + seconds * 1_000;

/** Whether a work began by itself. */
export const isAutomatic = ({ door }: Work): boolean => door === 'schedule';

/** Returns the rows of works: what they were, their items, and the accounts that they used. */
export function workRows(
  works: readonly Numbered[],
): Record<'operations' | 'operation_items' | 'operation_uses', Row[]> {
  const operations = works.map((work): Row => {
    const { id, kind, subject, user, input, state, total, done, failed, steps, message } = work;
    const ended = iso(endOf(work));
    return {
      id,
      kind,
      subject,
      user_id: user,
      input: JSON.stringify(input),
      state,
      total,
      done,
      failed,
      steps: JSON.stringify(steps.map((step) => Object.assign({ state: 'succeeded' }, step))),
      message: JSON.stringify(message),
      fence: 1,
      created_at: iso(work.at),
      finished_at: ended,
      cancel_requested: state === 'cancelled' ? 1 : 0,
      changed_at: ended,
      asked_by: isAutomatic(work) ? 'automation' : 'person',
      restored_kind: work.restored_kind ?? null,
      tries: 0,
    };
  });
  const operation_items = works.flatMap((work) =>
    work.items.map(({ kind, name, lane, uses, data, state, acts, error }, index): Row => ({
      operation_id: work.id,
      item: `${kind} ${name}`,
      lane,
      data: JSON.stringify(data),
      state,
      acts: JSON.stringify(acts),
      attempt: 0,
      error: error ? JSON.stringify(error) : null,
      changed_at: iso(work.at + ((index + 1) / work.items.length) * work.seconds * 1_000),
      lock_kind: kind,
      lock_name: name,
      lock_part: '',
      lane_id: uses.id,
      error_key: error?.key ?? null,
      in_doubt: 0,
      // The state before the work is not stored: nothing of the past can be restored.
      touched: 0,
      stays: 0,
    })),
  );
  const operation_uses = works.flatMap(({ id, items }) =>
    [...new Map(items.map(({ uses }) => [`${uses.kind} ${uses.id}`, uses])).values()].map((uses): Row => ({
      operation_id: id,
      kind: uses.kind,
      used_id: uses.id,
    })),
  );
  return { operations, operation_items, operation_uses };
}
