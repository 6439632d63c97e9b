// Retrieval quality through the whole service in process, on the development sets:
// `npm run bench:retrieval -- [--model minilm|static|none] [--limit N] [--variant NAME] [--chat] [--ablation] [--neo4j URI]
// [--json FILE]`. Variants: see variants.ts.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compose } from '../../src/compose.js';
import { loadConfig } from '../../src/config.js';
import { ablationTable } from './ablations.js';
import { measureChat } from './chat.js';
import type { DevelopmentSet } from './data.js';
import { type Figures, measure, type Way } from './measure.js';
import { addUnrelated } from './own-text.js';
import { developmentSets } from './sets.js';
import { documentsOf, VARIANTS, type Variant } from './variants.js';
import type { ModelName } from './world.js';

const { values } = parseArgs({
  options: {
    model: { type: 'string', default: 'minilm' },
    /** Questions a set; passages are all ingested, or twenty times as many with a limit. */
    limit: { type: 'string' },
    chat: { type: 'boolean', default: false },
    variant: { type: 'string', default: 'original' },
    /** What each group of features is worth, by cross-validation on the development sets. */
    ablation: { type: 'boolean', default: false },
    /** Address of a Neo4j server without a password, for the graph. */
    neo4j: { type: 'string' },
    json: { type: 'string' },
  },
});
const WAYS: readonly Way[] = ['text', 'vec', 'graph', 'auto'];
const variant = values.variant as Variant;
if (!VARIANTS.includes(variant)) throw new Error(`--variant must be one of ${VARIANTS.join(', ')}.`);
const limit = values.limit === undefined ? Number.POSITIVE_INFINITY : Number(values.limit);
const report: Record<string, unknown> = {
  model: values.model,
  variant: values.variant,
  date: new Date().toISOString().slice(0, 10),
  node: process.version,
  cores: cpus().length,
  processor: cpus()[0]?.model,
};

const directory = mkdtempSync(join(tmpdir(), 'bench-retrieval-'));
const service = await compose(
  loadConfig({
    environment: {
      SVC_DATA_DIR: directory,
      SVC_EMBEDDING: values.model,
      SVC_LOG_LEVEL: 'warn',
      // Else the pairs that it promotes after the first mode would help the next.
      SVC_INTEROCEPTION: 'off',
      ...(values.neo4j === undefined ? {} : { SVC_GRAPH: 'neo4j', SVC_NEO4J_URI: values.neo4j }),
    },
  }),
);
try {
  if (variant === 'unrelated') await addUnrelated(service.ingest);
  for (const set of developmentSets()) await runSet(limited(set));
  if (values.ablation) report.ablation = await ablationTable(values.model as ModelName);
  if (values.chat) {
    const figures = await measureChat(service, limit);
    report.chat = figures;
    for (const [type, recall] of Object.entries(figures)) {
      process.stdout.write(`LiHua-World, ${type}: conversation recall@5 ${recall.toFixed(1)}\n`);
    }
  }
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`);
} finally {
  await service.close();
  rmSync(directory, { recursive: true, force: true });
}

async function runSet(set: DevelopmentSet): Promise<void> {
  const started = performance.now();
  for (const document of documentsOf(set, variant)) await service.ingest.text({ ...document, domain: set.name });
  const seconds = (performance.now() - started) / 1000;
  process.stdout.write(`\n${set.name}: ${set.passages.length} passages ingested in ${seconds.toFixed(1)} s, `);
  process.stdout.write(`${set.questions.length} questions, model ${values.model}\n`);
  process.stdout.write('mode    R@2    R@5    R@10   R@20   all@5  nDCG10 MRR    p50 ms p95 ms\n');
  const figures: Record<string, Figures> = {};
  for (const way of WAYS) {
    if (way === 'vec' && service.concepts.serving.embedding === null) continue;
    const found = await measure(service, set, { way, domain: variant === 'unrelated' ? undefined : set.name });
    figures[way] = found;
    const cells = Object.values(found).map((value) => value.toFixed(1).padEnd(6));
    process.stdout.write(`${way.padEnd(7)} ${cells.join(' ')}\n`);
  }
  report[set.name] = { passages: set.passages.length, questions: set.questions.length, seconds, ...figures };
}

/** A small piece of a set that still holds the evidence of its questions. */
function limited(set: DevelopmentSet): DevelopmentSet {
  if (!Number.isFinite(limit)) return set;
  const questions = set.questions.slice(0, limit);
  const wanted = new Set(questions.flatMap((question) => question.gold));
  const kept = set.passages.map((_, i) => i).filter((i) => wanted.has(i) || i < 20 * limit);
  const place = new Map(kept.map((from, to) => [from, to]));
  return {
    name: set.name,
    passages: kept.map((i) => set.passages[i]!),
    questions: questions.map((question) => ({ ...question, gold: question.gold.map((i) => place.get(i)!) })),
  };
}
