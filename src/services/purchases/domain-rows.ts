import { select } from '../../../db/index.ts';
import type { DomainRow } from '../../shared/portfolio/tables.ts';

/** Returns the domain of a name that is not deleted, whoever it belongs to; undefined: there is none. */
export async function findDomainNamed(
  domain_name: string,
): Promise<Pick<DomainRow, 'id' | 'project_id' | 'expired_at'> | undefined> {
  const [row] = await select<Pick<DomainRow, 'id' | 'project_id' | 'expired_at'>>(
    'SELECT id, project_id, expired_at FROM domains WHERE domain_name = $domain_name AND deleted_at IS NULL',
    { domain_name },
  );
  return row;
}

/** Whether a project is there and not deleted, and who owns it. */
export async function findProjectOwner(project_id: number): Promise<number | null> {
  const [row] = await select<{ user_id: number }>(
    'SELECT user_id FROM projects WHERE id = $project_id AND deleted_at IS NULL',
    { project_id },
  );
  return row?.user_id ?? null;
}

/** Returns those of the projects that are not deleted, with their names. */
export const listProjectNames = (ids: readonly number[]): Promise<{ id: number; name: string }[]> =>
  select(
    `SELECT id, name FROM projects WHERE deleted_at IS NULL AND id IN (SELECT CAST(value AS INTEGER) FROM json_each($ids)) ORDER BY id`,
    { ids: JSON.stringify(ids) },
  );

/** Returns the first active admin; null: there is none. */
export async function findFirstAdmin(): Promise<number | null> {
  const [row] = await select<{ id: number }>(
    `SELECT id FROM users WHERE role = 'admin' AND active = 1 ORDER BY id LIMIT 1`,
  );
  return row?.id ?? null;
}
