// Buys a reserve for a project with the settings of a running installation; it can be told to die on the way.
import '../support/acting.ts';
import { closeDatabase } from '../../db/index.ts';
import { openForCommand } from '../../src/cli/open.ts';
import type { Config } from '../../src/lib/config.ts';
import { registerFlows, runOperation } from '../../src/operations/engine.ts';
import { startReserve } from '../../src/services/purchases/reserves.ts';
import { flows } from '../../src/services/system/flows.ts';

const [settings = '{}', project = ''] = process.argv.slice(2);
const { actor } = await openForCommand(JSON.parse(settings) as Config, undefined);
registerFlows(flows);
const { id } = await startReserve(actor, Number(project), { here: true });
const { state } = await runOperation(id);
await closeDatabase();
console.log(state);
