// Opens a database, migrates it and prints the applied migrations; several of these start at once. With a data directory it upgrades as a server does.
import { closeDatabase, openDatabase } from '../../db/index.ts';
import { migrate } from '../../db/migrate.ts';
import { loadConfig, useConfig } from '../../src/lib/config.ts';
import { isPostgres } from '../../src/lib/database-address.ts';
import { upgradeDatabase } from '../../src/services/system/backups/upgrade.ts';

const [address = '', dataDir] = process.argv.slice(2);
await openDatabase(address);
if (dataDir !== undefined) {
  const place = isPostgres(address) ? { databaseUrl: address } : { databaseFile: address };
  useConfig({ ...loadConfig({ dataDir }, {}), ...place });
}
console.log(JSON.stringify(await (dataDir === undefined ? migrate() : upgradeDatabase(() => undefined))));
await closeDatabase();
