// Query latency by size of the corpus: `npx tsx bench/retrieval/latency.ts [--passages 10000] [--model minilm]`.
// The passages of MuSiQue-train and as many made of their sentences as are missing; its questions, asked one after another.
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { seededRandom } from '../../src/core/random.js';
import { splitSentences } from '../../src/core/text/sentences.js';
import { byGraph } from '../../src/retrieval/score/rank.js';
import { asMarkdown, musique, type Passage } from './data.js';
import { quantile } from './measure.js';
import { type ModelName, openWorld } from './world.js';

const { values } = parseArgs({
  options: { passages: { type: 'string', default: '10000' }, model: { type: 'string', default: 'minilm' } },
});
const DOMAIN = 'latency';
/** Questions asked before any is timed. */
const WARM_UP = 20;
/** Passages ingested as one document. */
const BATCH = 1000;

const set = musique();
const passages = [...set.passages, ...made(Number(values.passages) - set.passages.length)];
const world = await openWorld(values.model as ModelName);
for (let from = 0; from < passages.length; from += BATCH) {
  const text = asMarkdown(passages.slice(from, from + BATCH));
  await world.ingest.text({ text, domain: DOMAIN, format: 'markdown', name: `${from}.md` });
}
const times: Record<'chains' | 'direct', number[]> = { chains: [], direct: [] };
for (const [i, { question }] of [...set.questions.slice(0, WARM_UP), ...set.questions].entries()) {
  const started = performance.now();
  await world.retrieval.query({ context: question, domains: [DOMAIN], top_k: 10 });
  const milliseconds = performance.now() - started;
  if (i < WARM_UP) continue;
  const { items } = await byGraph(world.parts, question, { domains: [DOMAIN], topK: 10, factors: new Map() });
  const chained = items.some(({ features }) => features?.chains.first !== undefined);
  times[chained ? 'chains' : 'direct'].push(milliseconds);
}
await world.close();
const load = loadavg()[0]!.toFixed(1);
process.stdout.write(`${passages.length} passages, ${values.model}, ${cpus().length} cores, load ${load}\n`);
for (const [kind, list] of Object.entries(times)) {
  const sorted = [...list].sort((a, b) => a - b);
  const [p50, p95] = [0.5, 0.95].map((share) => quantile(sorted, share).toFixed(1));
  process.stdout.write(`${kind}: ${sorted.length} questions, p50 ${p50} ms, p95 ${p95} ms\n`);
}

/** Makes passages of the sentences of the set: as long, with the same names, about names of their own. */
function made(count: number): Passage[] {
  const random = seededRandom('latency');
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const sentences = set.passages.flatMap(({ text }) => splitSentences(text).map((span) => text.slice(...span)));
  const words = set.passages.flatMap(({ title }) => title.split(' ').filter((word) => /^\p{Lu}\p{L}{3,}$/u.test(word)));
  return Array.from({ length: Math.max(0, count) }, () => ({
    title: `${pick(words)} ${pick(words)} ${pick(words)}`,
    text: Array.from({ length: 4 }, () => pick(sentences)).join(' '),
  }));
}
