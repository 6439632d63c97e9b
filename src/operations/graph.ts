import { Type } from '@sinclair/typebox';
import { SvcError } from '../core/errors.js';
import { loadOptions } from './ingest.js';
import { operation, optional } from './operation.js';
import { dryRun } from './schema/dry-run.js';

const CheckpointId = Type.String({ minLength: 1, maxLength: 128, description: 'As `graph_checkpoints` lists it.' });

const Checkpoint = Type.Object({
  id: Type.String(),
  created_at: Type.String(),
  version: Type.Integer({ description: 'Version of the graph that it holds.' }),
  nodes: Type.Integer(),
  edges: Type.Integer(),
});

export const graphCheckpoint = operation({
  name: 'graph_checkpoint',
  summary: 'Keeps a consistent copy of the whole graph, made while writes go on.',
  input: Type.Object({}),
  output: Checkpoint,
  run: (service) => service.checkpoints.make(),
});

export const graphCheckpoints = operation({
  name: 'graph_checkpoints',
  summary: 'Kept copies of the graph, oldest first.',
  readOnly: true,
  input: Type.Object({}),
  output: Type.Object({ checkpoints: Type.Array(Checkpoint) }),
  run: async (service) => ({ checkpoints: await service.checkpoints.list() }),
});

export const graphRestore = operation({
  name: 'graph_restore',
  summary: 'Puts a kept copy in the place of the whole graph, all or nothing; text index and vectors follow.',
  destructive: true,
  idempotent: true,
  input: Type.Object({
    checkpoint_id: CheckpointId,
    dry_run: dryRun('Only counts what would change; `status` is `dry_run` then.'),
  }),
  output: Type.Object({
    status: Type.Union([Type.Literal('restored'), Type.Literal('dry_run')]),
    checkpoint_id: Type.String(),
    version: Type.Integer({ description: 'Version of the graph after it.' }),
    changed: Type.Integer({ description: 'Concepts and passages that are new or differ from before, or would.' }),
    removed: Type.Integer({ description: 'Concepts and passages that went, or would go.' }),
  }),
  run: (service, { checkpoint_id, dry_run }, context) =>
    service.checkpoints.restore(checkpoint_id, { ...loadOptions(context), dryRun: dry_run }),
});

export const graphDeleteCheckpoint = operation({
  name: 'graph_delete_checkpoint',
  summary: 'Deletes a kept copy of the graph.',
  destructive: true,
  input: Type.Object({ checkpoint_id: CheckpointId }),
  output: Type.Object({ status: Type.String(), checkpoint_id: Type.String() }),
  run: async (service, input) => {
    await service.checkpoints.delete(input.checkpoint_id);
    return { status: 'deleted', checkpoint_id: input.checkpoint_id };
  },
});

export const graphSync = operation({
  name: 'graph_sync',
  summary:
    'Makes the engines that follow the ledger (Neo4j) equal to it, range by range, writing differences only, while the service answers.',
  idempotent: true,
  input: Type.Object({
    engine: optional(Type.String({ minLength: 1, description: 'One engine as `status` names it; all without.' })),
  }),
  output: Type.Object({
    engines: Type.Array(
      Type.Object({
        engine: Type.String(),
        seen: Type.Integer({ description: 'Records compared.' }),
        written: Type.Integer({ description: 'Records that were missing or different.' }),
        rewritten: Type.Integer({
          description: 'Records that carried no fingerprint, so that nothing told whether they differed.',
        }),
        removed: Type.Integer({ description: 'Records that the ledger does not have.' }),
      }),
    ),
  }),
  run: async ({ followers }, { engine }, { progress }) => {
    if (engine !== undefined && !followers.names.includes(engine)) {
      const known =
        followers.names.length === 0 ? 'No engine follows the ledger' : `Name ${followers.names.join(' or ')}`;
      throw new SvcError('invalid_input', `There is no engine ${engine}. ${known}.`, { member: 'engine' });
    }
    const done = await followers.resync(engine, (name, { seen }) => progress?.(seen, undefined, `${name} compared`));
    return { engines: [...done].map(([name, outcome]) => ({ engine: name, ...outcome })) };
  },
});

export const reindex = operation({
  name: 'reindex',
  summary:
    'Makes text index and vectors agree with the graph: embeds everything with the configured model into a new index, and lets it serve; the one before answers until then.',
  idempotent: true,
  input: Type.Object({
    embedding: optional(
      Type.String({ maxLength: 200, description: 'Refuse unless the service is configured for this model or kind.' }),
    ),
  }),
  output: Type.Object({
    nodes: Type.Integer({
      description: 'Concepts and passages that were indexed; those of an interrupted call before are not made again.',
    }),
    removed: Type.Integer({ description: 'Entries whose node does not exist.' }),
    followed: Type.Integer({ description: 'Nodes indexed once more because they were written meanwhile.' }),
    embedding_model: Type.String(),
    duration_seconds: Type.Number(),
  }),
  run: (service, { embedding }, context) => {
    const configured = service.concepts.configured();
    if (embedding !== undefined && !service.concepts.isConfigured(embedding)) {
      throw new SvcError(
        'conflict',
        `The service is configured for the embedding model ${configured}, not for ${embedding}. Restart it with that setting, then reindex.`,
      );
    }
    return service.reindex.run(loadOptions(context));
  },
});
