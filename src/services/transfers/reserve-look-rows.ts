import { execute, select } from '../../../db/index.ts';
import { DAY_MS } from '../../shared/time.ts';
import { READY_RESERVES, soon } from '../purchases/reserve-rows.ts';

/**
 * Whether the last look at the domain of an alias shows that visitors get nothing by https, or are warned: no certificate was ever
 * seen, or it is none for that name, not trusted, or over. False for a domain without a look. Binds `$now`.
 */
export const isUnserved = (alias: string): string =>
  `EXISTS (SELECT 1 FROM certificates u WHERE u.domain_id = ${alias}.id AND u.domain_name = ${alias}.domain_name AND u.side = 'edge'
     AND (u.fault IS NOT NULL OR u.names_ok = 0 OR u.not_after <= $now OR (u.not_after IS NULL AND u.error IS NOT NULL)))`;

// A newer reserve may still wait for its first certificate.
const SETTLED_DAYS = 2;
const HAS_READY = `CASE WHEN
  (${READY_RESERVES} AND NOT (d.created_at < $settled AND ${isUnserved('d')})) = 0 THEN 0 ELSE 1 END`;
const times = () => {
  const now = Date.now();
  const settled = new Date(now - SETTLED_DAYS * DAY_MS).toISOString();
  return { soon: soon(), settled, now: new Date(now).toISOString() };
};

/** Notes for projects that were never looked at whether they have a ready reserve; `had`: for these alone, that they had one. */
export const insertReserveLooks = (had?: readonly number[]): Promise<unknown> =>
  execute(
    `INSERT INTO reserve_looks (project_id, ready) SELECT p.id, ${had ? '1' : HAS_READY} FROM projects p
     WHERE p.deleted_at IS NULL AND NOT EXISTS (SELECT 1 FROM reserve_looks r WHERE r.project_id = p.id)
       ${had ? 'AND p.id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids))' : ''} ON CONFLICT (project_id) DO NOTHING`,
    had ? { ids: JSON.stringify(had) } : times(),
  );

/** A project that has lost its last ready reserve, or has one again; `mains`: its main domains. */
export interface ReserveChange {
  id: number;
  name: string;
  ready: 0 | 1;
  mains: number;
}

/** Brings what is noted up to date, of all projects or of `ids`, and returns those that differ. Only inside a transaction. */
export async function updateReserveLooks(ids?: readonly number[]): Promise<ReserveChange[]> {
  const some = ids ? 'AND p.id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids))' : '';
  const changes = await select<ReserveChange>(
    `SELECT p.id, p.name, 1 - r.ready AS ready,
       (SELECT COUNT(*) FROM domains d WHERE d.project_id = p.id AND d.deleted_at IS NULL AND d.type = 'main') AS mains
     FROM reserve_looks r JOIN projects p ON p.id = r.project_id
     WHERE p.deleted_at IS NULL ${some} AND r.ready <> ${HAS_READY} ORDER BY p.id`,
    { ...times(), ...(ids && { ids: JSON.stringify(ids) }) },
  );
  if (changes.length > 0) {
    await execute(
      `UPDATE reserve_looks SET ready = 1 - ready WHERE project_id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids))`,
      { ids: JSON.stringify(changes.map(({ id }) => id)) },
    );
  }
  return changes;
}
