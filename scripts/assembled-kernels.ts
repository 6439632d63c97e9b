import { readFileSync } from 'node:fs';
import wabt from 'wabt';

const FOLDER = 'src/core/kernels';
export const KERNELS_FILE = `${FOLDER}/kernels-binary.ts`;

/** Returns the text of `kernels-binary.ts`: the WebAssembly module that `kernels.wat` describes, as base64. */
export async function assembledKernels(): Promise<string> {
  const { parseWat } = await wabt();
  const text = readFileSync(`${FOLDER}/kernels.wat`, 'utf8');
  const module = parseWat('kernels.wat', text, { simd: true, threads: true });
  const base64 = Buffer.from(module.toBinary({}).buffer).toString('base64');
  module.destroy();
  const lines = base64.match(/.{1,100}/g) ?? [];
  return [
    '/** The module of `kernels.wat`, written by `npm run kernels`. */',
    'export const KERNELS = Buffer.from(',
    '  [',
    ...lines.map((line) => `    '${line}',`),
    "  ].join(''),",
    "  'base64',",
    ');',
    '',
  ].join('\n');
}
