// Runs one operation of the product to its end against the fake Cloudflare; it can be told to die on the way.
import '../support/acting.ts';
import { closeDatabase } from '../../db/index.ts';
import { openForCommand } from '../../src/cli/open.ts';
import { loadConfig } from '../../src/lib/config.ts';
import { registerFlows, runOperation } from '../../src/operations/engine.ts';
import { flows } from '../../src/services/system/flows.ts';
import { REGISTRAR_TYPES } from '../../src/shared/accounts/registrar-types.ts';
import { unlimited } from '../support/cloudflare-state.ts';
import { AT_ONCE } from '../support/registrars/shops.ts';

const [dataDir = '', url = '', id = '', shop] = process.argv.slice(2);
const registrarUrls = Object.fromEntries(REGISTRAR_TYPES.flatMap((type) => (shop ? [[type, shop]] : [])));
const config = { ...loadConfig({ dataDir }, {}), cloudflareUrl: url, registrarUrls, registrarPace: AT_ONCE };
unlimited(url);
await openForCommand(config, undefined);
registerFlows(flows);
const { state } = await runOperation(Number(id));
await closeDatabase();
console.log(state);
