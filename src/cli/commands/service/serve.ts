import { type Command, Option } from 'commander';
import { type Config, unreadVariables } from '../../../config.js';
import { type DirectoryLock, lockForServing } from '../../../data-directory.js';
import { labelOf, type ServedName, VARIANTS, type VariantName } from '../../../server/variants.js';
import { createLogger } from '../../../telemetry/logger.js';
import { startTracing } from '../../../telemetry/sdk.js';
import { wholeNumber } from '../../arguments.js';
import type { Cli, CommonOptions } from '../../cli.js';
import { tellWaiting } from '../../connection.js';
import { cyan } from '../../output/output.js';
import { serveWithReload } from '../../reload.js';
import { untilStopped } from '../../until-stopped.js';

interface ServeOptions extends CommonOptions {
  readonly host?: string;
  readonly port?: number;
  readonly portB?: number;
  readonly reload?: boolean;
  readonly variant: ServedName | 'all';
  readonly allowOpen?: boolean;
}

export function serveCommand(cli: Cli): Command {
  return cli
    .command('serve', 'serve the HTTP API')
    .option('--host <host>', 'address to bind (default 127.0.0.1)')
    .option('--port <port>', 'port; 0 takes a free one (default 8400)', wholeNumber)
    .option('--port-b <port>', 'port of variant B (default 8741)', wholeNumber)
    .option('--reload', 'restart when a source file changes (development)')
    .addOption(
      new Option('--variant <variant>', 'which API; variant A holds the gateway too')
        .choices([...Object.keys(VARIANTS), 'gateway', 'all'])
        .default('all'),
    )
    .option('--allow-open', 'bind beyond this machine without keys or signatures')
    .action(async (options: ServeOptions) => {
      const config = cli.config(options, [
        ['--host', 'http.host', options.host],
        // The only variant chosen is the one that --port moves; A where both run. The gateway has A's port.
        ['--port', options.variant === 'b' ? 'http.port_b' : 'http.port', options.port],
        ['--port-b', 'http.port_b', options.portB],
      ]);
      if (options.reload === true) cli.exitCode = await serveWithReload();
      else await serve(cli, config, options);
    });
}

async function serve(cli: Cli, config: Config, options: ServeOptions): Promise<void> {
  // Registered before the first await: a signal that arrives during the start must not be lost.
  const stopped = untilStopped();
  const stopTracing = await startTracing(config);
  const lock = await lockForServing(config.data.dir, {
    waitMs: config.data.lock_wait_seconds * 1000,
    waiting: options.json === true ? () => undefined : tellWaiting,
  });
  try {
    await serveLocked(lock, { cli, config, options, stopped });
  } finally {
    lock.release();
    await stopTracing();
  }
}

interface ServeContext {
  readonly cli: Cli;
  readonly config: Config;
  readonly options: ServeOptions;
  readonly stopped: Promise<void>;
}

async function serveLocked(lock: DirectoryLock, { cli, config, options, stopped }: ServeContext): Promise<void> {
  const [{ compose }, { startServer }] = await Promise.all([
    import('../../../compose.js'),
    import('../../../server/start.js'),
  ]);
  const log = createLogger(config.log.level, config.name);
  for (const sentence of unreadVariables(config)) log.warn(sentence);
  const service = await compose(config);
  try {
    service.gateway.prepare();
    const running = await startServer({
      config,
      service,
      log,
      variants: options.variant === 'all' ? (Object.keys(VARIANTS) as VariantName[]) : [options.variant],
      // A port that the command names is not left out.
      optional: options.variant === 'all' && options.portB === undefined ? ['b'] : [],
      allowOpen: options.allowOpen ?? false,
    });
    lock.publish(running.rpc);
    cli.print(running.urls, options, (urls) =>
      Object.entries(urls)
        .map(([served, url]) => `${config.name} serves ${labelOf(served as ServedName)} on ${cyan(url)}`)
        .join('\n'),
    );
    await stopped;
    await running.close();
  } finally {
    await service.close();
  }
}
