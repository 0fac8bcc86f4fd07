import { id, integer, json, machine, optional, table, text, time, type Row } from '../table.ts';
import type { AuditAction, AuditOutcome, DoorName } from './audit.ts';

/**
 * The audit table: a row for each decision, numbered without gaps, never changed (triggers). It refers to no other table,
 * because it outlives them. `hash` is over the hash of the row before and its own content (`db/audit-chain.ts`).
 */
export const audit = table('audit', machine('the audit itself'), {
  id: id(),
  at: time(),
  user_id: optional(integer()),
  login: text(),
  door: text<DoorName>(),
  call: text(),
  address: optional(text()),
  operation_id: optional(integer()),
  action: text<AuditAction>(),
  object: text(),
  object_id: optional(integer()),
  object_ids: optional(json()),
  object_name: optional(text()),
  before: optional(json()),
  after: optional(json()),
  outcome: text<AuditOutcome>(),
  hash: text(),
});
export type AuditRow = Row<typeof audit>;

/** The audit_head table: one row that repeats the last row's number and hash, so that missing last rows are noticed. */
export const auditHead = table('audit_head', machine('the audit itself'), {
  id: id(),
  last_id: integer(),
  hash: text(),
});
export type AuditHeadRow = Row<typeof auditHead>;

/**
 * The audit_anchor table: one row with the number and hash of the last row that was deleted because of its age, from which the
 * chain is verified. The deletion is a row of the audit itself.
 */
export const auditAnchor = table('audit_anchor', machine('the audit itself'), {
  id: id(),
  last_id: integer(),
  hash: text(),
});
