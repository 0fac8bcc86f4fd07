// Runs a renewal to its end in a process of its own; it can be told to die on the way.
import '../support/acting.ts';
import { closeDatabase, openDatabase } from '../../db/index.ts';
import { useSecretKey } from '../../src/lib/secret.ts';
import { registerFlows, runOperation } from '../../src/operations/engine.ts';
import { renewalFlow } from '../../src/services/purchases/renewals.ts';
import { temporaryConfig } from '../support/server.ts';

const [file = '', folder = '', url = '', key = '', id = ''] = process.argv.slice(2);
useSecretKey(Buffer.from(key, 'hex'));
temporaryConfig({ registrarUrls: { 'reg.ru': url } }, folder);
await openDatabase(file);
registerFlows([renewalFlow]);
const { state } = await runOperation(Number(id));
await closeDatabase();
console.log(state);
