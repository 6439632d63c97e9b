import { Type } from '@sinclair/typebox';
import { defaulted, operation } from '../operation.js';
import { dryRun } from '../schema/dry-run.js';
import { DomainName, IgnoredMembers, LENGTH } from '../shapes.js';

const SourceItem = Type.Object({
  source_id: Type.String(),
  domain: Type.String(),
  kind: Type.String(),
  label: Type.String(),
  concepts: Type.Integer(),
  edges: Type.Integer(),
  rules: Type.Integer(),
  passages: Type.Integer(),
  updated_at: Type.String(),
});

export const documents = operation({
  name: 'documents',
  summary: 'List the sources that were ingested and what each asserts.',
  readOnly: true,
  input: Type.Object({
    domain: Type.Optional(DomainName),
    limit: defaulted(Type.Integer({ minimum: 1, maximum: 10_000, description: 'Sources to list at most.' }), 1000),
    after: Type.Optional(Type.String({ maxLength: LENGTH.id, description: 'Continue after this source_id.' })),
  }),
  output: Type.Object({
    documents: Type.Array(SourceItem),
    next: Type.Union([Type.String(), Type.Null()]),
    warnings: IgnoredMembers,
  }),
  run: (service, input) => service.ingest.documents(input),
});

const forgotten = {
  status: Type.Union([Type.Literal('forgotten'), Type.Literal('dry_run')]),
  sources: Type.Integer({ description: 'Sources that were forgotten, or would be.' }),
  removed: Type.Optional(
    Type.Integer({
      description:
        'Nodes that no longer exist, or would not; absent in a dry run but for a domain: others may share them.',
    }),
  ),
};
const Forgotten = Type.Object(forgotten);

const DryRun = dryRun('Only counts the sources that would be forgotten; `status` is `dry_run` then.');

export const forgetDocument = operation({
  name: 'forget_document',
  summary: 'Forget exactly what one source alone asserted.',
  destructive: true,
  input: Type.Object({
    source_id: Type.String({
      minLength: 1,
      maxLength: LENGTH.id,
      description: 'Id of the source, as documents lists it.',
    }),
    dry_run: DryRun,
  }),
  output: Forgotten,
  run: (service, input) => service.ingest.forgetSource(input.source_id, { dryRun: input.dry_run }),
});

const Directory = Type.String({
  minLength: 1,
  maxLength: 4096,
  description: 'Directory of the machine of the service.',
});

// An operation of its own beside the `dry_run` of `forget_missing`: a member that is misspelt, or not known to an older release, is ignored.
export const missingFiles = operation({
  name: 'missing_files',
  summary: 'List the files below a directory that were ingested and are gone: what forget_missing would forget.',
  rules: { directory: 'directory names a directory that exists.' },
  readOnly: true,
  input: Type.Object({
    directory: Directory,
    domain: DomainName,
    limit: defaulted(Type.Integer({ minimum: 0, maximum: 1000, description: 'Files to name at most.' }), 100),
  }),
  output: Type.Object({
    total: Type.Integer({ description: 'Files that are gone.' }),
    files: Type.Array(Type.String(), { description: 'The first of them, below directory as it was given.' }),
  }),
  run: (service, { directory, domain, limit }, context) =>
    service.ingest.missingFiles(directory, domain, { anywhere: context.surface === 'cli', limit }),
});

export const knownFiles = operation({
  name: 'known_files',
  summary:
    'Tell which of some files were ingested: a job that names their directory reads those again that it would pass over.',
  readOnly: true,
  input: Type.Object({
    domain: DomainName,
    paths: Type.Array(Type.String({ minLength: 1, maxLength: 4096 }), {
      maxItems: 100_000,
      description: 'Absolute paths of files.',
    }),
  }),
  output: Type.Object({ paths: Type.Array(Type.String(), { description: 'Those that were ingested.' }) }),
  run: async (service, input) => ({ paths: [...(await service.jobs.knownFiles(input))] }),
});

export const forgetMissing = operation({
  name: 'forget_missing',
  summary: 'Forget the files below a directory that were ingested and are gone.',
  rules: { directory: 'directory names a directory that exists.' },
  destructive: true,
  idempotent: true,
  input: Type.Object({
    directory: Directory,
    domain: DomainName,
    dry_run: DryRun,
  }),
  output: Type.Object({
    ...forgotten,
    files: Type.Optional(
      Type.Array(Type.String(), {
        description: 'In a dry run the first hundred files that are gone, below directory as it was given.',
      }),
    ),
  }),
  run: (service, { directory, domain, dry_run }, context) =>
    service.ingest.forgetMissing(directory, domain, { anywhere: context.surface === 'cli', dryRun: dry_run }),
});

export const forgetDomain = operation({
  name: 'forget_domain',
  summary: 'Remove a domain with all it holds.',
  destructive: true,
  input: Type.Object({ name: DomainName, dry_run: DryRun }),
  output: Forgotten,
  run: async (service, input) => {
    // A question is written behind its answer: one that is still on its way goes too.
    await service.feedback.flushed();
    // A job that goes on would make the domain anew.
    if (input.dry_run !== true) await service.jobs.cancelOfDomain(input.name);
    return service.ingest.forgetDomain(input.name, { dryRun: input.dry_run });
  },
});
