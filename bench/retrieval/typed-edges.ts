// Counts how typed edges answer questions about them: `npx tsx bench/retrieval/typed-edges.ts --model minilm --seed 1`.
import { parseArgs } from 'node:util';
import { countEdges, madeEdges } from './made-edges.js';
import { type ModelName, openWorld } from './world.js';

const { values } = parseArgs({
  options: { model: { type: 'string', default: 'minilm' }, seed: { type: 'string', default: '1' } },
});
const world = await openWorld(values.model as ModelName);
const counts = await countEdges(world, madeEdges(Number(values.seed)));
await world.close();
for (const [words, { wanted, placed, kept, others }] of Object.entries(counts))
  process.stdout.write(
    `${values.model}, ${words} words: ${wanted} wanted, ${placed} in their places, ${kept} at 0.2 or more; ${others} others there\n`,
  );
