import { Command, CommanderError } from 'commander';
import { serviceName } from '../config/naming.js';
import { VERSION } from '../core/version.js';
import { Cli, type CommonOptions, UsageError } from './cli.js';

type MakeCommand = (cli: Cli) => Command;

/** Each command's module is loaded when it is called: a query need not wait for the tool protocol to load. */
const COMMANDS: Readonly<Record<string, () => Promise<MakeCommand>>> = {
  serve: async () => (await import('./commands/service/serve.js')).serveCommand,
  'mcp-serve': async () => (await import('./commands/service/mcp-serve.js')).mcpServeCommand,
  ingest: async () => (await import('./commands/knowledge/ingest.js')).ingestCommand,
  jobs: async () => (await import('./commands/groups.js')).jobsCommand,
  query: async () => (await import('./commands/ask/query.js')).queryCommand,
  feedback: async () => (await import('./commands/ask/feedback.js')).feedbackCommand,
  compare: async () => (await import('./commands/ask/compare.js')).compareCommand,
  explore: async () => (await import('./commands/ask/explore.js')).exploreCommand,
  rules: async () => (await import('./commands/ask/rules.js')).rulesCommand,
  project: async () => (await import('./commands/knowledge/project.js')).projectCommand,
  interop: async () => (await import('./commands/knowledge/interop.js')).interopCommand,
  documents: async () => (await import('./commands/knowledge/documents.js')).documentsCommand,
  graph: async () => (await import('./commands/knowledge/graph.js')).graphCommand,
  reindex: async () => (await import('./commands/knowledge/graph.js')).reindexCommand,
  forget: async () => (await import('./commands/knowledge/forget.js')).forgetCommand,
  domains: async () => (await import('./commands/knowledge/domains.js')).domainsCommand,
  status: async () => (await import('./commands/service/status.js')).statusCommand,
  stats: async () => (await import('./commands/service/stats.js')).statsCommand,
  edits: async () => (await import('./commands/groups.js')).editsCommand,
  entities: async () => (await import('./commands/groups.js')).entitiesCommand,
  learning: async () => (await import('./commands/groups.js')).learningCommand,
  green: async () => (await import('./commands/gateway/green.js')).greenCommand,
  sources: async () => (await import('./commands/knowledge/sources.js')).sourcesCommand,
  vectors: async () => (await import('./commands/groups.js')).vectorsCommand,
  migrate: async () => (await import('./commands/groups.js')).migrateCommand,
  config: async () => (await import('./commands/service/config.js')).configCommand,
  doctor: async () => (await import('./commands/service/doctor.js')).doctorCommand,
  backup: async () => (await import('./commands/service/backup.js')).backupCommand,
  restore: async () => (await import('./commands/service/backup.js')).restoreCommand,
  keys: async () => (await import('./commands/service/keys.js')).keysCommand,
  call: async () => (await import('./commands/service/call.js')).callCommand,
};

/** Runs a command line and returns its exit code: 0 success, 1 failure, 2 usage. */
export async function run(given: readonly string[]): Promise<number> {
  const argv = commandFirst(given);
  const cli = new Cli({ executable: argv[1] });
  const program = new Command(serviceName({}, argv[1]))
    .description('Knowledge retrieval service.')
    .version(VERSION)
    .showHelpAfterError(`Run ${serviceName({}, argv[1])} --help for the commands.`)
    .enablePositionalOptions()
    .exitOverride()
    .hook('preAction', (_program, command) => {
      cli.running = command;
    });
  for (const make of await wanted(argv[2])) program.addCommand(make(cli).exitOverride());
  const options = optionsOf(argv);
  if (options.json === true) silenceErrors(program);
  try {
    await program.parseAsync([...argv]);
  } catch (error) {
    if (!(error instanceof CommanderError)) cli.fail(error, options);
    else if (error.exitCode === 0) return 0;
    else if (options.json === true && MESSAGE.test(error.message))
      cli.fail(new UsageError(error.message.replace(MESSAGE, '')), options);
    else return 2;
  }
  return cli.exitCode;
}

/** How the messages of a command line that cannot be parsed begin; help that is shown instead has none. */
const MESSAGE = /^error: /u;

/** Keeps a command and those below it from writing errors as text. */
function silenceErrors(command: Command): void {
  command.configureOutput({ outputError: () => {} }).showHelpAfterError(false);
  command.commands.forEach(silenceErrors);
}

/** Moves options that stand before the command behind it: `svc --json query x` is `svc query --json x`. */
function commandFirst(argv: readonly string[]): string[] {
  const [node = '', script = '', ...words] = argv;
  const leading: string[] = [];
  while (words[0]?.startsWith('--') === true) {
    const takesValue = words[0] === '--data-dir';
    if (words[0] !== '--json' && !takesValue && !words[0].startsWith('--data-dir=')) break;
    leading.push(...words.splice(0, takesValue ? 2 : 1));
  }
  const [command, ...rest] = words;
  return command === undefined ? [...argv] : [node, script, command, ...rest, ...leading];
}

/** Returns the command that is called; all of them where none is named, for the help; none for the version. */
function wanted(name: string | undefined): Promise<MakeCommand[]> {
  if (name === '--version' || name === '-V') return Promise.resolve([]);
  const called = name !== undefined && Object.hasOwn(COMMANDS, name) ? [COMMANDS[name]!] : Object.values(COMMANDS);
  return Promise.all(called.map((load) => load()));
}

/** Returns whether `--json` was given, also where the command line could not be parsed. */
function optionsOf(argv: readonly string[]): CommonOptions {
  return { json: argv.includes('--json') };
}
