// Query latency by size of the corpus: `npm run bench:latency -- [--passages 10000] [--model minilm]`.
// The passages of MuSiQue-train and as many made of their sentences as are missing, in a service in this process with its usual
// engines; its questions, asked one after another.
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { EmbeddingModel } from '../../src/backends/embedding/port.js';
import { sharedStatic } from '../../src/backends/embedding/static/shared-static.js';
import { compose } from '../../src/compose.js';
import { loadConfig } from '../../src/config.js';
import { seededRandom } from '../../src/core/random.js';
import { splitSentences } from '../../src/core/text/sentences.js';
import { asMarkdown, musique, type Passage } from './data.js';
import { quantile } from './measure.js';

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
const directory = mkdtempSync(join(tmpdir(), 'bench-latency-'));
const service = await compose(
  loadConfig({ environment: { SVC_DATA_DIR: directory, SVC_EMBEDDING: values.model, SVC_LOG_LEVEL: 'warn' } }),
);
/** Texts that the model of the index was asked for, and those that chains compared. */
let texts = 0;
let rewritten = 0;
try {
  for (let from = 0; from < passages.length; from += BATCH) {
    const text = asMarkdown(passages.slice(from, from + BATCH));
    await service.ingest.text({ text, domain: DOMAIN, format: 'markdown', name: `${from}.md` });
  }
  countTexts();
  let compared = 0;
  const times: Record<'chains' | 'direct', number[]> = { chains: [], direct: [] };
  let encoded = 0;
  for (const [i, { question }] of [...set.questions.slice(0, WARM_UP), ...set.questions].entries()) {
    texts = 0;
    rewritten = 0;
    const started = performance.now();
    await service.retrieval.query({ context: question, domains: [DOMAIN], top_k: 10 });
    const milliseconds = performance.now() - started;
    if (i < WARM_UP) continue;
    // Without a model there is nothing to tell them apart by.
    times[rewritten > 0 ? 'chains' : 'direct'].push(milliseconds);
    encoded += texts;
    compared += rewritten;
  }
  const load = loadavg()[0]!.toFixed(1);
  process.stdout.write(`${passages.length} passages, ${values.model}, ${cpus().length} cores, load ${load}\n`);
  const each = (count: number): string => (count / set.questions.length).toFixed(1);
  process.stdout.write(`${each(encoded)} texts encoded a question, ${each(compared)} compared by chains\n`);
  for (const [kind, list] of Object.entries(times)) {
    if (list.length === 0) continue;
    const sorted = [...list].sort((a, b) => a - b);
    const [p50, p95] = [0.5, 0.95].map((share) => quantile(sorted, share).toFixed(1));
    process.stdout.write(`${kind}: ${sorted.length} questions, p50 ${p50} ms, p95 ${p95} ms\n`);
  }
} finally {
  await service.close();
  rmSync(directory, { recursive: true, force: true });
}

function countTexts(): void {
  const { embedding } = service.concepts.serving;
  if (embedding !== null) noting(embedding, (count) => (texts += count));
  noting(sharedStatic(), (count) => (rewritten += count));
}

function noting(model: EmbeddingModel, note: (count: number) => void): void {
  const embed = model.embed.bind(model);
  model.embed = (given, signal) => {
    note(given.length);
    return embed(given, signal);
  };
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
