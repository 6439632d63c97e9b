import { Type } from '@sinclair/typebox';
import { loadOptions, SourceType } from './ingest.js';
import { operation, optional } from './operation.js';
import { DomainName } from './shapes.js';

export const ingestPlan = operation({
  name: 'ingest_plan',
  summary: 'Tell what the ingest of a file would ask of the language model, without asking or writing.',
  readOnly: true,
  rules: { source_path: 'source_path names a file, not a folder, that holds readable text.' },
  input: Type.Object({
    source_path: Type.String({
      minLength: 1,
      maxLength: 4096,
      description: 'Path of a text, Markdown, PDF, HTML or DOCX file.',
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
