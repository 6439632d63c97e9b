import { shared } from './jest.config.js';

/** The fault campaign (`npm run test:faults`): takes minutes, so it is no part of the suite. */
export default {
  ...shared,
  testMatch: ['<rootDir>/test/faults/**/*.test.ts'],
  maxWorkers: 1,
  testTimeout: 3_600_000,
};
