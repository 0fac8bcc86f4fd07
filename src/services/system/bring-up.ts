import { pendingMigrations } from '../../../db/migrate.ts';
import type { Message } from '../../shared/i18n/index.ts';

/**
 * Brings the open database up to date and returns the names of the migrations that ran. Most starts find it so: what makes the backup before is
 * loaded for an upgrade alone. `tell` gets what a person should know of it.
 */
export async function bringUp(tell: (message: Message) => void = () => undefined): Promise<string[]> {
  if ((await pendingMigrations()).length === 0) return [];
  return (await import('./backups/upgrade.ts')).upgradeDatabase(tell);
}
