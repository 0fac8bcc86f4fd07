// A process of run.ts: keeps one Vitest for the tests of a module, and runs them with each mutant that it is sent.
import { fileURLToPath } from 'node:url';
import { createVitest, type TestModule } from 'vitest/node';
import { PICK } from './mutate.ts';

const vitest = await createVitest('test', {
  config: fileURLToPath(new URL('vitest.config.ts', import.meta.url)),
  watch: false,
  reporters: [{}],
  silent: true,
});
const files = process.argv.slice(2);
const found = await vitest.globTestSpecifications(files);
// In the order given: those that fail most often come first, and the rest are left out then.
const tests = files.flatMap((file) => found.filter(({ moduleId }) => moduleId.endsWith(`/${file}`)));

const SLOWER = 5;
const SHORTEST_LIMIT_MS = 15_000;

/** Lets no test take much longer from now on than the slowest of these did. */
function limitTests(modules: readonly TestModule[]): void {
  const times = modules.flatMap(({ children }) =>
    [...children.allTests()].map((one) => one.diagnostic()?.duration ?? 0),
  );
  const limit = Math.max(SHORTEST_LIMIT_MS, ...times.map((ms) => ms * SLOWER));
  for (const { config } of vitest.projects) Object.assign(config, { testTimeout: limit, hookTimeout: limit });
}

async function passes(mutant: number): Promise<boolean> {
  // A run's workers start with the variables of its beginning.
  process.env[PICK] = String(mutant);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(tests);
  if (mutant === 0) limitTests(testModules);
  return unhandledErrors.length === 0 && testModules.length > 0 && testModules.every((module) => module.ok());
}

// Its workers are in its process group: one in an endless loop would go on for ever.
process.on('disconnect', () => process.kill(-process.pid, 'SIGKILL'));
process.on('message', (mutant: number) => {
  void passes(mutant).then((answer) => process.send?.(answer));
});
process.send?.('ready');
