// Test files and sources are ES modules: Node loads such modules into the tests' realms only with this flag. The worker
// processes take it over from here, so that `npx jest` works without NODE_OPTIONS (which every child process would inherit).
process.execArgv.push('--experimental-vm-modules', '--disable-warning=ExperimentalWarning');

/** What the unit and the live suite share. */
export const shared = {
  testEnvironment: './test/runner/environment.js',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.ts$': ['./test/runner/transform.js', { useESM: true, transpilation: true }] },
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  // A worker process that has grown past this is replaced after its test file.
  workerIdleMemoryLimit: '800MB',
};

export default {
  ...shared,
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/live/'],
  maxWorkers: 2,
  testTimeout: 300_000,
};
