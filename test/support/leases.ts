// The leases of killed processes expire half a minute later, which tests do not wait for.
import { execute, transaction } from '../../db/index.ts';

/** Expires every lease of the open database: those of operations, and of jobs. */
export async function endLeases(): Promise<void> {
  await transaction(async () => {
    for (const table of ['operations', 'schedule_runs']) {
      await execute(`UPDATE ${table} SET lease_until = '2000-01-01T00:00:00.000Z' WHERE lease_until IS NOT NULL`);
    }
  });
}
