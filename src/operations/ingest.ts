import { Type } from '@sinclair/typebox';
import { SvcError } from '../core/errors.js';
import { type CallContext, defaulted, operation } from './operation.js';
import { Confidence, DomainName, IngestResult, Properties } from './shapes.js';

const RELATION = '^[A-Za-z][A-Za-z0-9_]{0,63}$';
const SourceType = Type.Union(
  ['text', 'markdown', 'pdf', 'html', 'docx'].map((kind) => Type.Literal(kind)),
  { description: 'How to read it; by the file extension when omitted.' },
);

/** What long work gets of a call. */
export function loadOptions(context: CallContext) {
  return { signal: context.signal, progress: context.progress };
}

export const ingest = operation({
  name: 'ingest',
  summary: 'Ingest a file of the machine the service runs on.',
  idempotent: true,
  input: Type.Object({
    source_path: Type.String({ minLength: 1, description: 'Path of a text, Markdown, PDF, HTML or DOCX file.' }),
    domain: DomainName,
    source_type: Type.Optional(SourceType),
  }),
  output: IngestResult,
  run: (service, input, context) =>
    service.ingest.file(input.source_path, input.domain, {
      ...loadOptions(context),
      sourceType: input.source_type,
      // Both have permissions of their own; so has a client in this process.
      anywhere: context.surface === 'cli' || context.surface === 'client',
    }),
});

export const ingestUpload = operation({
  name: 'ingest_upload',
  summary: 'Ingest an uploaded file.',
  idempotent: true,
  input: Type.Object({
    temporary_path: Type.String({ minLength: 1, description: 'Where the surface spooled the upload.' }),
    file_name: Type.String({ minLength: 1, maxLength: 1024, description: 'Name of the file as uploaded.' }),
    domain: DomainName,
    source_type: Type.Optional(SourceType),
  }),
  output: IngestResult,
  run: (service, input, context) =>
    service.ingest.upload(
      { path: input.temporary_path, name: input.file_name },
      { ...loadOptions(context), domain: input.domain, sourceType: input.source_type },
    ),
});

export const ingestText = operation({
  name: 'ingest_text',
  summary: 'Ingest a text given in the request.',
  idempotent: true,
  input: Type.Object({
    text: Type.String({ minLength: 1 }),
    domain: DomainName,
    format: defaulted(Type.Union([Type.Literal('text'), Type.Literal('markdown')]), 'text'),
    name: defaulted(Type.String({ minLength: 1, maxLength: 1024 }), 'raw_text'),
  }),
  output: IngestResult,
  run: (service, input, context) => service.ingest.text(input, loadOptions(context)),
});

const Concept = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 1024 }),
  description: Type.Optional(Type.String()),
  id: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
  properties: Type.Optional(Properties),
  confidence: Type.Optional(Confidence),
});

const Edge = Type.Object({
  source: Type.String({ minLength: 1, maxLength: 1024, description: 'Name or id of a concept.' }),
  target: Type.String({ minLength: 1, maxLength: 1024, description: 'Name or id of a concept.' }),
  relation: Type.Optional(Type.String({ pattern: RELATION })),
  relation_type: Type.Optional(Type.String({ pattern: RELATION })),
  confidence: Type.Optional(Confidence),
  properties: Type.Optional(Properties),
});

const Rule = Type.Object({
  text: Type.String({ minLength: 1 }),
  category: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
  confidence: Type.Optional(Confidence),
  concepts: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
  metadata: Type.Optional(Properties),
});

export const ingestStructured = operation({
  name: 'ingest_structured',
  summary: 'Ingest concepts, typed edges and rules as given, without extraction.',
  idempotent: true,
  input: Type.Object({
    concepts: Type.Array(Concept),
    domain: DomainName,
    edges: defaulted(Type.Array(Edge), []),
    rules: defaulted(Type.Array(Rule), []),
    source_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 512,
        description: 'Name of this batch; a later batch of that name replaces it.',
      }),
    ),
  }),
  output: IngestResult,
  check: (input) => {
    input.edges.forEach((edge, i) => {
      if (edge.relation === undefined && edge.relation_type === undefined) {
        throw new SvcError('invalid_input', `edges.${i}.relation is missing; name the relation.`, {
          member: `edges.${i}.relation`,
        });
      }
    });
  },
  run: (service, input, context) => service.ingest.structured(input, loadOptions(context)),
});

export const ingestMessage = operation({
  name: 'ingest_message',
  summary: 'Ingest one message of a conversation.',
  input: Type.Object({
    text: Type.String({ minLength: 1 }),
    session_id: Type.String({ minLength: 1, maxLength: 512 }),
    role: defaulted(Type.String({ minLength: 1, maxLength: 64 }), 'user'),
    domain: DomainName,
    speaker: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
    timestamp: Type.Optional(Type.String({ format: 'date-time', description: 'ISO 8601.' })),
    message_id: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
  }),
  output: Type.Composite([
    IngestResult,
    Type.Object({ session_id: Type.String(), chunks: Type.Integer(), latency_ms: Type.Number() }),
  ]),
  run: (service, input, context) => service.ingest.message(input, loadOptions(context)),
});

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
    limit: defaulted(Type.Integer({ minimum: 1, maximum: 10_000 }), 1000),
    after: Type.Optional(Type.String({ description: 'Continue after this source_id.' })),
  }),
  output: Type.Object({ documents: Type.Array(SourceItem), next: Type.Union([Type.String(), Type.Null()]) }),
  run: (service, input) => service.ingest.documents(input),
});

const Forgotten = Type.Object({
  status: Type.Literal('forgotten'),
  sources: Type.Integer(),
  removed: Type.Integer({ description: 'Nodes that no longer exist.' }),
});

export const forgetDocument = operation({
  name: 'forget_document',
  summary: 'Forget exactly what one source alone asserted.',
  destructive: true,
  input: Type.Object({ source_id: Type.String({ minLength: 1 }) }),
  output: Forgotten,
  run: (service, input) => service.ingest.forgetSource(input.source_id),
});

export const forgetDomain = operation({
  name: 'forget_domain',
  summary: 'Remove a domain with all it holds.',
  destructive: true,
  input: Type.Object({ name: DomainName }),
  output: Forgotten,
  run: (service, input) => service.ingest.forgetDomain(input.name),
});
