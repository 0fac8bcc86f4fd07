// Runs one transfer to its end against fake services; it can be told to die on the way.
import '../support/acting.ts';
import { closeDatabase } from '../../db/index.ts';
import { openForCommand } from '../../src/cli/open.ts';
import { loadConfig } from '../../src/lib/config.ts';
import { setFirstPause } from '../../src/operations/item-lane.ts';
import { registerFlows, runOperation } from '../../src/operations/engine.ts';
import { flows } from '../../src/services/system/flows.ts';
import { setGate } from '../../src/services/transfers/gate.ts';
import { unlimited } from '../support/cloudflare-state.ts';
import { FIRST_PAUSE_MS, QUICK_GATE } from '../support/quick-gate.ts';

const [dataDir = '', url = '', connectTo = '', id = ''] = process.argv.slice(2);
const config = { ...loadConfig({ dataDir }, {}), cloudflareUrl: url, connectTo, allowPrivate: true };
unlimited(url);
setGate(QUICK_GATE);
setFirstPause(FIRST_PAUSE_MS);
await openForCommand(config, undefined);
registerFlows(flows);
const { state } = await runOperation(Number(id));
await closeDatabase();
console.log(state);
