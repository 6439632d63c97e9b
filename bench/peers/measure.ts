import { loadavg } from 'node:os';
import { percentile } from '../load/open-loop.js';
import { locator, type Question } from '../retrieval/data.js';
import { type Answer, type Document, type Opened, type Peer, textOf } from './peer.js';
import { processorSeconds } from './processor.js';
import { type Row, small } from './small.js';

export interface Work {
  readonly documents: readonly Document[];
  /** Whose evidence lies wholly among the documents. */
  readonly questions: readonly Question[];
  /** All that are asked, for the times. */
  readonly asked: readonly string[];
  /** How long writes that were acknowledged may take to be there. */
  readonly settleMs: number;
}

export interface Cell {
  readonly text: string;
  /** Where the row is one to be compared. */
  readonly value?: number;
}

export type Cells = ReadonlyMap<Row, Cell>;

type Endpoint = Peer['endpoint'];

const MAIN = 'main';
const FINDABLE_SECONDS = 60;

/** Every figure of one peer. */
export async function measure(peer: Peer, work: Work, directory: (name: string) => string): Promise<Cells> {
  const cells = new Map<Row, Cell>();
  const large = await peer.open(directory('large'));
  try {
    await ingested(large, work, peer.endpoint, cells);
    const asking = { opened: large, work, endpoint: peer.endpoint, cells };
    await asked(asking, (question) => large.ask(question, MAIN), ['p50', 'p95', 'askProcessor', 'recall']);
    if (large.askVectors !== undefined)
      await asked(asking, (question) => large.askVectors!(question, MAIN), BY_VECTORS);
    await twice(large, work, cells);
    await forgotten(large, work, cells);
  } finally {
    await large.close();
  }
  await small(peer, { directory: directory('small'), settleMs: work.settleMs }, cells);
  cells.set('load', { text: loadavg()[0]!.toFixed(1) });
  return cells;
}

async function ingested(opened: Opened, { documents }: Work, endpoint: Endpoint, cells: Map<Row, Cell>) {
  endpoint?.take();
  const processor = processorOf(opened, endpoint);
  const began = performance.now();
  await opened.add(documents, MAIN);
  const acknowledged = seconds(began);
  const found = await findable(opened, documents);
  const all = seconds(began);
  cells.set('ingest', {
    text: `${(documents.length / acknowledged).toFixed(1)}`,
    value: documents.length / acknowledged,
  });
  cells.set(
    'findable',
    found ? { text: `${all.toFixed(1)} s`, value: all } : { text: `not within ${FINDABLE_SECONDS} s` },
  );
  const spent = processor();
  if (spent !== undefined) cells.set('ingestProcessor', { text: `${spent.toFixed(1)} s`, value: spent });
  cells.set('model', { text: `${await opened.modelCalls()}` });
  const { requests, texts } = endpoint?.take() ?? { requests: 0, texts: 0 };
  cells.set('embeddings', { text: requests === 0 ? '0' : `${requests} (${texts} texts)` });
}

/** Waits until the last document is found by its first sentence. */
async function findable(opened: Opened, documents: readonly Document[]): Promise<boolean> {
  const last = documents.at(-1)!;
  const began = performance.now();
  const find = finder(documents);
  do {
    const { found } = await opened.ask(firstSentence(last), MAIN);
    if (found.some(({ name, text }) => documents[find(name, text)] === last)) return true;
  } while (seconds(began) < FINDABLE_SECONDS);
  return false;
}

interface Asking {
  readonly opened: Opened;
  readonly work: Work;
  readonly endpoint: Endpoint;
  readonly cells: Map<Row, Cell>;
}

type AskRows = readonly [p50: Row, p95: Row, processor: Row, recall: Row];

const BY_VECTORS: AskRows = ['vectorsP50', 'vectorsP95', 'vectorsProcessor', 'vectorsRecall'];

async function asked(
  { opened, work, endpoint, cells }: Asking,
  ask: (question: string) => Promise<Answer>,
  rows: AskRows,
) {
  const { documents, questions, asked } = work;
  const find = finder(documents);
  const processor = processorOf(opened, endpoint);
  let recall = 0;
  const times: Array<{ readonly ms: number }> = [];
  for (const question of asked) {
    const { ms, found } = await ask(question);
    times.push({ ms });
    const gold = questions.find((one) => one.question === question)?.gold ?? [];
    const places = new Set(found.map(({ name, text }) => find(name, text)));
    if (gold.length > 0) recall += gold.filter((place) => places.has(place)).length / gold.length;
  }
  const [p50, p95, processorRow, recallRow] = rows;
  const set = (row: Row, value: number, unit: string) => cells.set(row, { text: `${value.toFixed(1)}${unit}`, value });
  set(p50, percentile(times, 0.5), ' ms');
  set(p95, percentile(times, 0.95), ' ms');
  const spent = processor();
  if (spent !== undefined) set(processorRow, (1000 * spent) / asked.length, ' ms');
  set(recallRow, (100 * recall) / questions.length, '');
}

async function twice(opened: Opened, { documents }: Work, cells: Map<Row, Cell>) {
  const before = await opened.count(MAIN);
  const began = performance.now();
  await opened.add(documents, MAIN);
  const took = seconds(began);
  const after = await opened.count(MAIN);
  cells.set('twice', { text: `${before}, then ${after}`, value: after / before });
  cells.set('again', { text: `${took.toFixed(1)} s`, value: took });
}

async function forgotten(opened: Opened, { documents }: Work, cells: Map<Row, Cell>) {
  const find = finder(documents);
  const [document] = documents;
  const began = performance.now();
  await opened.forget(document!, MAIN);
  const ms = performance.now() - began;
  const { found } = await opened.ask(firstSentence(document!), MAIN);
  const left = found.filter(({ name, text }) => find(name, text) === 0).length;
  cells.set('forget', { text: `one call, ${ms.toFixed(0)} ms; left: ${left}`, value: left });
}

/** Processor seconds from now on, of the peer's process and of this one where its vectors are made here. */
function processorOf({ pid }: Opened, endpoint: Endpoint): () => number | undefined {
  const before = processorSeconds(pid);
  const here = process.cpuUsage();
  return () => {
    const after = processorSeconds(pid);
    if (before === undefined || after === undefined) return undefined;
    const { user, system } = process.cpuUsage(here);
    return after - before + (endpoint === undefined ? 0 : (user + system) / 1e6);
  };
}

/** Finds which document a text of an answer is, with its title or without it. */
function finder(documents: readonly Document[]): ReturnType<typeof locator> {
  return locator(documents.map((document) => ({ title: document.title, text: textOf(document) })));
}

function firstSentence({ text }: Document): string {
  return text.split(/(?<=[.!?])\s/u)[0]!;
}

export function seconds(began: number): number {
  return (performance.now() - began) / 1000;
}
