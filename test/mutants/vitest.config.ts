// Runs the tests of one module with its mutants switched in; run.ts names the module.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { withMutants } from './mutate.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const module = `${root}${process.env['TEST_MUTANT_MODULE']}`;

/** Runs the files in the given order. */
class AsGiven extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files;
  }
}

export default defineConfig({
  root,
  plugins: [
    {
      name: 'mutants',
      enforce: 'pre',
      transform: (source, id) => (id === module ? { code: withMutants(source).code, map: null } : undefined),
    },
  ],
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    setupFiles: 'test/support/acting.ts',
    // Tests with these words in their titles kill a child process: they take seconds each, and the child would not see
    // the mutants.
    testNamePattern: /^(?!.*(?:killed|while nobody held it))/,
    bail: 1,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    maxWorkers: 1,
    sequence: { sequencer: AsGiven },
    // One process for all files of a run, except for the module that counts attempts over its process's whole life.
    isolate: /\/throttle(?:-book)?\.ts$/.test(module),
  },
});
