// The leases of killed processes expire half a minute later, which tests do not wait for.
import { execute, transaction } from '../../db/index.ts';

/** Expires every lease of the open database. */
export async function endLeases(): Promise<void> {
  await transaction(() =>
    execute(`UPDATE operations SET lease_until = '2000-01-01T00:00:00.000Z' WHERE lease_until IS NOT NULL`),
  );
}
