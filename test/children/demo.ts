// Starts a demo on a data directory, with its server; prints the URL when it answers.
import { startDemo } from '../../src/demo/index.ts';
import { loadConfig } from '../../src/lib/config.ts';
import { createLog } from '../../src/lib/log.ts';
import { serve } from '../../src/server.ts';

const [dataDir = ''] = process.argv.slice(2);
const { config } = await startDemo(loadConfig({ dataDir }, {}), { size: 30, frozen: false });
const { url } = await serve({ config, log: createLog('silent'), host: '127.0.0.1', port: 0, scheduler: false });
console.log(url);
