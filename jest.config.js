import { tmpdir } from 'node:os';
import { join } from 'node:path';

// The configuration files of whoever runs the tests take no part in them: nothing lies in this directory.
process.env.XDG_CONFIG_HOME = join(tmpdir(), `svc-tests-${process.pid}`);
// Test files and sources are ES modules: Node loads such modules into the tests' realms only with this flag. The worker
// processes take it over from here, so that `npx jest` works without NODE_OPTIONS (which every child process would inherit).
process.execArgv.push('--experimental-vm-modules', '--disable-warning=ExperimentalWarning');

/** What is imported of packages that are many modules: the transform makes one of each. */
const ENTRIES = [
  '@opentelemetry/api/build/src/index.js',
  '@sinclair/typebox/build/esm/index.mjs',
  '@sinclair/typebox/build/esm/value/index.mjs',
  'kysely/dist/esm/index.js',
  'prom-client/index.js',
  'yaml/dist/index.js',
  'zod/index.js',
  'zod/v4/index.js',
].join('|');

/** What the unit and the live suite share. */
export const shared = {
  testEnvironment: './test/runner/environment.js',
  testSequencer: './test/runner/sequencer.js',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': ['$1.ts', '$1'] },
  transform: {
    [`\\.ts$|/node_modules/(?:${ENTRIES})$`]: ['./test/runner/transform.js', { useESM: true, transpilation: true }],
  },
  transformIgnorePatterns: [`/node_modules/(?!(?:${ENTRIES})$)`],
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  // A worker process that has grown past this is replaced after its test file.
  workerIdleMemoryLimit: '800MB',
};

export default {
  ...shared,
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/live/', '<rootDir>/test/faults/'],
  maxWorkers: 2,
  testTimeout: 300_000,
};
