import { openMinilm } from '../../src/backends/embedding/minilm/minilm.js';

// A process of its own for `minilm-process.test.ts`: embeds, then ends as its argument says.
const model = openMinilm();
await model.embed(['ready']);
if (process.argv[2] === 'exit-while-busy') {
  void model.embedSpanned(Array.from({ length: 200 }, (_, i) => ({ text: `some words ${i} `.repeat(60), spans: [] })));
  setTimeout(() => process.exit(7), 60);
}
