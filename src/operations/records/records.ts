import { Type } from '@sinclair/typebox';
import { defaulted, operation, optional } from '../operation.js';
import { DomainName, LENGTH, NodeId } from '../shapes.js';

export const sessionMessages = operation({
  name: 'session_messages',
  summary: 'List the messages of a session in order, a long one in pieces.',
  readOnly: true,
  input: Type.Object({
    session_id: Type.String({ minLength: 1, maxLength: LENGTH.id, description: 'The conversation, as it was given.' }),
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
