import { stat } from 'node:fs/promises';
import { appliedMigrations, pendingMigrations } from '../../../../db/migrate.ts';
import type { Config } from '../../../lib/config.ts';
import { databaseAddress, shownAddress } from '../../../lib/database-address.ts';
import { users } from '../../../shared/access/tables.ts';
import { checks } from '../../../shared/checks/tables.ts';
import { operations } from '../../../shared/operations/tables.ts';
import { domains, projects } from '../../../shared/portfolio/tables.ts';
import { countRows, findDamage, findServerBytes } from '../rows.ts';
import type { Files } from './backup.ts';

/** The state of the open database. `integrity` is `ok` or the first fault. */
export interface DatabaseView {
  file: string;
  bytes: number;
  integrity: string;
  applied: string[];
  pending: string[];
  counts: Record<string, number>;
}

const COUNTED = [users, projects, domains, checks, operations];

/** Returns address, size, integrity, migrations and row counts of the open database. Reads the whole file. */
export async function databaseStatus(config: Files & Pick<Config, 'databaseUrl'>): Promise<DatabaseView> {
  const file = shownAddress(databaseAddress(config));
  const bytes = config.databaseUrl === undefined ? (await stat(file)).size : await findServerBytes();
  const applied = await appliedMigrations();
  const pending = await pendingMigrations();
  const counts: Record<string, number> = {};
  for (const table of applied.length > 0 ? COUNTED : []) {
    counts[table.name] = await countRows(table);
  }
  return { file, bytes, integrity: (await findDamage()) ?? 'ok', applied, pending, counts };
}
