/** The doors through which work comes in. `system` is the program itself, `test` a test below the doors. */
export const DOORS = ['ui', 'api', 'cli', 'schedule', 'operation', 'telegram', 'system', 'test'] as const;
export type DoorName = (typeof DOORS)[number];

/**
 * The audited action. `start`, `cancel`, `retry` and `finish` are of operations, `transfer` exchanges two domains; a blocklist is
 * taken over by itself (`update`) or by a person (`accept`), or its former one comes back (`restore`).
 */
export type AuditAction =
  | 'create'
  | 'update'
  | 'delete'
  | 'restore'
  | 'transfer'
  | 'accept'
  | 'sign_in'
  | 'sign_out'
  | 'start'
  | 'cancel'
  | 'retry'
  | 'finish';

/** The outcome: `done`, or the final state of an operation. */
export type AuditOutcome = 'done' | 'partial' | 'failed' | 'cancelled';

/**
 * A row of the audit. `object` is a table, or `blocklist`; a row about many objects has an `object_id` of null, and their ids. `before` and
 * `after` have the columns that changed, without secrets.
 */
export interface AuditEntry {
  id: number;
  at: string;
  user_id: number | null;
  login: string;
  door: DoorName;
  call: string;
  address: string | null;
  operation_id: number | null;
  action: AuditAction;
  object: string;
  object_id: number | null;
  object_ids: number[] | null;
  object_name: string | null;
  before: unknown;
  after: unknown;
  outcome: AuditOutcome;
  hash: string;
}

/** Filters of the audit; absent: any. `user` is a login, `name` a part of an object's name, `since` and `until` are times (ISO 8601 in UTC). */
export interface AuditSelection {
  name?: string | undefined;
  until?: string | undefined;
  user?: string | undefined;
  door?: DoorName | undefined;
  object?: string | undefined;
  object_id?: number | undefined;
  since?: string | undefined;
}

/** The fault of the first row that fails the verification: it is missing, changed, or behind the last known one. */
export type AuditFault = 'missing' | 'changed' | 'extra';

/** A row that was read before, and kept elsewhere: also who can change the database can't change that. */
export interface KnownRow {
  id: number;
  hash: string;
}

/** The result of a verification: the rows that were read, the last one, and the first fault. */
export interface AuditVerdict {
  rows: number;
  last_id: number;
  last_hash: string;
  fault: { id: number; kind: AuditFault } | null;
}
