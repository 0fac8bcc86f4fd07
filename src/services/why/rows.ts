import { execute, select } from '../../../db/index.ts';
import type { DiagnosisRow } from '../../shared/why/tables.ts';

/** Returns the user who holds a domain; undefined: there is no such domain. */
export async function findHolder(domain_id: number): Promise<{ user_id: number } | undefined> {
  const [row] = await select<{ user_id: number }>(
    `SELECT COALESCE(p.user_id, d.user_id) AS user_id FROM domains d LEFT JOIN projects p ON p.id = d.project_id
     WHERE d.id = $domain_id AND d.deleted_at IS NULL`,
    { domain_id },
  );
  return row;
}

/** Returns the names of a domain's project, its own, and those that were attached to it. */
export const listFamily = (domain_id: number): Promise<{ domain_name: string }[]> =>
  select(
    `SELECT o.domain_name FROM domains d JOIN domains o ON o.project_id = d.project_id AND o.deleted_at IS NULL WHERE d.id = $domain_id
     UNION SELECT a.forward_to FROM domains d JOIN attachments a ON a.domain_name = d.domain_name WHERE d.id = $domain_id`,
    { domain_id },
  );

/** Returns the last diagnosis of a domain under its present name; undefined: it was not asked about yet. */
export async function findDiagnosisRow(domain_id: number): Promise<DiagnosisRow | undefined> {
  const [row] = await select<DiagnosisRow>(
    `SELECT w.* FROM diagnoses w JOIN domains d ON d.id = w.domain_id AND d.domain_name = w.domain_name
     WHERE w.domain_id = $domain_id`,
    { domain_id },
  );
  return row;
}

/**
 * Stores a diagnosis in place of the former one, unless that is younger. Does nothing for a domain that is gone or has another
 * name by now.
 */
export async function upsertDiagnosis(row: DiagnosisRow): Promise<void> {
  await execute(
    `INSERT INTO diagnoses (domain_id, domain_name, asked_at, broken, steps)
     SELECT d.id, d.domain_name, $asked_at, $broken, $steps FROM domains d
     WHERE d.id = $domain_id AND d.domain_name = $domain_name AND d.deleted_at IS NULL
     ON CONFLICT (domain_id) DO UPDATE SET domain_name = excluded.domain_name, asked_at = excluded.asked_at,
       broken = excluded.broken, steps = excluded.steps WHERE diagnoses.asked_at <= excluded.asked_at`,
    { ...row },
  );
}
