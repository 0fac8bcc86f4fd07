import { execute, select } from '../../../db/index.ts';
import { isUnserved } from '../transfers/reserve-look-rows.ts';
import type { CertificateRow, CertificateSide } from '../../shared/why/tables.ts';

/** A domain whose certificates are due for a look; `ssh_host` is the host of its server. `is_live` 0: a reserve without a deployed site. */
export interface CertificateTarget {
  id: number;
  domain_name: string;
  ssh_host: string | null;
  is_live: 0 | 1;
}

/** Before which times a last look makes a domain due: mains, and reserves; a reserve that visitors could not use is due as a main is. */
export interface DueBefore {
  main: string;
  reserve: string;
  /** Later looks were noted before the clock was set back. */
  now: string;
  most: number;
}

const LIVE = `(d.type = 'main' OR EXISTS (SELECT 1 FROM sites x WHERE x.domain_id = d.id AND x.release IS NOT NULL))`;

/** Returns the domains that are due: mains first, so that reserves that serve nobody hold none up; then those that were not looked at for the longest time. */
export const listDueCertificates = ({ main, reserve, now, most }: DueBefore): Promise<CertificateTarget[]> =>
  select(
    `SELECT d.id, d.domain_name, s.ssh_host, CASE WHEN ${LIVE} THEN 1 ELSE 0 END AS is_live FROM domains d LEFT JOIN servers s ON s.id = d.server_id
     LEFT JOIN certificates c ON c.domain_id = d.id AND c.side = 'edge' AND c.domain_name = d.domain_name
     WHERE d.deleted_at IS NULL AND (c.looked_at IS NULL OR c.looked_at > $now
         OR c.looked_at < CASE WHEN d.type = 'main' OR ${isUnserved('d')} THEN $main ELSE $reserve END)
     ORDER BY CASE d.type WHEN 'main' THEN 0 ELSE 1 END, COALESCE(c.looked_at, ''), d.id LIMIT $most`,
    { main, reserve, now, most },
  );

/** Returns the numbers of main domains and of reserves. */
export async function countWatched(): Promise<{ mains: number; reserves: number }> {
  const [row] = await select<{ mains: number; reserves: number }>(
    `SELECT count(*) FILTER (WHERE d.type = 'main') AS mains, count(*) FILTER (WHERE d.type <> 'main') AS reserves
     FROM domains d WHERE d.deleted_at IS NULL`,
  );
  return row!;
}

/** Returns the certificates of domains that were seen under their present names, the edge's first. */
export const listCertificates = (ids: readonly number[]): Promise<CertificateRow[]> =>
  select(
    `SELECT c.* FROM certificates c JOIN domains d ON d.id = c.domain_id AND d.domain_name = c.domain_name
     WHERE c.domain_id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids)) ORDER BY c.domain_id, c.side`,
    { ids: JSON.stringify(ids) },
  );

/** Stores looks, of domains that still have the name that was looked at. */
export async function upsertCertificates(rows: readonly CertificateRow[]): Promise<void> {
  await execute(
    `INSERT INTO certificates (domain_id, side, domain_name, issuer, names_ok, fault, not_after, looked_at, error, told)
     SELECT d.id, r.value ->> 'side', d.domain_name, r.value ->> 'issuer', CAST(r.value ->> 'names_ok' AS INTEGER),
       r.value ->> 'fault', r.value ->> 'not_after', r.value ->> 'looked_at', r.value ->> 'error',
       CAST(r.value ->> 'told' AS INTEGER)
     FROM json_each($rows) r JOIN domains d ON d.id = CAST(r.value ->> 'domain_id' AS INTEGER)
       AND d.domain_name = r.value ->> 'domain_name' AND d.deleted_at IS NULL WHERE true
     ON CONFLICT (domain_id, side) DO UPDATE SET domain_name = excluded.domain_name, issuer = excluded.issuer,
       names_ok = excluded.names_ok, fault = excluded.fault, not_after = excluded.not_after,
       looked_at = excluded.looked_at, error = excluded.error, told = excluded.told`,
    { rows: JSON.stringify(rows) },
  );
}

/** Deletes what was seen of one side of domains that no longer have it. */
export async function deleteCertificates(ids: readonly number[], side: CertificateSide): Promise<void> {
  await execute(
    `DELETE FROM certificates WHERE side = $side AND domain_id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids))`,
    { side, ids: JSON.stringify(ids) },
  );
}
