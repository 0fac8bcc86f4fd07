import { execute, executeUnaudited, select } from '../../../db/index.ts';
import { sessions } from '../../shared/access/tables.ts';
import { checks, verdictBaselines } from '../../shared/checks/tables.ts';
import { events, noticeDeliveries, notices, noticeSubjects } from '../../shared/notices/tables.ts';
import { telegramMessages, telegramPendings } from '../../shared/notices/telegram-tables.ts';
import { operationItems, operationLocks, operationResults, operations, plans } from '../../shared/operations/tables.ts';
import { domains, imports, projects } from '../../shared/portfolio/tables.ts';
import type { Table } from '../../shared/table.ts';
import { transferDecisions } from '../../shared/transfers/tables.ts';

/**
 * Rows of a table that are past their time: `condition` refers to the table alone and to `$before`, and finds them; `still` says the same
 * of a few rows without a look at all that they belong to, which each slice would repeat.
 */
export interface Past {
  table: Table;
  condition: string;
  still?: string;
}

const OF_DELETED = 'domain_id IN (SELECT id FROM domains WHERE deleted_at < $before)';

/** Makes the rule of rows that go with what they belong to, and before it: one of that may have thousands. */
const partOf = (table: Table, whole: Table, reference: string, ended: string): Past => ({
  table,
  condition: `${reference} IN (SELECT id FROM ${whole.name} WHERE ${ended} < $before)`,
  still: `EXISTS (SELECT 1 FROM ${whole.name} w WHERE w.id = ${table.name}.${reference} AND w.${ended} < $before)`,
});

/** The rows that a purge deletes, by the time in `$before`. */
export const PAST = {
  items: partOf(operationItems, operations, 'operation_id', 'finished_at'),
  locks: partOf(operationLocks, operations, 'operation_id', 'finished_at'),
  results: { table: operationResults, condition: 'created_at < $before' },
  operations: { table: operations, condition: 'finished_at < $before' },
  idemKeys: { table: operations, condition: 'idem_key IS NOT NULL AND created_at < $before' },
  // The former values for an undo: some megabytes of a large import.
  undos: { table: imports, condition: `(created_at < $before OR undone_at IS NOT NULL) AND before <> '{}'` },
  sessions: { table: sessions, condition: 'expires_at < $before' },
  plans: { table: plans, condition: 'created_at < $before' },
  // The last decision about a domain stays: with it the next one is compared.
  decisions: {
    table: transferDecisions,
    condition: `created_at < $before AND EXISTS (SELECT 1 FROM transfer_decisions later
      WHERE later.domain_id = transfer_decisions.domain_id AND later.id > transfer_decisions.id)`,
  },
  baselines: { table: verdictBaselines, condition: 'since < $before' },
  // An event that no process has grouped for so long is told by nobody any more.
  events: { table: events, condition: 'at < $before' },
  subjects: partOf(noticeSubjects, notices, 'notice_id', 'closed_at'),
  deliveries: partOf(noticeDeliveries, notices, 'notice_id', 'closed_at'),
  notices: { table: notices, condition: 'closed_at < $before' },
  // Tries of channels, which are about no notice.
  tries: { table: noticeDeliveries, condition: 'notice_id IS NULL AND created_at < $before' },
  // Of a bot that is off: nobody else would delete them.
  telegramMessages: { table: telegramMessages, condition: 'created_at < $before' },
  telegramPendings: { table: telegramPendings, condition: 'expires_at < $before' },
  checksOfDeleted: partOf(checks, domains, 'domain_id', 'deleted_at'),
  domains: { table: domains, condition: 'deleted_at < $before' },
  projects: { table: projects, condition: 'deleted_at < $before' },
} satisfies Record<string, Past>;

const LISTED = 'IN (SELECT CAST(value AS INTEGER) FROM json_each($ids))';

