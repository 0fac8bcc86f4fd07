import type { Config } from '../lib/config.ts';
import { databaseAddress } from '../lib/database-address.ts';
import type { Opened } from './context.ts';

/**
 * Opens the database of a command, creates and migrates it if needed, opens its key, and returns the actor: the user of
 * `--as`, or the host itself with an admin's rights.
 */
export async function openForCommand(config: Config, as: string | undefined): Promise<Opened> {
  const [{ openDatabase }, { migrate }, { SYSTEM }, { openKeys }] = await Promise.all([
    import('../../db/index.ts'),
    import('../../db/migrate.ts'),
    import('../services/access/scope.ts'),
    import('../services/access/keys.ts'),
  ]);
  await openDatabase(databaseAddress(config));
  const migrated = await migrate();
  await openKeys(config);
  if (as === undefined) return { config, actor: SYSTEM, migrated };
  const { actorOf } = await import('../services/access/users.ts');
  return { config, actor: await actorOf(as), migrated };
}
