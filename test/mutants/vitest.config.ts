// The tests of one module with its mutants switched in: run.ts says which.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { withMutants } from './mutate.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const module = `${root}${process.env['TEST_MUTANT_MODULE']}`;

/** Runs the files in the order in which it gets them. */
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
    // Those that kill a process take seconds each, and it would not see the mutants.
    testNamePattern: /^(?!.*(?:killed|while nobody held it))/,
    bail: 1,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    maxWorkers: 1,
    sequence: { sequencer: AsGiven },
    // One process for all files of a run, but for what counts the tries of its whole life.
    isolate: module.endsWith('/throttle.ts'),
  },
});
