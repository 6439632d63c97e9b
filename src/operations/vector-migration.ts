import { Type } from '@sinclair/typebox';
import { SvcError } from '../core/errors.js';
import { defaulted, operation, optional } from './operation.js';

const Kind = Type.String({ minLength: 1, maxLength: 32, description: 'hnsw, pgvector or qdrant.' });

export const migrateVec = operation({
  name: 'migrate_vec',
  summary: 'Copies every vector index from another kind of vector backend; resumable, safe while writes go on.',
  idempotent: true,
  input: Type.Object({
    source_type: optional(Kind),
    source: optional(Kind),
    from: optional(Kind),
    to: optional(Type.String({ minLength: 1, maxLength: 32, description: 'Default: the configured kind.' })),
    batch_size: defaulted(
      Type.Integer({ minimum: 1, maximum: 10_000, description: 'Vectors to copy at a time.' }),
      500,
    ),
    dry_run: defaulted(Type.Boolean({ description: 'Only counts what would be copied.' }), false),
  }),
  output: Type.Object({
    source_type: Type.String(),
    dest_type: Type.String(),
    batches: Type.Integer(),
    vectors_read: Type.Integer(),
    vectors_written: Type.Integer(),
    duration_seconds: Type.Number(),
    dry_run: Type.Boolean(),
    unequal: Type.Integer({ description: 'Entries that clients of the destination deleted or changed meanwhile.' }),
  }),
  check: (input) => {
    const given = [input.source_type, input.source, input.from].filter((value) => value !== undefined);
    if (new Set(given).size === 1) return;
    throw new SvcError('invalid_input', 'source_type is missing or given twice; name one kind to copy from.', {
      member: 'source_type',
    });
  },
  run: (service, { source_type, source, from, to, batch_size, dry_run }, context) =>
    service.vectorMigrations.run({
      from: source_type ?? source ?? from ?? '',
      ...(to === undefined ? {} : { to }),
      batchSize: batch_size,
      dryRun: dry_run,
      ...(context.signal === undefined ? {} : { signal: context.signal }),
      ...(context.progress === undefined ? {} : { progress: context.progress }),
    }),
});
