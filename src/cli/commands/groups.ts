import { Command } from 'commander';
import { collected, given, jsonValue } from '../arguments.js';
import { type Cli, type CommonOptions, UsageError } from '../cli.js';
import { type OperationCommand, operationCommand } from '../operation-command.js';
import { interoceptionShown } from '../output/interoception.js';
import { jobFileTable, jobShown } from '../output/job-files.js';
import { jobTable } from '../output/job-table.js';
import { rendered } from '../output/render.js';
import { gatewayLearningCommands } from './gateway/learning.js';
import { posteriorsShown } from './gateway/posteriors.js';
import { migrateStoreCommand } from './service/migrate-store.js';

type Members = Readonly<Record<string, OperationCommand>>;

const LEARNING: Members = {
  select: { operation: 'learning_select', positional: ['learner'] },
  observe: { operation: 'learning_observe', positional: ['learner', 'arm_id'] },
  posteriors: { operation: 'learning_posteriors', positional: ['learner'], human: posteriorsShown },
  metrics: { operation: 'learning_metrics', positional: ['learner'] },
  'session-start': { operation: 'learning_session_start', positional: ['learner', 'session_name'] },
  'session-end': { operation: 'learning_session_end', positional: ['session_id'] },
  interoception: { operation: 'interoception', human: interoceptionShown },
};

const VECTORS: Members = {
  create: { operation: 'vector_create_index', positional: ['index_name', 'dimension'] },
  list: { operation: 'vector_list_indexes' },
  describe: { operation: 'vector_describe_index', positional: ['index_name'] },
  drop: { operation: 'vector_delete_index', positional: ['index_name'] },
  upsert: { operation: 'vector_upsert', positional: ['index_name'] },
  query: { operation: 'vector_query', positional: ['index_name'] },
  update: { operation: 'vector_update', positional: ['index_name'] },
  delete: { operation: 'vector_delete', positional: ['index_name', 'id'] },
  'delete-many': { operation: 'vector_delete_many', positional: ['index_name'] },
};

const ENTITIES: Members = {
  resolve: { operation: 'entities_resolve', positional: ['domain'] },
  merge: { operation: 'entities_merge', positional: ['domain', 'from_id', 'into_id'] },
  merges: { operation: 'entities_merges' },
  undo: { operation: 'entities_undo', positional: ['merge_id'] },
};

const JOBS: Members = {
  list: { operation: 'jobs', human: jobTable },
  show: { operation: 'job', positional: ['job_id'], human: jobShown },
  files: { operation: 'job_files', positional: ['job_id'], human: jobFileTable },
  cancel: { operation: 'job_cancel', positional: ['job_id'] },
  retry: { operation: 'job_retry', positional: ['job_id'] },
};

const EDITS: Members = {
  list: { operation: 'edits' },
  make: { operation: 'edit', positional: ['type', 'domain'] },
  undo: { operation: 'edit_undo', positional: ['edit_id'] },
};

const MIGRATE: Members = { vec: { operation: 'migrate_vec' } };

export function vectorsCommand(cli: Cli): Command {
  return group(cli, 'vectors', 'named vector indexes', VECTORS);
}

export function entitiesCommand(cli: Cli): Command {
  return group(cli, 'entities', 'concepts that are one thing: find, merge, list and undo', ENTITIES);
}

export function jobsCommand(cli: Cli): Command {
  return group(cli, 'jobs', 'ingests of many files: list, show, cancel and retry', JOBS);
}

export function editsCommand(cli: Cli): Command {
  return group(cli, 'edits', 'changes by hand that outrank what was extracted: make, list and undo', EDITS);
}

export function migrateCommand(cli: Cli): Command {
  const command = group(cli, 'migrate', 'move data between kinds of backends', MIGRATE);
  return command.addCommand(migrateStoreCommand(cli).exitOverride());
}

export function learningCommand(cli: Cli): Command {
  const command = group(cli, 'learning', 'learners, what feedback taught, and what agent runs taught', LEARNING);
  for (const member of [resetCommand(cli), ...gatewayLearningCommands(cli)]) command.addCommand(member.exitOverride());
  return command;
}

interface ResetOptions extends CommonOptions {
  readonly interoception?: boolean;
  readonly armId?: string[];
  readonly context?: unknown;
  readonly domain?: string;
  readonly source?: string;
  readonly dryRun?: boolean;
}

/** Makes `learning reset`: a learner's arms, or with `--interoception` the effects of feedback. */
function resetCommand(cli: Cli): Command {
  return cli
    .command('reset', 'forget what a learner, or with --interoception feedback, has learned')
    .argument('[learner]', 'the learner')
    .option('--arm-id <id>', 'only this arm; may be repeated', collected)
    .option('--context <json>', 'only in this context', jsonValue)
    .option('--interoception', 'what feedback taught, instead of a learner')
    .option('--domain <name>', 'with --interoception: only of this domain')
    .option('--source <source_id>', 'with --interoception: only of this ingest source')
    .option('--dry-run', 'only count what would be forgotten')
    .action((learner: string | undefined, options: ResetOptions) => {
      const { interoception = false, armId, context, domain, source, dryRun: dry_run } = options;
      if ((learner === undefined) !== interoception) throw new UsageError('Name a learner, or pass --interoception.');
      const [operation, input] = interoception
        ? ['interoception_reset', given({ domain, source_id: source, dry_run })]
        : ['learning_reset', given({ learner, arm_ids: armId, context, dry_run })];
      return cli.show({ command: 'learning reset', operation, input, options }, rendered);
    });
}

function group(cli: Cli, name: string, summary: string, members: Members): Command {
  const command = new Command(name).description(summary).showHelpAfterError();
  for (const [word, spec] of Object.entries(members)) {
    command.addCommand(operationCommand(cli, word, spec).exitOverride());
  }
  return command;
}
