import { defineConfig } from 'vitest/config';

const LONG = 'test/**/*.long.test.ts';
const BROWSER = 'test/e2e/**';
const CLI = 'test/cli/**';

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Vitest would leave a core free; what the tests wait for, a browser and servers, has its own processes.
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: 'parts', include: ['test/**/*.test.{ts,tsx}'], exclude: [LONG, BROWSER, CLI] } },
      // What these run in processes of its own is built before them.
      {
        extends: true,
        test: {
          name: 'cli',
          include: [`${CLI}/*.test.{ts,tsx}`],
          globalSetup: 'test/cli/setup.ts',
          testTimeout: 60_000,
        },
      },
      // The UI is built and a browser started for these alone.
      {
        extends: true,
        test: {
          name: 'browser',
          include: [`${BROWSER}/*.test.ts`],
          globalSetup: 'test/e2e/setup.ts',
          testTimeout: 180_000,
          expect: { poll: { timeout: 10_000 } },
        },
      },
    ],
  },
});
