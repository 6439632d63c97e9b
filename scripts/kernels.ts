// `npm run kernels`: assembles the WebAssembly text of the exact scan.
import { writeFileSync } from 'node:fs';
import { assembledKernels, KERNELS_FILE } from './assembled-kernels.js';

writeFileSync(KERNELS_FILE, await assembledKernels());
