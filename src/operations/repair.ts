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
    engines: Type.Array(
      Type.Object({
        engine: Type.String(),
        written: Type.Integer(),
        rewritten: Type.Integer({
          description: 'Records that carried no fingerprint, so that nothing told whether they differed.',
        }),
        removed: Type.Integer(),
      }),
      { description: 'Records that differed in engines that follow the ledger, or were written again to be sure.' },
    ),
  }),
  run: (service, _input, context) => service.repair.run(loadOptions(context)),
});

export const examine = operation({
  name: 'examine',
  summary: 'Compare counts, text index, vectors and engines with the ledger; nothing is mended.',
  readOnly: true,
  input: Type.Object({}),
  output: Type.Object({
    counts: Type.Array(Type.String(), { description: 'Domains whose counts differ from their rows.' }),
    parts: Type.Array(
      Type.Object({
        part: Type.String({
          description: '`text index`, `vectors`, `vectors of` another index, or an engine as `status` names it.',
        }),
        records: Type.Integer({ description: 'Records of the ledger that it should hold.' }),
        missing: Type.Integer(),
        different: Type.Integer({ description: 'Records of other content than in the ledger.' }),
        stale: Type.Integer({ description: 'Records that the ledger does not have.' }),
        error: Type.Union([Type.String(), Type.Null()], { description: 'Why it could not be compared.' }),
      }),
    ),
    limits: Type.Array(Type.String(), {
      description: 'Limits of vectors that are passed, and graphs that could not be built: queries scan all vectors.',
    }),
  }),
  run: (service) => service.repair.examine(),
});
