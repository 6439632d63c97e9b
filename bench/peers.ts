/**
 * This service and its peers on the same passages, questions and hazards in one run: `npm run bench:peers
 * [-- --passages 600] [--peers minilm,static,memory,mem0,lightrag] [--install] [--write]`. `--install` makes the Python
 * environments that are missing; `--quick` takes 30 passages of samples/ and waits half a
 * second for writes that a peer lost. Writes docs/benchmarks/peers.md with `--write`.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type EmbeddingsEndpoint, serveEmbeddings } from './peers/embeddings.js';
import { measure, type Work } from './peers/measure.js';
import { memoryServer } from './peers/memory-server.js';
import { ours } from './peers/ours.js';
import { type Measured, page } from './peers/page.js';
import type { Peer } from './peers/peer.js';
import { LIGHTRAG, MEM0, pythonPeer } from './peers/python.js';
import { type DevelopmentSet, musique } from './retrieval/data.js';
import { sampleSet } from './retrieval/sample-set.js';

const { values } = parseArgs({
  options: {
    passages: { type: 'string' },
    peers: { type: 'string', default: 'minilm,static,memory,mem0,lightrag' },
    install: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
  },
});

const set = values.quick ? sampleSet() : musique();
const work = workOf(set, Number(values.passages ?? (values.quick ? 30 : 600)));
const chosen = values.peers.split(',');
const directory = mkdtempSync(join(tmpdir(), 'svc-bench-peers-'));
const python = chosen.some((name) => name === 'mem0' || name === 'lightrag');
const endpoint = python ? await serveEmbeddings() : undefined;
const measured: Measured[] = [];
const left: string[] = [];
try {
  for (const name of chosen) {
    const peer = peerOf(name, endpoint);
    if (peer === undefined) {
      left.push(name);
      continue;
    }
    process.stderr.write(`${peer.name} ${peer.version}\n`);
    const cells = await measure(peer, work, (part) => fresh(name, part));
    for (const [row, { text }] of cells) process.stderr.write(`  ${row}: ${text}\n`);
    measured.push({ peer, cells });
  }
} finally {
  await endpoint?.close();
  rmSync(directory, { recursive: true, force: true });
}
const text = page(set.name, work, measured, left);
process.stdout.write(text);
if (values.write) writeFileSync('docs/benchmarks/peers.md', text);

function peerOf(name: string, endpoint: EmbeddingsEndpoint | undefined): Peer | undefined {
  if (name === 'minilm' || name === 'static') return ours(name);
  if (name === 'memory') return memoryServer();
  if (name === 'mem0') return pythonPeer(MEM0, endpoint!, values.install);
  if (name === 'lightrag') return pythonPeer(LIGHTRAG, endpoint!, values.install);
  throw new Error(`--peers knows no "${name}": minilm, static, memory, mem0 and lightrag, joined by commas.`);
}

function workOf({ passages, questions }: DevelopmentSet, limit: number): Work {
  const documents = passages.slice(0, limit).map((passage, place) => ({ id: `passage-${place}`, ...passage }));
  return {
    documents,
    questions: questions.filter(({ gold }) => gold.every((place) => place < limit)),
    asked: questions.map(({ question }) => question),
    settleMs: values.quick ? 500 : 30_000,
  };
}

function fresh(name: string, part: string): string {
  const place = join(directory, name, part);
  mkdirSync(place, { recursive: true });
  return place;
}
