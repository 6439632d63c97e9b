import { Type } from '@sinclair/typebox';
import { operation } from './operation.js';

export const reindex = operation({
  name: 'reindex',
  summary:
    'Embeds every concept and passage again with the configured model, into a new index, and lets it serve; the old one answers until then.',
  idempotent: true,
  input: Type.Object({}),
  output: Type.Object({
    status: Type.String(),
    model: Type.String(),
    dimension: Type.Integer(),
    embedded: Type.Integer(),
    followed: Type.Integer({ description: 'Embedded once more because they were written meanwhile.' }),
    duration_seconds: Type.Number(),
  }),
  run: (service, _input, { signal, progress }) => service.reindex.run({ signal, progress }),
});
