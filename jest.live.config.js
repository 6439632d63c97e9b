import { shared } from './jest.config.js';

export default {
  ...shared,
  testMatch: ['<rootDir>/test/live/**/*.test.ts'],
  // The files share servers: one at a time, but where each process has servers of its own (`scripts/live/run.js`).
  maxWorkers: 1,
  testTimeout: 300_000,
};
