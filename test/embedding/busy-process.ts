import { setTimeout as sleep } from 'node:timers/promises';
import { openMinilm } from '../../src/backends/embedding/minilm/minilm.js';

// A process of its own for `minilm-process.test.ts`: embeds, then ends as its argument says.
const model = openMinilm();
await model.embed(['ready']);
if (process.argv[2] === 'exit-while-busy') {
  void model.embedSpanned(Array.from({ length: 200 }, (_, i) => ({ text: `some words ${i} `.repeat(60), spans: [] })));
  setTimeout(() => process.exit(7), 60);
} else if (process.argv[2] === 'close-while-a-thread-starts') {
  await model.close();
  for (let pause = 0; pause < 300; pause += 20) {
    const another = openMinilm({ threads: 2 });
    await another.embed(Array.from({ length: 40 }, (_, i) => `many short texts, number ${i}`));
    await sleep(pause);
    await another.close();
  }
}