/** Returns the ids of rows that are past their time. */
export const listPast = ({ table, condition }: Past, before: string, limit: number): Promise<{ id: number }[]> =>
  select(`SELECT id FROM ${table.name} WHERE ${condition} LIMIT $limit`, { before, limit });

/** Deletes those of the rows that are past their time; `ids` is JSON. */
export async function deletePast(
  { table, condition, still = condition }: Past,
  before: string,
  ids: string,
): Promise<void> {
  const sql = `DELETE FROM ${table.name} WHERE id ${LISTED} AND ${still}`;
  await executeUnaudited('purge', sql, { ids, before });
}

/** Deletes the daily figures of those of the domains that are past their time; `ids` is JSON. */
export async function deleteDaysOfDeleted(before: string, ids: string): Promise<void> {
  await execute(`DELETE FROM check_days WHERE domain_id ${LISTED} AND ${OF_DELETED}`, { ids, before });
}

/** Keeps the ids of those of the domains that are past their time in the moves of their projects; `ids` is JSON. */
export async function keepMoved(before: string, ids: string): Promise<void> {
  for (const side of ['main', 'transfer']) {
    await execute(
      `UPDATE transfer_history SET gone_${side}_id = ${side}_domain_id WHERE ${side}_domain_id ${LISTED}
         AND ${side}_${OF_DELETED}`,
      { ids, before },
    );
  }
}

/** Removes the keys of those of the requests that are past their time; `ids` is JSON. */
export async function clearIdemKeys(before: string, ids: string): Promise<void> {
  await execute(`UPDATE operations SET idem_key = NULL WHERE id ${LISTED} AND ${PAST.idemKeys.condition}`, {
    ids,
    before,
  });
}

/** Drops what an undo would have to give back of those of the imports that are past their time; `ids` is JSON. */
export async function clearUndos(before: string, ids: string): Promise<void> {
  const sql = `UPDATE imports SET before = '{}' WHERE id ${LISTED} AND ${PAST.undos.condition}`;
  await executeUnaudited('purge', sql, { ids, before });
}

/** Checks of one look: `ids`, as JSON, of those to delete, and the last id that was looked at; null: there were none. */
export interface OldChecks {
  ids: string;
  last: number | null;
}

/**
 * Looks through `limit` checks from the id after `at` on for those of before a time, except for the newest three of each
 * domain and kind. There is no index on the time, which every check would have to write.
 */
export async function findOldChecks(at: number, before: string, limit: number): Promise<OldChecks> {
  const newer = `(SELECT count(*) FROM (SELECT 1 FROM checks n WHERE n.domain_id = c.domain_id AND n.kind = c.kind AND n.id > c.id LIMIT 3) AS newest)`;
  const [row] = await select<OldChecks>(
    `SELECT max(c.id) AS last, 
       COALESCE(json_group_array(c.id) FILTER (WHERE c.checked_at < $before AND ${newer} = 3), '[]') AS ids
     FROM (SELECT * FROM checks WHERE id > $at ORDER BY id LIMIT $limit) c`,
    { at, before, limit },
  );
  return row ?? { ids: '[]', last: null };
}

/** Deletes checks; `ids` is JSON. */
export async function deleteChecks(ids: string): Promise<void> {
  await execute(`DELETE FROM checks WHERE id ${LISTED}`, { ids });
}

/** Returns the ids of domains, deleted ones as well, in their order from the one after `at` on. */
export const listDomainIdsAfter = (at: number, limit: number): Promise<{ id: number }[]> =>
  select('SELECT id FROM domains WHERE id > $at ORDER BY id LIMIT $limit', { at, limit });

/** Deletes the daily figures of before a day of the domains with ids above `from` and up to `to`. */
export async function deleteDaysBefore(day: string, from: number, to: number): Promise<void> {
  await execute(
    `DELETE FROM check_days WHERE domain_id IN (SELECT id FROM domains WHERE id > $from AND id <= $to) AND day < $day`,
    { day, from, to },
  );
}
