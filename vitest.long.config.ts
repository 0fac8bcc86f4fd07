import { defineConfig } from 'vitest/config';

const TURNS = [
  'test/api/bad-input.test.ts',
  'test/api/rights/*.test.ts',
  'test/services/dns/random.test.ts',
  'test/services/dns/bulk-random.test.ts',
  'test/services/dns/bulk-kill.test.ts',
  'test/services/dns/delegation-kill.test.ts',
  'test/services/purchases/schedules.test.ts',
  'test/services/purchases/renewal-kill.test.ts',
  'test/services/purchases/reserve-kill.test.ts',
  'test/services/transfers/kill.test.ts',
];

/** Tests that are slow by nature: `npm run test:long`. */
export default defineConfig({
  test: {
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
    fileParallelism: false,
    setupFiles: 'test/support/acting.ts',
    projects: [
      {
        extends: true,
        test: { name: 'long', include: ['test/**/*.long.test.ts'], globalSetup: 'test/support/build-children.ts' },
      },
      {
        extends: true,
        test: {
          name: 'long postgres',
          include: ['test/long/purchases.long.test.ts', 'test/long/machines.long.test.ts'],
          globalSetup: ['test/support/build-children.ts', 'test/support/postgres/server.ts'],
          setupFiles: ['test/support/acting.ts', 'test/support/postgres/worker.ts'],
        },
      },
      // The same cases as in `npm test`, where each is played on one of the two databases, or some of them alone: all of them here.
      {
        extends: true,
        test: {
          name: 'whole turns',
          include: TURNS,
          globalSetup: ['test/support/build-children.ts', 'test/support/vitest/migrated-file.ts'],
          setupFiles: 'test/support/vitest/setup.ts',
          env: { WHOLE_MATRIX: '1' },
        },
      },
      {
        extends: true,
        test: {
          name: 'whole turns postgres',
          include: TURNS,
          globalSetup: ['test/support/build-children.ts', 'test/support/postgres/server.ts'],
          setupFiles: ['test/support/vitest/setup.ts', 'test/support/postgres/worker.ts'],
          env: { WHOLE_MATRIX: '1' },
        },
      },
      {
        extends: true,
        test: {
          name: 'whole command line',
          include: ['contract', 'csv/header', 'languages', 'exit-codes', 'as-user'].map(
            (name) => `test/cli/${name}.test.ts`,
          ),
          globalSetup: ['test/cli/setup.ts', 'test/support/vitest/migrated-file.ts'],
          setupFiles: 'test/support/vitest/setup.ts',
          env: { WHOLE_MATRIX: '1' },
        },
      },
      // The same pages as in `npm test`: every state in every look, and axe at every width.
      {
        extends: true,
        test: {
          name: 'whole matrix',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: 'test/e2e/setup.ts',
          env: { WHOLE_MATRIX: '1' },
        },
      },
      // Every screen beside its stored picture. `PICTURES=new` takes the pictures anew, to be looked at before they are stored.
      {
        extends: true,
        test: { name: 'pictures', include: ['test/e2e/pictures/*.pictures.ts'], globalSetup: 'test/e2e/setup.ts' },
      },
    ],
  },
});
