import type { Migration } from '../index.ts';

// Names of before: `dns example.com`, `dns example.com sub.example.com`, `rule example.com *`; a word alone stood for itself.
const head = (text: string): string =>
  `CASE WHEN instr(${text}, ' ') = 0 THEN ${text} ELSE substr(${text}, 1, instr(${text}, ' ') - 1) END`;
const tail = (text: string): string => `substr(${text}, instr(${text}, ' ') + 1)`;
const kindOf = (name: string): string => `CASE WHEN instr(${name}, ' ') = 0 THEN 'item' ELSE ${head(name)} END`;
const nameOf = (name: string): string => head(tail(name));
const partOf = (name: string): string => `CASE WHEN instr(${tail(name)}, ' ') = 0 THEN '' ELSE ${tail(tail(name))} END`;

/** Stores what an operation has locked as rows, and what an item locks as columns. */
export const locks: Migration = {
  name: '0012-locks',
  statements: [
    `CREATE TABLE operation_locks (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      operation_id INTEGER NOT NULL REFERENCES operations (id) ON DELETE CASCADE,
      kind TEXT NOT NULL,
      name TEXT NOT NULL,
      part TEXT NOT NULL
    )`,
    `CREATE UNIQUE INDEX operation_locks_name ON operation_locks (kind, name, part, operation_id)`,
    `CREATE INDEX operation_locks_operation ON operation_locks (operation_id)`,
    `INSERT INTO operation_locks (operation_id, kind, name, part)
     SELECT DISTINCT o.id, ${kindOf('l.value')}, ${nameOf('l.value')}, ${partOf('l.value')}
     FROM operations o CROSS JOIN json_each(o.locks) l WHERE o.locks <> '[]'`,
    `ALTER TABLE operations DROP COLUMN locks`,
    `ALTER TABLE operation_items ADD COLUMN lock_kind TEXT NOT NULL DEFAULT ''`,
    `ALTER TABLE operation_items ADD COLUMN lock_name TEXT NOT NULL DEFAULT ''`,
    `ALTER TABLE operation_items ADD COLUMN lock_part TEXT NOT NULL DEFAULT ''`,
    `UPDATE operation_items SET lock_kind = ${kindOf('item')}, lock_name = ${nameOf('item')}, lock_part = ${partOf('item')}`,
    // The locks of an operation's items are as unique as their names were.
    `DROP INDEX operation_items_item`,
    `CREATE UNIQUE INDEX operation_items_lock ON operation_items (operation_id, lock_kind, lock_name, lock_part)`,
  ],
};
