// Measures what a concept, an edge, a passage and their vectors take, predicts a large directory from it, and measures that
// one too: `npm run bench:capacity -- --unit 1000 --passages 4000`, with as many concepts and twice as many edges as
// passages. docs/scale.md is computed with its figures. `--keep DIR` fills that directory and leaves it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compose } from '../src/compose.js';
import { loadConfig } from '../src/config.js';
import { bytesByGroup, storeBytes } from './capacity/bytes.js';
import { fill, type Size } from './capacity/fill.js';
import { serve } from './capacity/serve.js';
import { machine } from './machine.js';

const { values } = parseArgs({
  options: {
    unit: { type: 'string', default: '1000' },
    passages: { type: 'string', default: '4000' },
    keep: { type: 'string' },
  },
});

/** Bytes of the store of a directory that holds so much, its log moved into the file; and seconds that filling took. */
async function filled(directory: string, size: Size): Promise<{ readonly bytes: number; readonly seconds: number }> {
  const environment = { SVC_DATA_DIR: directory, SVC_EMBEDDING: 'static', SVC_LOG_LEVEL: 'silent' };
  const service = await compose(loadConfig({ environment }));
  const began = performance.now();
  await fill(service, size);
  const seconds = (performance.now() - began) / 1000;
  await service.close();
  return { bytes: storeBytes(directory), seconds };
}

async function bytesOf(size: Size): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'capacity-'));
  try {
    return (await filled(directory, size)).bytes;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const unit = Number(values.unit);
const none: Size = { concepts: 0, edges: 0, passages: 0 };
const empty = await bytesOf(none);
const perConcept = ((await bytesOf({ ...none, concepts: unit })) - empty) / unit;
const withEdges = await bytesOf({ ...none, concepts: unit, edges: unit * 2 });
const perEdge = (withEdges - empty - perConcept * unit) / (unit * 2);
const perPassage = ((await bytesOf({ ...none, passages: unit })) - empty) / unit;

const passages = Number(values.passages);
const largest: Size = { concepts: passages, edges: passages * 2, passages };
const predicted = empty + largest.concepts * perConcept + largest.edges * perEdge + largest.passages * perPassage;
const directory = values.keep ?? mkdtempSync(join(tmpdir(), 'capacity-'));
try {
  const { bytes, seconds } = await filled(directory, largest);
  const figures = {
    machine: machine(),
    unit,
    empty,
    bytes_per_concept: Math.round(perConcept),
    bytes_per_edge: Math.round(perEdge),
    bytes_per_passage: Math.round(perPassage),
    largest,
    predicted_bytes: Math.round(predicted),
    measured_bytes: bytes,
    prediction_off_by: `${((predicted / bytes - 1) * 100).toFixed(1)} %`,
    fill_seconds: Math.round(seconds),
    bytes_by_group: bytesByGroup(directory),
    served: await serve(directory, passages),
  };
  process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
} finally {
  if (values.keep === undefined) rmSync(directory, { recursive: true, force: true });
}
