import type { Migration } from '../index.ts';

const CHECK_RUNS = `CREATE TABLE check_runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operation_id INTEGER NOT NULL UNIQUE REFERENCES operations (id) ON DELETE CASCADE,
  user_id INTEGER,
  project_id INTEGER,
  part TEXT,
  stored_at TEXT
)`;

const USES = `CREATE TABLE operation_uses (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operation_id INTEGER NOT NULL REFERENCES operations (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  used_id INTEGER NOT NULL
)`;

// Subjects of checks began with whose domains they were of, `all` or `user 5`; of automatic transfers with `auto `.
const WHO = `substr(subject, 1, instr(subject || '/', '/') - 1)`;
const OLD_RUNS = `INSERT INTO check_runs (operation_id, user_id, project_id, part, stored_at)
  SELECT id, CASE WHEN ${WHO} = 'all' THEN NULL ELSE COALESCE(user_id, 0) END, CAST(input ->> 'project_id' AS INTEGER),
    COALESCE(input ->> 'domain_ids', input ->> 'status'),
    CASE WHEN EXISTS (SELECT 1 FROM json_each(steps) s WHERE s.value ->> 'name' = 'blocklist' AND s.value ->> 'state' = 'succeeded')
      THEN COALESCE(finished_at, changed_at) END
  FROM operations WHERE kind = 'check'`;

const laneOf = (
  prefix: string,
): string => `SELECT operation_id, CAST(substr(lane, ${prefix.length + 1}) AS INTEGER) AS used
  FROM operation_items WHERE lane LIKE '${prefix}%'`;
const dataOf = (
  kind: string,
  field: string,
): string => `SELECT i.operation_id, CAST(i.data ->> '${field}' AS INTEGER) AS used
  FROM operation_items i JOIN operations o ON o.id = i.operation_id WHERE o.kind = '${kind}'`;
const usesOf = (kind: string, sources: string[]): string => `INSERT INTO operation_uses (operation_id, kind, used_id)
  SELECT DISTINCT operation_id, '${kind}', used FROM (${sources.join(' UNION ALL ')}) found WHERE used IS NOT NULL`;

const has = (state: string): string => `instr(acts, '"state":"${state}"') > 0`;

/**
 * Who asked for an operation, what it uses and what its acts have come to, as columns and rows; which domains a check was
 * of.
 */
export const operationFacts: Migration = {
  name: '0013-operation-facts',
  statements: [
    `ALTER TABLE operations ADD COLUMN asked_by TEXT NOT NULL DEFAULT 'person' CHECK (asked_by IN ('person', 'automation'))`,
    `ALTER TABLE operations ADD COLUMN restored_kind TEXT`,
    `UPDATE operations SET asked_by = 'automation' WHERE kind = 'transfer' AND substr(subject, 1, 5) = 'auto '`,
    `UPDATE operations SET restored_kind = input ->> 'kind' WHERE kind = 'restore'`,
    CHECK_RUNS,
    OLD_RUNS,
    USES,
    `CREATE UNIQUE INDEX operation_uses_used ON operation_uses (kind, used_id, operation_id)`,
    `CREATE INDEX operation_uses_operation ON operation_uses (operation_id)`,
    usesOf('cloudflare_accounts', [
      laneOf('cloudflare:'),
      dataOf('transfer', 'source_account'),
      dataOf('transfer', 'target_account'),
      dataOf('dns_change', 'account_id'),
    ]),
    usesOf('servers', [laneOf('ssh:'), dataOf('transfer', 'server_id'), dataOf('dns_change', 'server_id')]),
    `ALTER TABLE operation_items ADD COLUMN lane_id INTEGER`,
    `ALTER TABLE operation_items ADD COLUMN error_key TEXT`,
    `ALTER TABLE operation_items ADD COLUMN in_doubt INTEGER NOT NULL DEFAULT 0`,
    `ALTER TABLE operation_items ADD COLUMN touched INTEGER NOT NULL DEFAULT 0`,
    `ALTER TABLE operation_items ADD COLUMN stays INTEGER NOT NULL DEFAULT 0`,
    `UPDATE operation_items SET error_key = error ->> 'key',
       lane_id = CASE WHEN lane LIKE 'cloudflare:%' OR lane LIKE 'ssh:%' THEN CAST(substr(lane, instr(lane, ':') + 1) AS INTEGER) END,
       in_doubt = CASE WHEN ${has('intent')} THEN 1 ELSE 0 END,
       touched = CASE WHEN ${has('intent')} OR ${has('done')} THEN 1 ELSE 0 END,
       stays = CASE WHEN instr(acts, '"stays":true') > 0 THEN 1 ELSE 0 END`,
  ],
};
