import { openDatabase } from '../../db/index.ts';
import { useConfig, type Config } from '../lib/config.ts';
import { databaseAddress } from '../lib/database-address.ts';
import { openBudgets } from '../services/accounts/call-budgets.ts';
import { bringUp } from '../services/system/bring-up.ts';
import type { Message } from '../shared/i18n/index.ts';
import { openKeys } from '../services/access/keys.ts';
import { SYSTEM } from '../services/access/scope.ts';
import { actorOf } from '../services/access/users.ts';
import type { Opened } from './context.ts';

/**
 * Opens the database of a command, creates and migrates it if needed, opens its key, and returns the actor: the user of
 * `--as`, or the host itself with an admin's rights. `tell` gets what a person should know of an upgrade.
 */
export async function openForCommand(
  config: Config,
  as: string | undefined,
  tell?: (message: Message) => void,
): Promise<Opened> {
  useConfig(config);
  await openDatabase(databaseAddress(config));
  openBudgets();
  const migrated = await bringUp(tell);
  await openKeys(config);
  return { config, actor: as === undefined ? SYSTEM : await actorOf(as), migrated };
}
