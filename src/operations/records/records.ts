import { Type } from '@sinclair/typebox';
import { defaulted, operation, optional } from '../operation.js';
import { constrained, exactlyOne } from '../schema/constraints.js';
import { dryRun } from '../schema/dry-run.js';
import { DomainName, LENGTH, NodeId } from '../shapes.js';

const SessionId = Type.String({
  minLength: 1,
  maxLength: LENGTH.id,
  description: 'The conversation, as it was given.',
});

export const sessionMessages = operation({
  name: 'session_messages',
  summary: 'List the messages of a session in order, a long one in pieces.',
  readOnly: true,
  input: Type.Object({
    session_id: SessionId,
    domain: defaulted(DomainName, 'default'),
    limit: defaulted(Type.Integer({ minimum: 1, maximum: 1000, description: 'Pieces to list at most.' }), 100),
    offset: defaulted(Type.Integer({ minimum: 0, maximum: 10_000_000, description: 'Pieces to pass over.' }), 0),
  }),
  output: Type.Object({
    messages: Type.Array(
      Type.Object({
        node_id: Type.String(),
        text: Type.String(),
        turn: Type.Integer(),
        role: Type.String(),
        speaker: optional(Type.String()),
        timestamp: optional(Type.String()),
        message_id: optional(Type.String()),
      }),
    ),
    total: Type.Integer(),
  }),
  run: (service, input) => service.records.messages(input),
});

export const forgetMessage = operation({
  name: 'forget_message',
  summary: 'Forget one message of a session for good; an edit hides it only.',
  rules: { message_id: 'Exactly one of message_id and node_id is given.' },
  destructive: true,
  input: constrained(
    Type.Object({
      session_id: SessionId,
      domain: defaulted(DomainName, 'default'),
      message_id: optional(
        Type.String({ minLength: 1, maxLength: LENGTH.id, description: 'The id that the message was sent with.' }),
      ),
      node_id: optional(NodeId),
      dry_run: dryRun('Only counts the message that would be forgotten; `status` is `dry_run` then.'),
    }),
    exactlyOne('message_id', 'node_id'),
  ),
  output: Type.Object({
    status: Type.Union([Type.Literal('forgotten'), Type.Literal('dry_run')]),
    messages: Type.Integer({ description: 'Messages that were forgotten, or would be: 1.' }),
    removed: Type.Optional(
      Type.Integer({
        description: 'Passages of the message that no longer exist; 0 where an edit hid it, absent in a dry run.',
      }),
    ),
  }),
  run: (service, input) => service.ingest.forgetMessage(input),
});

export const assertions = operation({
  name: 'assertions',
  summary: 'Tell what each source says of a node, and which of them is visible.',
  readOnly: true,
  input: Type.Object({ node_id: NodeId }),
  output: Type.Object({
    assertions: Type.Array(
      Type.Object({
        source_id: Type.String(),
        label: Type.String(),
        kind: Type.String(),
        name: Type.String(),
        description: Type.String(),
        confidence: Type.Number(),
        visible: Type.Boolean(),
      }),
    ),
  }),
  run: async (service, { node_id }) => ({ assertions: await service.records.assertions(node_id) }),
});
