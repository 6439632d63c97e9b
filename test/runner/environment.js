import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';
import { TestEnvironment as NodeEnvironment } from 'jest-environment-node';

/** Typed arrays that native packages make or accept: one class in and outside of the tests' realm. */
const TYPED_ARRAYS = [
  'Float32Array',
  'Float64Array',
  'Int8Array',
  'Int16Array',
  'Int32Array',
  'Uint8ClampedArray',
  'Uint16Array',
  'Uint32Array',
  'BigInt64Array',
  'BigUint64Array',
];
const ERRORS = ['Error', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError'];

/** Loaded once a process: it must take its class of errors anew from each test file's copy of better-sqlite3. */
const sqlite = createRequire(import.meta.url)('better-sqlite3/build/Release/better_sqlite3.node');

/**
 * The storages that the test file has entered. Node keeps each of them for good, and every promise that is made copies the
 * value of every storage: after a hundred test files promises would take most of a worker's time.
 */
const entered = new Set();
for (const method of ['run', 'enterWith']) {
  const ordinary = AsyncLocalStorage.prototype[method];
  AsyncLocalStorage.prototype[method] = function (...given) {
    entered.add(this);
    return ordinary.apply(this, given);
  };
}

/** Runs a test file in a realm of its own whose `instanceof` also knows the errors and typed arrays of Node's realm. */
export default class Environment extends NodeEnvironment {
  constructor(config, context) {
    super(config, context);
    takeOwnServers();
    this.hookTimeout = 2 * config.globalConfig.testTimeout;
    this.variables = { ...process.env };
    // The real one, which Node's own functions and child processes read too.
    this.global.process.env = process.env;
    sqlite.isInitialized = false;
    for (const name of TYPED_ARRAYS) this.global[name] = globalThis[name];
    for (const name of ERRORS) acceptErrorsOfNode(this.global[name], globalThis[name]);
  }

  /** Takes back what the file's tests did to the variables of the process, and has Node forget the file's storages. */
  async teardown() {
    for (const storage of entered) storage.disable();
    entered.clear();
    for (const name of Object.keys(process.env)) if (!(name in this.variables)) delete process.env[name];
    Object.assign(process.env, this.variables);
    await super.teardown();
  }

  /** Gives hooks twice the time of a test, unless they name their own. */
  handleTestEvent(event, state) {
    if (event.name !== 'add_hook' || event.timeout !== undefined) return;
    state.currentDescribeBlock.hooks.at(-1).timeout = this.hookTimeout;
  }
}

/** Where each worker process has servers of its own, `PG_URL_2` is the `PG_URL` of the second. */
function takeOwnServers() {
  const own = `_${process.env.JEST_WORKER_ID}`;
  for (const [name, value] of Object.entries(process.env))
    if (/^(?:PG|MARIADB|NEO4J|QDRANT)_/.test(name) && name.endsWith(own))
      process.env[name.slice(0, -own.length)] = value;
}

function acceptErrorsOfNode(inner, outer) {
  const ordinary = Function.prototype[Symbol.hasInstance];
  Object.defineProperty(inner, Symbol.hasInstance, {
    configurable: true,
    value(error) {
      return ordinary.call(this, error) || (this === inner && error instanceof outer);
    },
  });
}
