import type { EmbeddingModel, SpannedEmbedding } from '../../backends/embedding/port.js';
import { readAhead } from '../../core/async/read-ahead.js';
import { slicer } from '../../core/async/slices.js';
import type { GraphNode, Manifest } from '../../core/model.js';
import { hasVector } from '../../core/vectorless.js';
import { type Embeddable, type EmbeddedText, embeddedText, passageText } from '../../core/wording/embedded-text.js';

/** Node id → its vector and its sentences' vectors. */
export type Vectors = Map<string, SpannedEmbedding>;

/** Vectors that were made already, found by their text. */
export class Embedded {
  /** `model` is the name of the model that made them. */
  constructor(readonly model: string | null = null) {}

  private readonly byText = new Map<string, SpannedEmbedding>();

  /** Returns the vectors of all of these that the model of the last one made: another may have taken over meanwhile. */
  static together(all: readonly Embedded[]): Embedded {
    if (all.length === 1) return all[0]!;
    const together = new Embedded(all.at(-1)?.model ?? null);
    for (const { model, byText } of all) {
      if (model !== together.model) continue;
      for (const [text, vectors] of byText) together.byText.set(text, vectors);
    }
    return together;
  }

  add(text: EmbeddedText, vectors: SpannedEmbedding): void {
    this.byText.set(keyOf(text), vectors);
  }

  addNode(node: Embeddable, vectors: SpannedEmbedding): void {
    this.add(embeddedText(node), vectors);
  }

  has(text: EmbeddedText): boolean {
    return this.byText.has(keyOf(text));
  }

  get(node: Embeddable): SpannedEmbedding | undefined {
    return this.byText.get(keyOf(embeddedText(node)));
  }
}

function keyOf(text: EmbeddedText): string {
  return `${text.spans.length}\n${text.text}`;
}

const BATCH = 256;

/** Embeds what a manifest asserts: a model that fails ends the write, and nothing is kept. */
export async function embedManifest(
  model: EmbeddingModel | null,
  manifest: Manifest,
  options: {
    readonly signal?: AbortSignal;
    /** Receives how many texts are embedded, of how many, and how many passages among them. */
    readonly progress?: (done: number, total: number, passages: number) => void;
  } = {},
): Promise<Embedded> {
  const known = new Embedded(model?.name ?? null);
  if (model === null) return known;
  const texts: EmbeddedText[] = [];
  const seen = new Set<string>();
  const add = (text: EmbeddedText): void => {
    const key = keyOf(text);
    if (seen.has(key)) return;
    seen.add(key);
    texts.push(text);
  };
  const pause = slicer();
  for (const passage of manifest.passages) {
    add(passageText(passage.title, passage.text, passage));
    await pause();
  }
  // Passages come first, and those that say the same are embedded once.
  const ofPassages = texts.length;
  for (const concept of manifest.concepts) {
    if (hasVector(concept))
      add(embeddedText({ kind: 'concept', name: concept.name, description: concept.description ?? '' }));
    await pause();
  }
  let done = 0;
  for await (const { batch, made } of readAhead(embedded(model, texts, options.signal))) {
    for (const [i, vectors] of (await made).entries()) known.add(batch[i]!, vectors);
    done += batch.length;
    options.progress?.(done, texts.length, done < ofPassages ? done : manifest.passages.length);
  }
  return known;
}

/** Yields batches with their pending vectors: the model works on the next batch while the caller stores the last. */
async function* embedded(model: EmbeddingModel, texts: readonly EmbeddedText[], signal: AbortSignal | undefined) {
  for (let start = 0; start < texts.length; start += BATCH) {
    signal?.throwIfAborted();
    const batch = texts.slice(start, start + BATCH);
    const made = model.embedSpanned(batch, signal);
    made.catch(() => {});
    yield { batch, made };
  }
}

/** Returns the vectors of nodes as they are now; makes those that `known` does not have. */
export async function embedNodes(
  model: EmbeddingModel | null,
  nodes: readonly GraphNode[],
  known: Embedded,
): Promise<Vectors> {
  const vectors: Vectors = new Map();
  if (model === null) return vectors;
  const missing: GraphNode[] = [];
  for (const node of nodes) {
    if (!hasVector(node)) continue;
    const vector = known.model === model.name ? known.get(node) : undefined;
    if (vector === undefined) missing.push(node);
    else vectors.set(node.id, vector);
  }
  if (missing.length === 0) return vectors;
  const made = await model.embedSpanned(missing.map(embeddedText));
  missing.forEach((node, i) => {
    vectors.set(node.id, made[i]!);
  });
  return vectors;
}
