import { flag, id, integer, json, machine, optional, reference, table, text, time, type Row } from '../table.ts';
import type { ItemState, OperationState } from '../operations.ts';

/** The operations table. JSON columns are text; `lease_until` is when another process may take the work over. */
export const operations = table('operations', machine('progress of work; its start and end are noted'), {
  id: id(),
  kind: text(),
  subject: text(),
  user_id: optional(reference('users', 'SET NULL')),
  input: json(),
  state: text<OperationState>(),
  total: integer(),
  done: integer(),
  failed: integer(),
  steps: json(),
  message: json(),
  held: optional(json()),
  lease_owner: optional(text()),
  lease_until: optional(time()),
  /** Raised by each claim above all others: what is done under a higher one was begun later, whatever any clock says. */
  fence: integer(),
  created_at: time(),
  finished_at: optional(time()),
  idem_key: optional(text()),
  request_hash: optional(text()),
  cancel_requested: flag(),
  changed_at: time(),
  /** Until when its calls wait for the limit of an outside service; null: they don't. */
  waits_until: optional(time()),
  /** Whether a person asked for it, or it began by itself. */
  asked_by: text<'person' | 'automation'>(),
  /** The kind of the operation that this one restores; null for all that restore none. */
  restored_kind: optional(text()),
  /** How often it was put back into the queue after its end. */
  tries: integer(),
  /** The id of the request that asked for it: the lines of the log about its work have it. */
  request_id: optional(text()),
  /** Whether a person has stopped it: no process goes on with it by itself. */
  stopped: flag(),
  /** Where a trace stood when it was asked for (W3C `traceparent`): the trace goes on with its work. */
  trace: optional(text()),
});
export type OperationRow = Row<typeof operations>;

/** The plans table: plans that were shown, by hash. `items` is JSON: by item the digest of its acts and its zone; null if it failed. */
export const plans = table('plans', machine('what was shown, for a day'), {
  id: id(),
  hash: text(),
  items: json(),
  created_at: time(),
});
export type PlanRow = Row<typeof plans>;

/** The operation_items table: `lane` is the outside account whose budget pays, `data` and `acts` are JSON. */
export const operationItems = table('operation_items', machine('the journal of an operation'), {
  id: id(),
  operation_id: reference('operations', 'CASCADE'),
  item: text(),
  lane: text(),
  data: json(),
  state: text<ItemState>(),
  acts: json(),
  attempt: integer(),
  not_before: optional(time()),
  error: optional(json()),
  changed_at: time(),
  /** A StoredWait as JSON, while an act of it cannot go on yet. */
  waiting: optional(json()),
  /** The item's own lock, which counts until the item has ended; `lock_part` is '' for the whole. */
  lock_kind: text(),
  lock_name: text(),
  lock_part: text(),
  /** The account that the lane stands for; null: none. */
  lane_id: optional(integer()),
  /** The key of the message in `error`. */
  error_key: optional(text()),
  /** Whether an act was begun and its end is not known. */
  in_doubt: flag(),
  /** Whether there is something to restore: an act was done, or begun with an unknown end. */
  touched: flag(),
  /** Whether its restore has found a difference that stays on purpose. */
  stays: flag(),
});
export type OperationItemRow = Row<typeof operationItems>;

/** The operation_locks table: what no other operation may work on until this one ends, besides its items. */
export const operationLocks = table('operation_locks', machine('what an operation works on'), {
  id: id(),
  operation_id: reference('operations', 'CASCADE'),
  kind: text(),
  name: text(),
  /** A part of the named thing; '' for the whole, '*' for all its parts. */
  part: text(),
});
export type OperationLockRow = Row<typeof operationLocks>;

/** The operation_uses table: the accounts that an operation works with; `kind` is the table of the row. */
export const operationUses = table('operation_uses', machine('what an operation works with'), {
  id: id(),
  operation_id: reference('operations', 'CASCADE'),
  kind: text(),
  used_id: integer(),
});
export type OperationUseRow = Row<typeof operationUses>;

/** The operation_results table: a packed batch of an operation's results (`services/checks/check-results.ts`). */
export const operationResults = table('operation_results', machine('what a check has found, for a day'), {
  id: id(),
  operation_id: reference('operations', 'CASCADE'),
  results: text(),
  created_at: time(),
});
export type OperationResultRow = Row<typeof operationResults>;
