// Runs an operation that works by Arsenkin's tasks in a process of its own, until it is killed.
import '../support/acting.ts';
import { closeDatabase, openDatabase } from '../../db/index.ts';
import { useSecretKey } from '../../src/lib/secret.ts';
import { registerFlows, runOperation } from '../../src/operations/engine.ts';
import { indexFlow } from '../../src/services/checks/check-index.ts';
import { fetchFlow } from '../../src/services/positions/fetch.ts';
import { temporaryConfig } from '../support/server.ts';

const [file = '', folder = '', url = '', key = '', id = ''] = process.argv.slice(2);
useSecretKey(Buffer.from(key, 'hex'));
temporaryConfig({ searchUrls: { arsenkin: url }, searchPace: { calls: 10_000, seconds: 1, atOnce: 10 } }, folder);
await openDatabase(file);
registerFlows([fetchFlow, indexFlow]);
const { state } = await runOperation(Number(id));
await closeDatabase();
console.log(state);
