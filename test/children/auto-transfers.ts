// One run of what moves by itself, on the data directory that is named.
import { closeDatabase, openDatabase } from '../../db/index.ts';
import { loadConfig } from '../../src/lib/config.ts';
import { runAutoTransfers } from '../../src/services/auto-transfers.ts';
import { SYSTEM } from '../../src/services/scope.ts';

const config = loadConfig({ dataDir: process.argv[2] ?? '' }, {});
await openDatabase(config.databaseFile);
await runAutoTransfers(config, SYSTEM);
await closeDatabase();
