import { Type } from '@sinclair/typebox';
import { renamedMember } from '../../core/errors.js';
import { defaulted, operation, optional } from '../operation.js';
import { constrained, exactlyOne } from '../schema/constraints.js';
import { dryRun } from '../schema/dry-run.js';

const kind = (description: string) =>
  Type.Unsafe<string>({
    type: 'string',
    enum: ['hnsw', 'sqlite', 'embedded', 'pgvector', 'postgres', 'qdrant'],
    description: `${description} sqlite and embedded mean hnsw, postgres means pgvector.`,
  });
const DIFFERS =
  'The kind to copy from (source_type, source or from) differs from the kind to copy to. Both are configured: pgvector with DATABASE_URL, qdrant with SVC_QDRANT_URL.';
const From = kind('Kind to copy from; source_type, source and from are synonyms.');

export const migrateVec = operation({
  name: 'migrate_vec',
  summary: 'Copies every vector index from another kind of vector backend; resumable, safe while writes go on.',
  idempotent: true,
  rules: {
    source_type: DIFFERS,
    source: DIFFERS,
    from: DIFFERS,
    to: 'The kind to copy to is configured.',
  },
  input: constrained(
    Type.Object({
      source_type: optional(From),
      source: optional(From),
      from: optional(From),
      to: optional(kind('Kind to copy to, by default the configured one.')),
      batch_size: defaulted(
        Type.Integer({ minimum: 1, maximum: 10_000, description: 'Vectors to copy at a time.' }),
        500,
      ),
      dry_run: dryRun('Only counts what would be copied.'),
    }),
    exactlyOne('source_type', 'source', 'from'),
  ),
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
  run: async (service, { source_type, source, from, to, batch_size, dry_run }, context) => {
    const named = source_type !== undefined ? 'source_type' : source !== undefined ? 'source' : 'from';
    const request = {
      from: source_type ?? source ?? from ?? '',
      ...(to === undefined ? {} : { to }),
      batchSize: batch_size,
      dryRun: dry_run,
      ...(context.signal === undefined ? {} : { signal: context.signal }),
      ...(context.progress === undefined ? {} : { progress: context.progress }),
    };
    return service.vectorMigrations.run(request).catch((error: unknown) => {
      throw renamedMember(error, { source_type: named });
    });
  },
});
