import { Command, CommanderError } from 'commander';
import { serviceName } from '../config/naming.js';
import { VERSION } from '../server/version.js';
import { Cli, type CommonOptions } from './cli.js';
import { callCommand } from './commands/call.js';
import { compareCommand } from './commands/compare.js';
import { configCommand } from './commands/config.js';
import { doctorCommand } from './commands/doctor.js';
import { documentsCommand } from './commands/documents.js';
import { domainsCommand } from './commands/domains.js';
import { exploreCommand } from './commands/explore.js';
import { forgetCommand } from './commands/forget.js';
import { ingestCommand } from './commands/ingest.js';
import { mcpServeCommand } from './commands/mcp-serve.js';
import { queryCommand } from './commands/query.js';
import { rulesCommand } from './commands/rules.js';
import { serveCommand } from './commands/serve.js';
import { statsCommand } from './commands/stats.js';
import { statusCommand } from './commands/status.js';

const COMMANDS = [
  serveCommand,
  mcpServeCommand,
  ingestCommand,
  queryCommand,
  compareCommand,
  exploreCommand,
  rulesCommand,
  documentsCommand,
  forgetCommand,
  domainsCommand,
  statusCommand,
  statsCommand,
  configCommand,
  doctorCommand,
  callCommand,
];

/** Runs a command line and answers its exit code: 0 success, 1 failure, 2 usage. */
export async function run(argv: readonly string[]): Promise<number> {
  const cli = new Cli({ executable: argv[1] });
  const program = new Command(serviceName({}, argv[1]))
    .description('Knowledge retrieval service.')
    .version(VERSION)
    .showHelpAfterError()
    .exitOverride();
  for (const make of COMMANDS) program.addCommand(make(cli).exitOverride());
  try {
    await program.parseAsync([...argv]);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    cli.fail(error, optionsOf(argv));
  }
  return cli.exitCode;
}

/** Whether JSON was asked for, known even where the command failed. */
function optionsOf(argv: readonly string[]): CommonOptions {
  return { json: argv.includes('--json') };
}
