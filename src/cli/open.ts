import { openDatabase } from '../../db/index.ts';
import { pendingMigrations } from '../../db/migrate.ts';
import { useConfig, type Config } from '../lib/config.ts';
import { databaseAddress } from '../lib/database-address.ts';
import { openBudgets } from '../services/accounts/call-budgets.ts';
import { openKeys } from '../services/access/keys.ts';
import { SYSTEM } from '../services/access/scope.ts';
import { actorOf } from '../services/access/users.ts';
import type { Opened } from './context.ts';

/** Brings the open database up to date, which most commands find so: what makes backups is loaded for it alone. */
async function broughtUp(): Promise<string[]> {
  if ((await pendingMigrations()).length === 0) return [];
  return (await import('../services/system/backups/upgrade.ts')).upgradeDatabase();
}

/**
 * Opens the database of a command, creates and migrates it if needed, opens its key, and returns the actor: the user of
 * `--as`, or the host itself with an admin's rights.
 */
export async function openForCommand(config: Config, as: string | undefined): Promise<Opened> {
  useConfig(config);
  await openDatabase(databaseAddress(config));
  openBudgets();
  const migrated = await broughtUp();
  await openKeys(config);
  return { config, actor: as === undefined ? SYSTEM : await actorOf(as), migrated };
}
