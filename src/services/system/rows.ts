import { dialect, select } from '../../../db/index.ts';
import type { DomainRow } from '../../shared/portfolio/tables.ts';
import type { Table } from '../../shared/table.ts';
import { bindings, VISIBLE, type Actor } from '../access/scope.ts';

/** A row, and a text that differs after it was changed. */
export interface Stamped {
  id: number;
  stamp: string;
}

/** Returns the operations that have changed since a time, in the order of their changes. */
export const listChangedOperations = (since: string): Promise<Stamped[]> =>
  select(
    `SELECT id, concat_ws('/', changed_at, state, done, failed, cancel_requested) AS stamp FROM operations
     WHERE changed_at >= $since ORDER BY changed_at, id`,
    { since },
  );

/** Returns the domains that have changed since a time. */
export const listChangedDomains = (since: string): Promise<Stamped[]> =>
  select('SELECT id, updated_at AS stamp FROM domains WHERE updated_at >= $since', { since });

/** Returns the notices that have changed since a time, of the last ones: their number does not grow with the table. */
export const listChangedNotices = (since: string): Promise<Stamped[]> =>
  select(
    `SELECT id, changed_at AS stamp FROM (SELECT id, changed_at FROM notices ORDER BY id DESC LIMIT 300) n
     WHERE changed_at >= $since`,
    { since },
  );

/** Returns the operations whose lease a process holds. */
export const listHeldOperations = (lease_owner: string): Promise<{ id: number }[]> =>
  select('SELECT id FROM operations WHERE lease_owner = $lease_owner', { lease_owner });

/** The tables whose rows tell of domains, with the SQL of a row's domain ids as a JSON list. */
const TOLD = { check_batches: 'domain_ids', transfer_decisions: 'json_array(domain_id)' } as const;
export type ToldBy = keyof typeof TOLD;

/** Returns the highest id of a table that tells of domains; 0: it is empty. */
export async function findLastTold(table: ToldBy): Promise<number> {
  const [row] = await select<{ id: number | null }>(`SELECT max(id) AS id FROM ${table}`);
  return row?.id ?? 0;
}

/** Returns rows after an id, each with the ids of its domains as a JSON list. */
export const listToldAfter = (table: ToldBy, last: number, limit: number): Promise<{ id: number; ids: string }[]> =>
  select(`SELECT id, ${TOLD[table]} AS ids FROM ${table} WHERE id > $last ORDER BY id LIMIT $limit`, { last, limit });

/** The fields of a domain that are told when it has changed. */
export type DomainEvent = Pick<
  DomainRow,
  | 'id'
  | 'domain_name'
  | 'project_id'
  | 'status'
  | 'http_status_code'
  | 'http_error'
  | 'last_http_check_at'
  | 'last_block_check_at'
  | 'expired_at'
  | 'updated_at'
>;

/** Returns those of the domains that an actor may see. */
export const listDomainEvents = (actor: Actor, ids: readonly number[]): Promise<DomainEvent[]> =>
  select(
    `SELECT d.id, d.domain_name, d.project_id, d.status, d.http_status_code, d.http_error, d.last_http_check_at,
       d.last_block_check_at, d.expired_at, d.updated_at
     FROM domains d LEFT JOIN projects p ON p.id = d.project_id
     WHERE ${VISIBLE.domains(actor)} AND d.id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids)) ORDER BY d.id`,
    { ids: JSON.stringify(ids), ...bindings(actor) },
  );

/** Returns the number of rows in a table. */
export async function countRows({ name }: Table): Promise<number> {
  const [row] = await select<{ n: number }>(`SELECT COUNT(*) AS n FROM ${name}`);
  return row?.n ?? 0;
}

/** Returns how many bytes some tables take, with their indexes. */
export async function sumBytes(tables: readonly Table[]): Promise<number> {
  const [row] = await select<{ bytes: number | null }>(
    dialect() === 'sqlite'
      ? `SELECT sum(pgsize) AS bytes FROM dbstat WHERE aggregate = TRUE AND name IN
           (SELECT name FROM sqlite_master WHERE tbl_name IN (SELECT value FROM json_each($tables)))`
      : `SELECT sum(pg_total_relation_size(value::regclass)) AS bytes FROM json_each($tables)`,
    { tables: JSON.stringify(tables.map(({ name }) => name)) },
  );
  return row?.bytes ?? 0;
}

/** Returns how many bytes the open database takes on a PostgreSQL server. */
export async function findServerBytes(): Promise<number> {
  const [row] = await select<{ bytes: number }>('SELECT pg_database_size(current_database()) AS bytes');
  return row?.bytes ?? 0;
}

/** Returns how many bytes of the database file are free; 0 on a PostgreSQL server, which keeps its files itself. */
export async function findFreeBytes(): Promise<number> {
  if (dialect() !== 'sqlite') return 0;
  const [row] = await select<{ free: number }>(
    'SELECT freelist_count * page_size AS free FROM pragma_freelist_count, pragma_page_size',
  );
  return row?.free ?? 0;
}

/** Returns the first fault that the database itself finds without its indexes; null: none. A PostgreSQL server checks its own files. */
export async function findCoarseDamage(): Promise<string | null> {
  if (dialect() !== 'sqlite') return null;
  const [row] = await select<{ quick_check: string }>('PRAGMA quick_check(1)');
  return row?.quick_check === 'ok' ? null : (row?.quick_check ?? '');
}

/** Returns the first fault that the database itself finds, references included; null: none. Reads the whole file; on PostgreSQL nothing. */
export async function findDamage(): Promise<string | null> {
  if (dialect() !== 'sqlite') return null;
  const [row] = await select<{ integrity_check: string }>('PRAGMA integrity_check(1)');
  if (row?.integrity_check !== 'ok') return row?.integrity_check ?? 'integrity_check';
  return (await select('PRAGMA foreign_key_check')).length > 0 ? 'foreign_key_check' : null;
}

/** Writes the open database, as it is at one moment, into a new file. Call outside of transactions. */
export async function copyInto(file: string): Promise<void> {
  await select('VACUUM INTO $file', { file });
}
