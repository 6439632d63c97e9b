import { Type } from '@sinclair/typebox';
import { loadOptions } from './ingest.js';
import { defaulted, operation } from './operation.js';
import { DomainName, IngestResult, LENGTH, WORDS } from './shapes.js';

const Message = {
  text: Type.String({
    pattern: WORDS,
    maxLength: 1_000_000,
    description: 'What was said, up to a million characters.',
  }),
  session_id: Type.String({
    minLength: 1,
    maxLength: LENGTH.id,
    description: 'The conversation, by an id of yours.',
  }),
  role: defaulted(
    Type.String({ minLength: 1, maxLength: 64, description: 'user, assistant or another role.' }),
    'user',
  ),
};
const Optional = {
  speaker: Type.Optional(Type.String({ minLength: 1, maxLength: 256, description: 'Name of who spoke.' })),
  timestamp: Type.Optional(Type.String({ format: 'date-time', description: 'ISO 8601, with its zone.' })),
  message_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: LENGTH.id, description: 'The same id again replaces the message.' }),
  ),
};

export const ingestMessage = operation({
  name: 'ingest_message',
  summary: 'Ingest one message of a conversation.',
  input: Type.Object({ ...Message, domain: defaulted(DomainName, 'default'), ...Optional }),
  output: Type.Composite([
    IngestResult,
    Type.Object({ session_id: Type.String(), chunks: Type.Integer(), latency_ms: Type.Number() }),
  ]),
  run: (service, input, context) => service.ingest.message(input, loadOptions(context)),
});

export const ingestMessages = operation({
  name: 'ingest_messages',
  summary:
    'Ingest many messages of one domain at once, each session in the given order. After a failure some are written; sent again, those with an id or a time are not doubled.',
  input: Type.Object({
    messages: Type.Array(Type.Object({ ...Message, ...Optional }), {
      minItems: 1,
      maxItems: 1000,
      description: 'Messages with the members of `ingest_message` but for the domain, up to 1,000.',
    }),
    domain: defaulted(DomainName, 'default'),
  }),
  output: Type.Object({
    domain: Type.String(),
    messages: Type.Integer({ description: 'Messages of the call.' }),
    added: Type.Integer({ description: 'Those that were not there.' }),
    replaced: Type.Integer({ description: 'Those that were there with another text or speaker, or the like.' }),
    unchanged: Type.Integer({ description: 'Those that were there already, word for word.' }),
    hidden: Type.Integer({ description: 'Those that are kept but hidden by an edit.' }),
    chunks: Type.Integer({ description: 'Passages that the messages of the call are.' }),
    sessions: Type.Array(Type.Object({ session_id: Type.String(), source: Type.String(), source_id: Type.String() })),
    warnings: Type.Array(Type.String()),
    latency_ms: Type.Number(),
  }),
  run: (service, input, context) => service.ingest.messages(input, loadOptions(context)),
});
