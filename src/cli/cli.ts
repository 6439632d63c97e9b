import { Command } from 'commander';
import { type Config, loadConfig } from '../config.js';
import { type AbsentDomain, domainNotFound, type ErrorCode, errorBody, SvcError, toSvcError } from '../core/errors.js';
import { someOf } from '../core/wording/some-of.js';
import { operations } from '../operations/index.js';
import { validated } from '../operations/invoke/validate.js';
import { type Connection, connect, operationNamed } from './connection.js';
import type { RpcCallOptions } from './local-rpc-client.js';
import { red, yellow } from './output/output.js';
import { Progress } from './output/progress.js';
import { visible, visibleAnswer, visibleText } from './output/visible.js';
import { asTyped } from './typed-names.js';

/** Options that every command has. */
export interface CommonOptions {
  readonly json?: boolean;
  readonly dataDir?: string;
}

/** A call that cannot be meant: exit code 2. */
export class UsageError extends Error {}

export interface CliOptions {
  readonly executable: string | undefined;
}

/** One operation that a command runs; `command` is shown to others who wait for the data directory. */
export interface OperationCall {
  readonly command: string;
  readonly operation: string;
  readonly input: object;
  readonly options: CommonOptions;
}

/** Formats a value, in which no string holds a control any more, for people; `exact` is as it came, for what is no terminal. */
export type Human<T> = (value: T, exact: T) => string;

/** What commands share: configuration, connection, output, exit codes. */
export class Cli {
  exitCode = 0;
  /** The command that runs. */
  running: Command | undefined;

  constructor(private readonly options: CliOptions) {}

  /** Makes a command with the options that all commands have. */
  command(name: string, summary: string): Command {
    return (
      new Command(name)
        .description(summary)
        // A group must not take the options of its members.
        .enablePositionalOptions()
        .option('--json', 'print JSON')
        .option('--data-dir <dir>', 'data directory, instead of SVC_DATA_DIR')
    );
  }

  /** Returns the configuration with this command's flags on top. Wrong settings count as usage. */
  config(options: CommonOptions, flags: ReadonlyArray<readonly [string, string, unknown]> = []): Config {
    const all =
      options.dataDir === undefined ? flags : [...flags, ['--data-dir', 'data.dir', options.dataDir] as const];
    try {
      return loadConfig({
        executable: this.options.executable,
        flags: all.filter(([, , value]) => value !== undefined),
      });
    } catch (error) {
      throw new UsageError(toSvcError(error).message, { cause: error });
    }
  }

  /** Connects, works, and closes whatever happens. */
  async withConnection<T>(
    command: string,
    options: CommonOptions,
    work: (connection: Connection) => Promise<T>,
    { onlyReads = false }: { readonly onlyReads?: boolean } = {},
  ): Promise<T> {
    const connection = await connect(this.config(options), { command, onlyReads, quiet: options.json });
    try {
      return await work(connection);
    } catch (error) {
      throw await namingDomains(error, connection);
    } finally {
      await connection.close();
    }
  }

  /** Runs one operation and prints its answer. Input that its schema refuses counts as usage. */
  async show<T>(call: OperationCall, human: Human<T>): Promise<void> {
    this.print(await this.answerOf<T>(call), call.options, human);
  }

  /** Runs one operation with a progress bar and returns its answer. */
  async answerOf<T>({ command, operation, input, options }: OperationCall): Promise<T> {
    checkedInput(operation, input);
    const progress = new Progress(options.json === true);
    try {
      return (await this.withConnection(
        command,
        options,
        (connection) => connection.call(operation, input, { progress: progress.update.bind(progress) }),
        { onlyReads: onlyReads(operation) },
      )) as T;
    } finally {
      progress.stop();
    }
  }

  /** Prints to standard output: JSON with `--json`, else text for people. */
  print<T>(value: T, options: CommonOptions, human: Human<T>): void {
    const text =
      options.json === true
        ? JSON.stringify(value, null, process.stdout.isTTY ? 2 : 0)
        : human(visibleAnswer(value), value);
    process.stdout.write(`${text}\n`);
  }

  /** Prints a warning to standard error. */
  warn(sentence: string): void {
    process.stderr.write(`${yellow('Warning:')} ${visible(sentence)}\n`);
  }

  /** Returns a message with the members of operations as the running command has them. */
  typed(message: string, member: unknown = ''): string {
    return this.running === undefined ? message : asTyped(message, String(member), this.running);
  }

  /** Returns what is printed of an error. */
  errorOf(thrown: unknown): { error: string; code: ErrorCode; details?: unknown } {
    const body: { error: string; code: ErrorCode; details?: unknown } =
      thrown instanceof UsageError ? { error: thrown.message, code: 'invalid_input' } : errorBody(toSvcError(thrown));
    return { ...body, error: this.typed(body.error, memberOf(thrown)) };
  }

  /** Prints an error to standard error and sets the exit code: 2 for usage, else 1. */
  fail(thrown: unknown, options: CommonOptions): void {
    this.exitCode = thrown instanceof UsageError || toSvcError(thrown).code === 'invalid_input' ? 2 : 1;
    const body = this.errorOf(thrown);
    const cause = body.code === 'internal' && thrown instanceof Error ? `\n${thrown.stack ?? thrown.message}` : '';
    process.stderr.write(
      options.json === true
        ? `${JSON.stringify(body)}\n`
        : `${red('Error:')} ${visible(body.error)}${visibleText(cause)}\n`,
    );
  }
}

/** Domains that an error names at most. */
const MOST_NAMED = 10;

/** The commands that help with a domain which does not exist. */
const COMMANDS = '`svc domains` lists the domains, `svc ingest <files or folder> --domain <name>` makes one';

/** Returns an error; that of a domain which does not exist names the commands that help, and the domains that exist. */
async function namingDomains(error: unknown, connection: Connection): Promise<unknown> {
  if (!(error instanceof SvcError) || error.code !== 'domain_not_found') return error;
  const { details, cause } = error;
  const described =
    typeof details?.domain === 'string' ? domainNotFound(details.domain, details as AbsentDomain, COMMANDS) : error;
  const answer = await connection.call('domains', {}).catch(() => undefined);
  const { domains = [] } = (answer ?? {}) as { readonly domains?: ReadonlyArray<{ readonly name: string }> };
  const names = domains.map(({ name }) => name);
  const there = names.length === 0 ? '' : ` There is ${someOf(names, MOST_NAMED)}.`;
  return new SvcError(error.code, `${described.message}${there}`, details, { cause: cause ?? error });
}

/** Returns the member that an error, or the refusal that a usage error tells of, is about. */
function memberOf(thrown: unknown): unknown {
  const refusal = thrown instanceof UsageError ? thrown.cause : thrown;
  return refusal instanceof SvcError ? refusal.details?.member : undefined;
}

/** Returns whether an operation leaves an empty service empty; a query is logged, but only where there is a service. */
function onlyReads(operation: string): boolean {
  return operation === 'query' || operationNamed(operations, operation).readOnly === true;
}

/** Throws a usage error where the operation's schema refuses the input. */
export function checkedInput(operation: string, input: object): void {
  try {
    validated(operationNamed(operations, operation), input);
  } catch (error) {
    throw new UsageError(toSvcError(error).message, { cause: error });
  }
}

export type { RpcCallOptions };
