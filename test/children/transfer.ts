// Runs one transfer to its end against fake services; it can be told to die on the way.
import '../support/acting.ts';
import { closeDatabase } from '../../db/index.ts';
import { openForCommand } from '../../src/cli/open.ts';
import { loadConfig } from '../../src/lib/config.ts';
import { registerFlows, runOperation } from '../../src/operations/engine.ts';
import { setBudget } from '../../src/providers/cloudflare/budget.ts';
import { flows } from '../../src/services/system/flows.ts';
import { setGate } from '../../src/services/transfers/gate.ts';
import { QUICK_GATE } from '../support/quick-gate.ts';

const [dataDir = '', url = '', connectTo = '', id = ''] = process.argv.slice(2);
const config = { ...loadConfig({ dataDir }, {}), cloudflareUrl: url, connectTo, allowPrivate: true };
setBudget(url, { calls: 1_000_000, seconds: 1 });
setGate(QUICK_GATE);
await openForCommand(config, undefined);
registerFlows(flows);
const { state } = await runOperation(Number(id));
await closeDatabase();
console.log(state);
