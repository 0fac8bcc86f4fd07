import { defineConfig } from 'vitest/config';

/** Tests that are slow by nature: `npm run test:long`. */
export default defineConfig({
  test: {
    include: ['test/**/*.long.test.ts'],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
    fileParallelism: false,
  },
});
