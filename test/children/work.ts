// Runs one operation of the tests' own kind to its end; it can be told to die on the way.
import '../support/acting.ts';
import { closeDatabase, openDatabase } from '../../db/index.ts';
import { registerFlows, runOperation } from '../../src/operations/engine.ts';
import { restoreFlow } from '../../src/operations/restore.ts';
import { backFlow, testFlow } from '../operations/outside.ts';

const [file = '', url = '', id = ''] = process.argv.slice(2);
await openDatabase(file);
registerFlows([testFlow(url), backFlow(url), restoreFlow]);
const { state } = await runOperation(Number(id));
await closeDatabase();
console.log(state);
