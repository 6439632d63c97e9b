import { Type } from '@sinclair/typebox';
import { loadOptions } from './ingest.js';
import { operation } from './operation.js';

export const repair = operation({
  name: 'repair',
  summary: 'Bring counts, text index, vectors and engines in line with the ledger, which stays as it is.',
  idempotent: true,
  input: Type.Object({}),
  output: Type.Object({
    counts: Type.Array(Type.String(), { description: 'Domains whose counts were mended.' }),
    indexed: Type.Integer({ description: 'Nodes and orphans that text index and vectors were mended for.' }),
    engines: Type.Array(Type.Object({ engine: Type.String(), written: Type.Integer(), removed: Type.Integer() }), {
      description: 'Records that differed in engines that follow the ledger.',
    }),
  }),
  run: (service, _input, context) => service.repair.run(loadOptions(context)),
});
