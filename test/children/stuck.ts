// A worker, as the command runs it, on a data directory; its one kind of work hears of no stop. It waits for it 300 ms.
import { createContext } from '../../src/cli/context.ts';
import { workUntilStopped } from '../../src/cli/actions/worker.ts';
import { loadConfig } from '../../src/lib/config.ts';
import { registerFlows } from '../../src/operations/engine.ts';

const [dataDir = ''] = process.argv.slice(2);
registerFlows([
  {
    kind: 'stuck',
    steps: () => [
      {
        name: 'stuck',
        run: () =>
          new Promise(() => {
            setInterval(() => undefined, 1_000);
            console.log('stuck');
          }),
      },
    ],
    total: async () => 1,
    finished: () => ({ key: 'check.finished', params: { done: 1 } }),
  },
]);
const asked = { format: 'human', language: 'en', quiet: true, color: false, input: false } as const;
const config = { ...loadConfig({ dataDir }, {}), logLevel: 'silent', stopMs: 300 };
const context = { ...createContext('worker', asked, { dataDir }), config: () => config, warn: () => undefined };
const { exit } = await workUntilStopped(context, { metricsHost: '127.0.0.1' });
process.exitCode = exit ?? 0;
