import { select } from '../../../db/index.ts';
import type { DomainRow } from '../../shared/portfolio/tables.ts';

/**
 * Returns those of the names that are or were in anybody's portfolio, or that a purchase holds or has paid for. A name may come several
 * times; `deleted_at` of a purchase is when it changed last. Reads all names once, as those that were deleted have no index.
 */
export const listHeldNames = (names: readonly string[]): Promise<Pick<DomainRow, 'domain_name' | 'deleted_at'>[]> =>
  select(
    `SELECT domain_name, deleted_at FROM domains WHERE domain_name IN (SELECT value FROM json_each($names))
     UNION ALL SELECT domain_name, changed_at FROM purchases
     WHERE state NOT IN ('released', 'simulated') AND domain_name IN (SELECT value FROM json_each($names))`,
    { names: JSON.stringify(names) },
  );

/** Returns those of the names below which there is or was a name in anybody's portfolio. Reads all names once. */
export async function listNamesWithChildren(names: readonly string[]): Promise<string[]> {
  const rows = await select<{ name: string }>(
    `WITH RECURSIVE above (name) AS (
       SELECT substr(domain_name, instr(domain_name, '.') + 1) FROM domains WHERE domain_name LIKE '%.%.%'
       UNION SELECT substr(name, instr(name, '.') + 1) FROM above WHERE name LIKE '%.%.%')
     SELECT name FROM above WHERE name IN (SELECT value FROM json_each($names))`,
    { names: JSON.stringify(names) },
  );
  return rows.map(({ name }) => name);
}
