import { shared } from './jest.config.js';

export default {
  ...shared,
  testMatch: ['<rootDir>/test/live/**/*.test.ts'],
  // The live tests share servers: one file at a time.
  maxWorkers: 1,
  testTimeout: 300_000,
};
