import { type Command, Option } from 'commander';
import type { Config } from '../../../config.js';
import { systemClock } from '../../../core/clock.js';
import { VERSION } from '../../../core/version.js';
import { chosenTools } from '../../../mcp/profile.js';
import { serveToolsOnStdio } from '../../../mcp/stdio.js';
import type { ToolServerOptions } from '../../../mcp/tool-server.js';
import { isProtected } from '../../../server/access.js';
import { createApp } from '../../../server/app.js';
import { limitsOf } from '../../../server/limits/limits.js';
import { inSlots } from '../../../server/limits/tools.js';
import { listen } from '../../../server/listen.js';
import { requireProtection } from '../../../server/start.js';
import { toolGuards, toolPages } from '../../../server/tool-pages.js';
import { createLogger } from '../../../telemetry/logger.js';
import { startTracing } from '../../../telemetry/sdk.js';
import { wholeNumber } from '../../arguments.js';
import type { Cli, CommonOptions } from '../../cli.js';
import { type Connection, connect } from '../../connection.js';
import { untilStopped } from '../../until-stopped.js';

interface McpServeOptions extends CommonOptions {
  readonly transport: 'stdio' | 'sse' | 'http';
  readonly host?: string;
  readonly port: number;
  readonly allowOpen?: boolean;
}

/**
 * Makes `mcp-serve`, which serves the tools alone: on standard input and output for an agent that starts us, or over
 * HTTP.
 */
export function mcpServeCommand(cli: Cli): Command {
  return cli
    .command('mcp-serve', 'serve the tools to an agent')
    .addOption(
      new Option('--transport <transport>', 'how the agent talks to us')
        .choices(['stdio', 'sse', 'http'])
        .default('stdio'),
    )
    .option('--host <host>', 'address to bind for sse and http (default 127.0.0.1)')
    .option('--port <port>', 'port for sse and http; 0 takes a free one', wholeNumber, 8742)
    .option('--allow-open', 'bind beyond this machine without keys or signatures')
    .action(async (options: McpServeOptions) => {
      const config = cli.config(options, [['--host', 'http.host', options.host]]);
      const overStdio = options.transport === 'stdio';
      if (!overStdio) requireProtection(config, options.allowOpen ?? false);
      const stopped = untilStopped();
      const stopTracing = await startTracing(config);
      const authenticated = overStdio || isProtected(config);
      const connection = await connect(config, {
        command: 'mcp-serve',
        surface: 'tool',
        authenticated,
        serveRpc: true,
      });
      try {
        const tools = toolsOf(config, connection);
        if (overStdio) await onStdio(config, tools, stopped);
        else await overHttp(cli, { config, options, tools, stopped });
      } finally {
        await connection.close();
        await stopTracing();
      }
    });
}

function toolsOf(config: Config, connection: Connection): ToolServerOptions {
  return {
    name: config.name,
    version: VERSION,
    tools: chosenTools(config.tools.profile, config.name),
    dispatch: (tool, input, context) => connection.call(tool.operation.name, input, context),
  };
}

/** Serves until the agent closes our standard input, or a signal comes; what was read by then is answered. */
async function onStdio(config: Config, tools: ToolServerOptions, stopped: Promise<void>): Promise<void> {
  const log = createLogger(config.log.level, config.name);
  const server = serveToolsOnStdio(tools, (error) => log.warn(error.message));
  void stopped.then(() => server.finish());
  await server.ended;
  await server.close();
}

interface McpServeContext {
  readonly config: Config;
  readonly options: McpServeOptions;
  readonly tools: ToolServerOptions;
  readonly stopped: Promise<void>;
}

async function overHttp(cli: Cli, { config, options, tools, stopped }: McpServeContext): Promise<void> {
  const limits = limitsOf(config, systemClock);
  const dispatch = inSlots(limits.slots, tools.dispatch);
  const transports = toolPages({ tools: { ...tools, dispatch }, ...toolGuards(config) });
  const log = createLogger(config.log.level, config.name);
  const app = createApp({ config, log, routes: transports.pages, limits });
  const open = await listen(app.callback(), {
    host: config.http.host,
    port: options.port,
    drainMs: config.http.drain_seconds * 1000,
  });
  const path = options.transport === 'sse' ? '/sse' : '/mcp';
  cli.print({ url: `${open.url}${path}` }, options, ({ url }) => `${config.name} serves its tools on ${url}`);
  await stopped;
  await Promise.all([transports.close(), open.close()]);
}
