import { Type } from '@sinclair/typebox';
import { DOCUMENT_TYPES, kindsRead } from '../core/wording/document-types.js';
import { type CallContext, defaulted, operation } from './operation.js';
import { atLeastOne, constrained } from './schema/constraints.js';
import { Confidence, DomainName, IngestResult, LENGTH, Properties, WORDS } from './shapes.js';

const RELATION = '^[A-Za-z][A-Za-z0-9_]{0,63}$';
export const SourceType = Type.Union(
  DOCUMENT_TYPES.map((kind) => Type.Literal(kind)),
  { description: 'How to read it; by the file extension when omitted.' },
);

/** Returns the members of a call that long work needs. */
export function loadOptions(context: CallContext) {
  return { signal: context.signal, progress: context.progress };
}

export const ingest = operation({
  name: 'ingest',
  summary: 'Ingest a file of the machine the service runs on.',
  rules: { source_path: 'source_path names a file, not a folder, that holds readable text.' },
  idempotent: true,
  input: Type.Object({
    source_path: Type.String({
      minLength: 1,
      maxLength: 4096,
      description: `Path of a ${kindsRead('or')} file.`,
    }),
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
  rules: {
    file: 'The file part has a name, and by its extension or source_type a known type; an unknown one is 415. The file is of that type and holds text.',
  },
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
    text: Type.String({
      pattern: WORDS,
      maxLength: LENGTH.text,
      description: 'The text, up to 10 million characters.',
    }),
    domain: DomainName,
    format: defaulted(
      Type.Union([Type.Literal('text'), Type.Literal('markdown')], {
        description: 'How to split it: text by paragraphs, markdown by headings.',
      }),
      'text',
    ),
    name: defaulted(
      Type.String({
        minLength: 1,
        maxLength: LENGTH.name,
        description:
          'Label of the text; a later text of that name in the domain replaces it. raw_text is no name: such texts stand side by side.',
      }),
      'raw_text',
    ),
  }),
  output: IngestResult,
  run: (service, input, context) => service.ingest.text(input, loadOptions(context)),
});

const Name = Type.String({ pattern: WORDS, maxLength: LENGTH.name, description: 'Name, up to 500 characters.' });
const ConceptRef = Type.String({
  pattern: WORDS,
  maxLength: LENGTH.id,
  description: 'Name or id of a concept, of this batch or of the domain.',
});

const ConceptProperties: typeof Properties = {
  ...Properties,
  description: `${Properties.description} Exploring shows them; what questions should find goes into the description.`,
};
const Concept = Type.Object({
  name: Name,
  description: Type.Optional(
    Type.String({ maxLength: LENGTH.description, description: 'What it is, up to 100,000 characters.' }),
  ),
  id: Type.Optional(
    Type.String({
      pattern: WORDS,
      maxLength: LENGTH.id,
      description: 'Id of your own; made from the name when omitted.',
    }),
  ),
  properties: Type.Optional(ConceptProperties),
  confidence: Type.Optional(Confidence),
});

const Relation = Type.String({
  pattern: RELATION,
  description:
    'Type of the edge, such as REQUIRES or USES; `relation` and `relation_type` are synonyms, one is required.',
});

const Edge = constrained(
  Type.Object({
    source: ConceptRef,
    target: ConceptRef,
    relation: Type.Optional(Relation),
    relation_type: Type.Optional(Relation),
    confidence: Type.Optional(Confidence),
    properties: Type.Optional(Properties),
  }),
  atLeastOne('relation', 'relation_type'),
);

/** What a rule set shows beside a rule. */
function ruleText(description: string) {
  return Type.Optional(Type.String({ pattern: WORDS, maxLength: LENGTH.rule, description }));
}

const Rule = Type.Object({
  text: Type.String({ pattern: WORDS, maxLength: LENGTH.rule, description: 'The rule, up to 10,000 characters.' }),
  category: Type.Optional(
    Type.String({ pattern: WORDS, maxLength: 256, description: 'For filters, such as security.' }),
  ),
  name: Type.Optional(
    Type.String({
      pattern: WORDS,
      maxLength: 256,
      description: 'Makes the id `rule:<name>`; from the text when omitted.',
    }),
  ),
  confidence: Type.Optional(Confidence),
  concepts: Type.Optional(
    Type.Array(ConceptRef, {
      maxItems: 10_000,
      description: 'Names or ids of concepts it applies to; those its text names when omitted.',
    }),
  ),
  context: ruleText('When it applies.'),
  antipattern: ruleText('What a violation of it looks like.'),
  rationale: ruleText('Why it matters.'),
  tags: Type.Optional(
    Type.Array(Type.String({ pattern: WORDS, maxLength: 256 }), { maxItems: 100, description: 'Words to find it by.' }),
  ),
  metadata: Type.Optional(Properties),
});

export const ingestStructured = operation({
  name: 'ingest_structured',
  summary: 'Ingest concepts, typed edges and rules as given, without extraction.',
  rules: { edges: 'relation and relation_type of an edge are the same where both are given.' },
  idempotent: true,
  input: Type.Object({
    concepts: Type.Array(Concept, {
      maxItems: 100_000,
      description: 'Concepts: `{name, description?, id?, properties?, confidence?}`.',
    }),
    domain: DomainName,
    edges: defaulted(
      Type.Array(Edge, {
        maxItems: 200_000,
        description: 'Edges between concepts by name or id: `{source, target, relation_type}`.',
      }),
      [],
    ),
    rules: defaulted(
      Type.Array(Rule, {
        maxItems: 100_000,
        description: 'Rules: `{text, category?, context?, antipattern?, rationale?, tags?}`.',
      }),
      [],
    ),
    source_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 512,
        description: 'Name of this batch; a later batch of that name replaces it.',
      }),
    ),
  }),
  output: IngestResult,
  run: (service, input, context) => service.ingest.structured(input, loadOptions(context)),
});
