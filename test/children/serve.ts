// Runs the real server on a data directory; prints its URL when it answers, and exits cleanly on SIGTERM.
import { loadConfig } from '../../src/lib/config.ts';
import { createLog } from '../../src/lib/log.ts';
import { serve } from '../../src/server.ts';

const [dataDir = '', settings = '{}'] = process.argv.slice(2);
const config = { ...loadConfig({ dataDir }, {}), ...(JSON.parse(settings) as object) };
const serving = await serve({ config, log: createLog('silent'), host: '127.0.0.1', port: 0, scheduler: false });
process.once('SIGTERM', () => void serving.close());
console.log(serving.url);
