import type { Config } from '../lib/config.ts';
import type { Opened } from './context.ts';

/**
 * Opens the database of a command, made and brought up to date where needed, and finds for whom it acts: the user of
 * `--as`, or the host itself with an admin's rights.
 */
export async function openForCommand(config: Config, as: string | undefined): Promise<Opened> {
  const [{ openDatabase }, { migrate }, { SYSTEM }] = await Promise.all([
    import('../../db/index.ts'),
    import('../../db/migrate.ts'),
    import('../services/scope.ts'),
  ]);
  await openDatabase(config.databaseFile);
  const migrated = await migrate();
  if (as === undefined) return { config, actor: SYSTEM, migrated };
  const { actorOf } = await import('../services/users.ts');
  return { config, actor: await actorOf(as), migrated };
}
