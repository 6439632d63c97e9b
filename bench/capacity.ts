// Measures what a concept, an edge, a passage and their vectors take on disk and in memory, predicts a larger directory from
// it, and measures that one too: `npm run bench:capacity -- [concepts]`. docs/scale.md is computed with its figures.
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ComposedService, compose } from '../src/compose.js';
import { loadConfig } from '../src/config.js';

interface Size {
  readonly concepts: number;
  readonly edges: number;
  readonly passages: number;
}

const BATCH = 500;

/** Bytes of the store of a new directory that holds so much, its log moved into the file. */
async function bytesOf(size: Size): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'capacity-'));
  const environment = { SVC_DATA_DIR: directory, SVC_EMBEDDING: 'static', SVC_LOG_LEVEL: 'silent' };
  const service = await compose(loadConfig({ environment }));
  await fill(service, size);
  await service.close();
  const bytes = readdirSync(directory)
    .filter((name) => name.startsWith('svc.sqlite'))
    .reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);
  rmSync(directory, { recursive: true, force: true });
  return bytes;
}

async function fill({ ingest }: ComposedService, { concepts, edges, passages }: Size): Promise<void> {
  const perConcept = edges / Math.max(1, concepts);
  for (let start = 0; start < concepts; start += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, concepts - start) }, (_, i) => start + i);
    await ingest.structured({
      domain: 'd',
      source_id: `batch ${start}`,
      concepts: numbers.map((i) => ({
        name: `Component ${i}`,
        description: `Component ${i} of the plant, made in ${1900 + (i % 120)}.`,
      })),
      edges: numbers.flatMap((i) =>
        Array.from({ length: perConcept }, (_, k) => ({
          source: `Component ${i}`,
          target: `Component ${start + ((i * 7 + k + 1) % numbers.length)}`,
          relation: 'requires',
        })),
      ),
      rules: [],
    });
  }
  const DOCUMENT = 50;
  for (let start = 0; start < passages; start += DOCUMENT) {
    const text = Array.from({ length: DOCUMENT }, (_, i) => `# Section ${start + i}\n\n${sentences(start + i)}`).join(
      '\n\n',
    );
    await ingest.text({ text, domain: 't', format: 'markdown', name: `document ${start}` });
  }
}

/** About 400 characters, as a passage of a handbook has. */
function sentences(i: number): string {
  return Array.from(
    { length: 5 },
    (_, k) =>
      `Pump ${i % 997} feeds valve ${(i * 5 + k) % 3001} while sensor ${i + k} records the pressure of the line.`,
  ).join(' ');
}

const concepts = Number(process.argv[2] ?? 2000);
const none = { concepts: 0, edges: 0, passages: 0 };
const empty = await bytesOf(none);
const perConcept = ((await bytesOf({ ...none, concepts })) - empty) / concepts;
const withEdges = await bytesOf({ ...none, concepts, edges: concepts * 2 });
const perEdge = (withEdges - empty - perConcept * concepts) / (concepts * 2);
const perPassage = ((await bytesOf({ ...none, passages: concepts })) - empty) / concepts;
const larger = { concepts: concepts * 4, edges: concepts * 12, passages: concepts * 2 };
const predicted = empty + larger.concepts * perConcept + larger.edges * perEdge + larger.passages * perPassage;
const measured = await bytesOf(larger);
const figures = {
  empty,
  bytes_per_concept: Math.round(perConcept),
  bytes_per_edge: Math.round(perEdge),
  bytes_per_passage: Math.round(perPassage),
  larger,
  predicted_bytes: Math.round(predicted),
  measured_bytes: measured,
  error: `${((predicted / measured - 1) * 100).toFixed(1)} %`,
  resident_bytes: process.memoryUsage().rss,
};
process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
