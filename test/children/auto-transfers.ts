// Runs automatic transfers once, on the given data directory.
import '../support/acting.ts';
import { closeDatabase, openDatabase } from '../../db/index.ts';
import { loadConfig, useConfig } from '../../src/lib/config.ts';
import { databaseAddress } from '../../src/lib/database-address.ts';
import { runAutoTransfers } from '../../src/services/transfers/automatic.ts';
import { openKeys } from '../../src/services/access/keys.ts';
import { SYSTEM } from '../../src/services/access/scope.ts';

const config = { ...loadConfig({ dataDir: process.argv[2] ?? '' }, {}), cloudflareUrl: 'http://127.0.0.1:9' };
useConfig(config);
await openDatabase(databaseAddress(config));
await openKeys(config);
await runAutoTransfers(SYSTEM);
await closeDatabase();
