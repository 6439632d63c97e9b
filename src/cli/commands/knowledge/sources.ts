import { resolve } from 'node:path';
import type { Command } from 'commander';
import { SvcError } from '../../../core/errors.js';
import { collected, given } from '../../arguments.js';
import type { Cli, CommonOptions } from '../../cli.js';
import * as shown from '../../output/source-tables.js';
import { forgottenSentence, rowsAndTables } from './forget.js';

interface SchemaOptions extends CommonOptions {
  readonly schema?: readonly string[];
  readonly map?: readonly string[];
}

interface Call<T> {
  readonly operation: string;
  readonly input: Record<string, unknown>;
  readonly options: CommonOptions;
  readonly human: (output: T) => string;
  /** Throws where the answer means that the command failed. */
  readonly check?: (output: T) => void;
  /** Returns true where the answer means exit code 1. */
  readonly failed?: (output: T) => boolean;
}

export function sourcesCommand(cli: Cli): Command {
  const sources = cli.command('sources', 'relational databases: connect, look, bring into the graph, keep in step');
  const add = (name: string, summary: string): Command => {
    const command = cli.command(name, summary).exitOverride();
    sources.addCommand(command);
    return command;
  };
  const database = (name: string, summary: string): Command =>
    add(name, summary)
      .argument('<source_id>', 'name of the source')
      .argument('<connection_string>', 'postgres://, mysql://, mariadb://, sqlite:/path, or env:NAME')
      .option('--schema <name>', 'schema to read; may be given several times', collected)
      .option('--map <glob=domain>', 'tables into domains; may be given several times', collected);

  database('connect', 'connect a database and read its schema')
    .option('--targets <kind>', 'vec, graph or both')
    .action((source_id: string, connection: string, options: SchemaOptions & { targets?: string }) => {
      const input = given({
        source_id,
        connection_string: absolute(connection),
        ...schemaInput(options),
        targets: options.targets,
      });
      return run(cli, { operation: 'source_connect', input, options, human: shown.connected });
    });

  add('discover', 'the tables of a connected source as they are now')
    .argument('<source_id>')
    .action((source_id: string, options: CommonOptions) =>
      run(cli, { operation: 'source_discover', input: { source_id }, options, human: shown.discovered }),
    );

  add('sync', 'bring the rows of a source in step')
    .argument('<source_id>')
    .option('--table <name>', 'only this table; may be given several times', collected)
    .option('--incremental', 'only what changed')
    .action((source_id: string, options: CommonOptions & { table?: string[]; incremental?: boolean }) => {
      const mode = options.incremental === true ? 'incremental' : 'full';
      const input = given({ source_id, tables: options.table, mode });
      return run<shown.Synced>(cli, {
        operation: 'source_sync',
        input,
        options,
        human: shown.synced,
        failed: ({ errors }) => errors.length > 0,
      });
    });

  add('list', 'the connected sources').action((options: CommonOptions) =>
    run(cli, { operation: 'source_list', input: {}, options, human: shown.listed }),
  );

  add('disconnect', 'remove a source from the registry; what was ingested stays')
    .argument('<source_id>')
    .action((source_id: string, options: CommonOptions) =>
      run(cli, {
        operation: 'source_disconnect',
        input: { source_id },
        options,
        human: () => `Disconnected ${source_id}. What was ingested stays; \`sources forget ${source_id}\` removes it.`,
      }),
    );

  database('inspect', 'what a database would become; writes nothing').action(
    (source_id: string, connection: string, options: SchemaOptions) => {
      const input = given({ source_id, connection_string: absolute(connection), ...schemaInput(options) });
      return run(cli, { operation: 'source_inspect_schema', input, options, human: shown.inspected });
    },
  );

  database('ingest-graph', 'tables, foreign keys, rules and catalog rows into the graph')
    .option('--no-catalogs', 'leave the rows of catalog tables out')
    .option('--no-rules', 'leave check constraints out')
    .option('--cross-source', 'also edges into other connected databases')
    .action(
      (
        source_id: string,
        connection: string,
        options: SchemaOptions & { catalogs: boolean; rules: boolean; crossSource?: boolean },
      ) => {
        const input = given({
          source_id,
          connection_string: absolute(connection),
          ...schemaInput(options),
          embed_catalog_tables: options.catalogs,
          extract_rules: options.rules,
          cross_source_edges: options.crossSource,
        });
        return run(cli, { operation: 'source_ingest_graph', input, options, human: shown.graphLoaded });
      },
    );

  add('forget', 'forget what a database, a table or a row made')
    .argument('<source_id>')
    .option('--table <name>', 'only this table')
    .option('--row <key>', 'only this row of the table; of a key of several columns each value in its order', collected)
    .option('--dry-run', 'only count what would be forgotten')
    .action((source_id: string, options: CommonOptions & { table?: string; row?: string[]; dryRun?: boolean }) => {
      const { table, row, dryRun: dry_run } = options;
      const key = row !== undefined && row.length > 1 ? JSON.stringify(row) : row?.[0];
      return run<{ status: string; sources: number }>(cli, {
        operation: 'source_forget',
        input: given({ source_id, table, row: key, dry_run }),
        options,
        check: ({ sources: count }) => {
          if (count === 0) throw new SvcError('not_found', nothingOf(source_id, table, key));
        },
        human: ({ status, sources: count }) => forgottenSentence(status, `${rowsAndTables(count)} of ${source_id}`),
      });
    });
  return sources;
}

/** Says that nothing of the name was there to forget, and where to look. */
function nothingOf(source_id: string, table: string | undefined, key: string | undefined): string {
  if (key === undefined) {
    const what = table === undefined ? 'nothing' : `nothing of the table ${table}`;
    return `There is ${what} of the database ${source_id} here, so nothing was forgotten.`;
  }
  const hint = `\`documents --domain\` shows keys behind the name of their table; of a key of several columns give each value, --row 7 --row 2`;
  return `There is no row ${key} in the table ${table} of ${source_id} here, so nothing was forgotten; ${hint}.`;
}

/** Returns a file's path as an absolute one: the service that opens it may run in another directory. */
function absolute(connection: string): string {
  const file = /^sqlite:(?!\/\/)(.+)$/s.exec(connection)?.[1];
  return file === undefined ? connection : `sqlite:${resolve(file)}`;
}

function schemaInput({ schema, map }: SchemaOptions): Record<string, unknown> {
  const pairs = map?.map((pair) => {
    const at = pair.lastIndexOf('=');
    return at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
  });
  return { schemas: schema, domain_map: pairs === undefined ? undefined : Object.fromEntries(pairs) };
}

async function run<T>(cli: Cli, { human, check, failed, ...call }: Call<T>): Promise<void> {
  const output = await cli.answerOf<T>({ command: 'sources', ...call });
  check?.(output);
  cli.print(output, call.options, human);
  if (failed?.(output) === true) cli.exitCode = 1;
}
