import { Type } from '@sinclair/typebox';
import { kindsRead } from '../core/wording/document-types.js';
import { loadOptions, SourceType } from './ingest.js';
import { defaulted, operation, optional } from './operation.js';
import { dryRun, undone, undoStatus } from './schema/dry-run.js';
import { DomainName, LENGTH } from './shapes.js';

export const ingestPlan = operation({
  name: 'ingest_plan',
  summary: 'Tell what the ingest of a file would ask of the language model, without asking or writing.',
  readOnly: true,
  rules: { source_path: 'source_path names a file, not a folder, that holds readable text.' },
  input: Type.Object({
    source_path: Type.String({
      minLength: 1,
      maxLength: 4096,
      description: `Path of a ${kindsRead('or')} file.`,
    }),
    domain: DomainName,
    source_type: optional(SourceType),
  }),
  output: Type.Object({
    domain: Type.String(),
    source: Type.String(),
    model: Type.Union([Type.String(), Type.Null()], { description: 'Null where documents are read without a model.' }),
    unchanged: Type.Boolean({ description: 'Whether the same content was ingested before: nothing would happen.' }),
    passages: Type.Integer(),
    chunks: Type.Integer({ description: 'Parts that the model reads at once.' }),
    cached: Type.Integer({ description: 'Chunks the answers to which are kept from before.' }),
    calls: Type.Integer({ description: 'Requests to the model.' }),
    input_tokens: Type.Integer({ description: 'Estimate.' }),
    output_tokens: Type.Integer({ description: 'Estimate.' }),
    cost_usd: Type.Union([Type.Number(), Type.Null()], { description: 'Estimate; null without configured prices.' }),
  }),
  run: (service, input, context) =>
    service.ingest.plan(input.source_path, input.domain, {
      ...loadOptions(context),
      sourceType: input.source_type,
      anywhere: context.surface === 'cli' || context.surface === 'client',
    }),
});

const Merge = {
  domain: Type.String(),
  from_id: Type.String({ description: 'The concept that is no longer visible.' }),
  from_name: Type.String(),
  into_id: Type.String({ description: 'The concept that stands for it.' }),
  into_name: Type.String(),
  method: Type.String({ description: 'exact, alias, acronym, person, spelling or manual.' }),
  score: Type.Number(),
};
const listed = {
  merge_id: Type.String(),
  ...Merge,
  created_at: Type.String(),
  undone_at: Type.Union([Type.String(), Type.Null()]),
};
const MergeRecord = Type.Object(listed);
const MergeId = Type.String({
  minLength: 1,
  maxLength: LENGTH.id,
  description: 'Id of the merge, as the log lists it.',
});

export const entitiesResolve = operation({
  name: 'entities_resolve',
  summary: 'Find concepts of a domain that are one thing, and merge them.',
  input: Type.Object({
    domain: DomainName,
    dry_run: dryRun('Whether to only tell what would be merged.'),
  }),
  output: Type.Object({
    domain: Type.String(),
    concepts: Type.Integer({ description: 'Concepts that were compared.' }),
    dry_run: Type.Boolean(),
    merges: Type.Array(Type.Object({ merge_id: Type.Union([Type.String(), Type.Null()]), ...Merge })),
    ambiguous: Type.Array(Type.String(), { description: 'Abbreviations that fit several things; left alone.' }),
  }),
  run: async (service, { domain, dry_run }, { signal }) => {
    const result = await service.entities.resolve(domain, { dryRun: dry_run, signal });
    return { ...result, merges: [...result.merges], ambiguous: [...result.ambiguous] };
  },
});

export const entitiesMerge = operation({
  name: 'entities_merge',
  summary: 'Merge two concepts that are one thing.',
  rules: { into_id: 'into_id is another concept than from_id.' },
  input: Type.Object({
    domain: DomainName,
    from_id: Type.String({ minLength: 1, maxLength: 2000, description: 'Id of the concept that goes.' }),
    into_id: Type.String({ minLength: 1, maxLength: 2000, description: 'Id of the concept that stands for it.' }),
  }),
  output: MergeRecord,
  run: (service, { domain, from_id, into_id }) => service.entities.merge(domain, { from_id, into_id }),
});

export const entitiesMerges = operation({
  name: 'entities_merges',
  summary: 'List the merges of concepts, undone ones too.',
  readOnly: true,
  input: Type.Object({
    domain: optional(DomainName),
    limit: defaulted(Type.Integer({ minimum: 1, maximum: 10_000, description: 'Merges to list at most.' }), 1000),
    after: optional(Type.String({ maxLength: LENGTH.id, description: 'Continue after this merge_id.' })),
  }),
  output: Type.Object({ merges: Type.Array(MergeRecord), next: Type.Union([Type.String(), Type.Null()]) }),
  run: (service, input) => service.entities.merges(input),
});

export const entitiesUndo = operation({
  name: 'entities_undo',
  summary: 'Undo a merge: the graph is as if it had never been made.',
  input: Type.Object({
    merge_id: MergeId,
    dry_run: dryRun('Only shows the merge that would be undone; `status` is `dry_run` then.'),
  }),
  output: Type.Object({ ...listed, status: undoStatus('the merge') }),
  run: async (service, { merge_id, dry_run }) =>
    undone(await service.entities.undo(merge_id, { dryRun: dry_run }), dry_run),
});
