import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    pool: 'forks',
    poolOptions: { forks: { maxForks: 1, minForks: 1 } },
    include: ['test/live/**/*.test.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
