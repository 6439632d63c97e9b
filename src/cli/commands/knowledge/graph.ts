import type { Command } from 'commander';
import { environmentVariable } from '../../../config.js';
import { counted } from '../../../core/wording/counted.js';
import { given } from '../../arguments.js';
import type { Cli, CommonOptions } from '../../cli.js';
import { dim, facts, table } from '../../output/output.js';

interface Checkpoint {
  readonly id: string;
  readonly created_at: string;
  readonly version: number;
  readonly nodes: number;
  readonly edges: number;
}

interface EngineSync {
  readonly engine: string;
  readonly seen: number;
  readonly written: number;
  readonly rewritten: number;
  readonly removed: number;
}

export function graphCommand(cli: Cli): Command {
  const graph = cli.command('graph', 'copies of the whole graph');
  const add = (name: string, summary: string): Command => {
    const command = cli.command(name, summary).exitOverride();
    graph.addCommand(command);
    return command;
  };
  add('checkpoint', 'keep a copy of the graph').action((options: CommonOptions) =>
    run<Checkpoint>(cli, { operation: 'graph_checkpoint', input: {}, options }, (made) => listing([made])),
  );
  add('checkpoints', 'the kept copies, oldest first').action((options: CommonOptions) =>
    run<{ checkpoints: Checkpoint[] }>(cli, { operation: 'graph_checkpoints', input: {}, options }, (found) =>
      listing(found.checkpoints),
    ),
  );
  add('restore', 'put a copy in the place of the graph; text index and vectors follow')
    .argument('<checkpoint_id>')
    .option('--dry-run', 'only count what would change')
    .action((checkpoint_id: string, { dryRun: dry_run, ...options }: CommonOptions & { dryRun?: boolean }) =>
      run<{ status: string; version: number; changed: number; removed: number }>(
        cli,
        { operation: 'graph_restore', input: given({ checkpoint_id, dry_run }), options },
        ({ status, version, changed, removed }) =>
          status === 'dry_run'
            ? `Would be restored: ${counted(changed, 'node')} indexed again, ${removed} removed.\n${dim('A dry run; nothing was changed.')}`
            : `Restored: the graph has version ${version}; ${counted(changed, 'node')} indexed again, ${removed} removed.`,
      ),
    );
  add('delete', 'delete a copy')
    .argument('<checkpoint_id>')
    .action((checkpoint_id: string, options: CommonOptions) =>
      run(cli, { operation: 'graph_delete_checkpoint', input: { checkpoint_id }, options }, () => 'Deleted.'),
    );
  add('sync', 'make the engines that follow the ledger equal to it, while the service answers')
    .option('--engine <name>', 'one engine, such as neo4j; all when omitted')
    .action(({ engine, ...options }: CommonOptions & { engine?: string }) =>
      run<{ engines: EngineSync[] }>(cli, { operation: 'graph_sync', input: given({ engine }), options }, (done) =>
        done.engines.length === 0 ? 'No engine follows the ledger.' : synced(done.engines),
      ),
    );
  return graph;
}

export function reindexCommand(cli: Cli): Command {
  return cli
    .command(
      'reindex',
      'make text index and vectors agree with the graph and the configured model, while the service answers',
    )
    .action(async (options: CommonOptions) => {
      const input = given({ embedding: chosenModel(cli, options) });
      await run<Record<string, string | number>>(cli, { operation: 'reindex', input, options }, (done) =>
        facts(Object.entries(done)),
      );
    });
}

function synced(engines: readonly EngineSync[]): string {
  return table(engines, [
    { title: 'Engine', of: (one) => one.engine },
    { title: 'Compared', of: (one) => one.seen, right: true },
    { title: 'Written', of: (one) => one.written, right: true },
    { title: 'Written to be sure', of: (one) => one.rewritten, right: true },
    { title: 'Removed', of: (one) => one.removed, right: true },
  ]);
}

function listing(checkpoints: readonly Checkpoint[]): string {
  return table(checkpoints, [
    { title: 'Checkpoint', of: (one) => one.id },
    { title: 'Created', of: (one) => one.created_at.slice(0, 19) },
    { title: 'Version', of: (one) => one.version, right: true },
    { title: 'Nodes', of: (one) => one.nodes, right: true },
    { title: 'Edges', of: (one) => one.edges, right: true },
  ]);
}

interface Call {
  readonly operation: string;
  readonly input: object;
  readonly options: CommonOptions;
}

async function run<T>(cli: Cli, call: Call, human: (output: T) => string): Promise<void> {
  await cli.show<T>({ command: call.operation, ...call }, human);
}

/** Returns the model that this command names by `SVC_EMBEDDING`, or undefined: a running service may be set to another one. */
function chosenModel(cli: Cli, options: CommonOptions): string | undefined {
  const { name, embedding } = cli.config(options);
  const chosen =
    environmentVariable(`${name.toUpperCase().replaceAll('-', '_')}_EMBEDDING`) ?? environmentVariable('SVC_EMBEDDING');
  return chosen === undefined || chosen.trim() === '' ? undefined : (embedding.model ?? embedding.kind);
}
