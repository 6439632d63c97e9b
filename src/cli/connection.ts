import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../config.js';
import { SvcError } from '../core/errors.js';
import { lockOrRpc, requireMakeable } from '../data-directory.js';
import { operations } from '../operations/index.js';
import { invoke } from '../operations/invoke.js';
import type { CallContext, Operation } from '../operations/operation.js';
import { listen } from '../server/listen.js';
import { localRpcHandler, newToken, noOperation, requiring } from '../server/local-rpc.js';
import { callLocalRpc, type RpcCallOptions } from './local-rpc-client.js';
import { dim } from './output/output.js';
import { visible } from './output/visible.js';

/** The operations of the service on a data directory, wherever it runs. */
export interface Connection {
  /** True where another process does the work. */
  readonly forwarded: boolean;
  call(operation: string, input: unknown, options?: RpcCallOptions): Promise<unknown>;
  close(): Promise<void>;
}

export interface ConnectOptions {
  /** Shown to others who wait for the directory. */
  readonly command: string;
  readonly surface?: CallContext['surface'];
  /** False where callers are unknown (tools served over open HTTP); default true. */
  readonly authenticated?: boolean;
  /** True where nothing is to be made: a data directory that does not exist is read as one in which nothing is known. */
  readonly onlyReads?: boolean;
  /** True where standard error is for errors alone: a wait for the directory is not told. */
  readonly quiet?: boolean | undefined;
  /** Takes calls of other commands meanwhile: for commands that stay. */
  readonly serveRpc?: boolean;
}

/** Forwards to the service that runs on the data directory; without one, opens the directory for itself. */
export async function connect(given: Config, options: ConnectOptions): Promise<Connection> {
  const empty = options.onlyReads === true && !existsSync(given.data.dir) ? emptyDirectory(given.data.dir) : undefined;
  try {
    const config = empty === undefined ? given : { ...given, data: { ...given.data, dir: empty } };
    const connection = await connected(config, options);
    return {
      ...connection,
      close: async () => {
        await connection.close();
        remove(empty);
      },
    };
  } catch (error) {
    remove(empty);
    throw error;
  }
}

/** Makes a temporary directory in the place of one that does not exist, but could be made. */
function emptyDirectory(instead: string): string {
  requireMakeable(instead);
  return mkdtempSync(join(tmpdir(), 'svc-empty-'));
}

function remove(directory: string | undefined): void {
  if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
}

async function connected(config: Config, options: ConnectOptions): Promise<Connection> {
  const { surface = 'cli', authenticated = true } = options;
  const taken = await lockOrRpc(config.data.dir, options.command, {
    waitMs: config.data.lock_wait_seconds * 1000,
    waiting: options.quiet === true ? () => undefined : tellWaiting,
  });
  if (!('release' in taken)) {
    return {
      forwarded: true,
      call: (name, input, more) => {
        const operation = isDryRun(name, input) ? requiring(name, 'dry_run') : name;
        return callLocalRpc(taken, { operation, input, surface, authenticated }, more).catch((error: unknown) => {
          throw ofOlderRelease(error, name, operation) ?? error;
        });
      },
      close: () => Promise.resolve(),
    };
  }
  try {
    const { compose } = await import('../compose.js');
    const service = await compose(quieter(config));
    const table: Readonly<Record<string, Operation>> = operations;
    const token = newToken();
    const rpc =
      options.serveRpc === true
        ? await listen(localRpcHandler(service, table, token), { host: '127.0.0.1', port: 0, drainMs: 1000 })
        : undefined;
    if (rpc !== undefined) {
      taken.publish({ url: rpc.url, token });
      service.jobs.start();
    }
    return {
      forwarded: false,
      call: (name, input, more) =>
        invoke(service, operationNamed(table, name), input, { surface, authenticated, ...more }),
      close: async () => {
        await rpc?.close();
        await service.close();
        taken.release();
      },
    };
  } catch (error) {
    taken.release();
    throw error;
  }
}

/** Returns whether an operation of this release is called to change nothing. An older one would ignore the member, and change it. */
function isDryRun(name: string, input: unknown): boolean {
  const table: Readonly<Record<string, Operation>> = operations;
  if (!Object.hasOwn(table, name) || !Object.hasOwn(table[name]!.input.properties ?? {}, 'dry_run')) return false;
  // Whatever a model sends in place of true: only this release refuses it.
  const asked = (input as { readonly dry_run?: unknown } | null)?.dry_run ?? false;
  return asked !== false;
}

/** Returns the error where the service that runs does not have an operation of this release, or no dry run of it; else undefined. */
function ofOlderRelease(error: unknown, name: string, called: string): SvcError | undefined {
  if (!Object.hasOwn(operations, name) || !(error instanceof SvcError)) return undefined;
  if (error.code !== 'invalid_input' || error.message !== noOperation(called)) return undefined;
  const what = name === called ? `operation ${name}` : `dry run of ${name}`;
  const sentence = `The service that runs is of an older release and has no ${what}; restart it with this release.`;
  return new SvcError('unsupported', sentence, undefined, { cause: error });
}

/** Says on standard error what a command waits for. */
export function tellWaiting(sentence: string): void {
  process.stderr.write(`${dim(visible(sentence))}\n`);
}

/** Keeps log lines out of a command's output, unless a level was chosen. */
function quieter(config: Config): Config {
  return config.log.level === 'info' ? { ...config, log: { level: 'silent' } } : config;
}

/** Returns the operation of that name; throws `invalid_input` where there is none. */
export function operationNamed(table: Readonly<Record<string, Operation>>, name: string): Operation {
  const operation = Object.hasOwn(table, name) ? table[name] : undefined;
  if (operation === undefined)
    throw new SvcError('invalid_input', `${name} is not an operation; \`svc call --list\` names them.`);
  return operation;
}
