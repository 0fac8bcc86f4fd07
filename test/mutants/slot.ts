// A child process of run.ts: keeps one Vitest for the tests of a module, and runs them with each mutant that it
// receives.
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
// In the given order: tests that fail most often run first, and a failure skips the rest.
const tests = files.flatMap((file) => found.filter(({ moduleId }) => moduleId.endsWith(`/${file}`)));

const SLOWER = 5;
const SHORTEST_LIMIT_MS = 15_000;

/** Limits the time of each test to a multiple of the slowest of these. */
function limitTests(modules: readonly TestModule[]): void {
  const times = modules.flatMap(({ children }) =>
    [...children.allTests()].map((one) => one.diagnostic()?.duration ?? 0),
  );
  const limit = Math.max(SHORTEST_LIMIT_MS, ...times.map((ms) => ms * SLOWER));
  for (const { config } of vitest.projects) Object.assign(config, { testTimeout: limit, hookTimeout: limit });
}

async function passes(mutant: number): Promise<boolean> {
  // The workers of a run inherit the environment of its start.
  process.env[PICK] = String(mutant);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(tests);
  if (mutant === 0) limitTests(testModules);
  return unhandledErrors.length === 0 && testModules.length > 0 && testModules.every((module) => module.ok());
}

// Kills the process group, which includes the workers: one in an endless loop would run for ever.
process.on('disconnect', () => process.kill(-process.pid, 'SIGKILL'));
process.on('message', (mutant: number) => {
  void passes(mutant).then((answer) => process.send?.(answer));
});
process.send?.('ready');
