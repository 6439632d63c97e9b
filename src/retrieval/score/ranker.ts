import { SvcError } from '../../core/errors.js';

/** Weights of the direct evidence: what an item itself has to do with the question. */
export interface DirectWeights {
  /** Cosine of question and item. */
  readonly cosine: number;
  /** Best sentence of the item. */
  readonly sentence: number;
  /** BM25 as a share of what the question could attain at most. */
  readonly text: number;
  /** 1/√(nodes about a name) where the question names what the item is about. */
  readonly named: number;
}

/** Weights of what the graph adds. */
export interface GraphWeights {
  readonly named: number;
  readonly forward: number;
  readonly reverse: number;
  readonly shared: number;
  readonly pagerank: number;
  readonly words: number;
}

/** score = logistic(slope · baseline + offset). */
export interface Calibration {
  readonly slope: number;
  readonly offset: number;
}

export interface ModelRanker {
  /**
   * Best direct evidence of any item, below and above which the graph counts nothing and fully: paths that start at
   * items which have nothing to do with the question prove nothing.
   */
  readonly gate: readonly [number, number];
  readonly vec: Calibration;
  readonly graph: Calibration;
}

/** What `config/ranker.yaml` holds; fitted by `bench/retrieval/fit.ts`. */
export interface Ranker {
  readonly direct: DirectWeights;
  /** By kind of text: what helps in documents hurts in chat. */
  readonly graph: { readonly document: GraphWeights; readonly message: GraphWeights };
  /** By embedding model; `none` without one, `other` for every model not listed. */
  readonly models: Readonly<Record<string, ModelRanker>>;
}

/** The entry of a model. */
export function modelRanker(ranker: Ranker, model: string | null): ModelRanker {
  const models = ranker.models;
  const found = model === null ? models.none : (models[model] ?? models.other);
  if (found === undefined) throw new SvcError('internal', 'The ranker file lacks the models "none" and "other".');
  return found;
}

/** Reads the parsed `config/ranker.yaml`; throws `invalid_input` naming the member that is wrong. */
export function parseRanker(value: unknown): Ranker {
  const root = members(value, 'ranker');
  const direct = members(root.direct, 'direct');
  const graph = members(root.graph, 'graph');
  const models = members(root.models, 'models');
  for (const name of ['none', 'other']) members(models[name], `models.${name}`);
  return {
    direct: {
      cosine: number(direct, 'cosine', 'direct'),
      sentence: number(direct, 'sentence', 'direct'),
      text: number(direct, 'text', 'direct'),
      named: number(direct, 'named', 'direct'),
    },
    graph: {
      document: graphWeights(graph.document, 'graph.document'),
      message: graphWeights(graph.message, 'graph.message'),
    },
    models: Object.fromEntries(Object.entries(models).map(([name, model]) => [name, modelOf(model, `models.${name}`)])),
  };
}

function graphWeights(value: unknown, path: string): GraphWeights {
  const weights = members(value, path);
  return {
    named: number(weights, 'named', path),
    forward: number(weights, 'forward', path),
    reverse: number(weights, 'reverse', path),
    shared: number(weights, 'shared', path),
    pagerank: number(weights, 'pagerank', path),
    words: number(weights, 'words', path),
  };
}

function modelOf(value: unknown, path: string): ModelRanker {
  const model = members(value, path);
  const gate = members(model.gate, `${path}.gate`);
  const closed = number(gate, 'closed', `${path}.gate`);
  const open = number(gate, 'open', `${path}.gate`);
  if (open <= closed) throw new SvcError('invalid_input', `${path}.gate.open must be above ${path}.gate.closed.`);
  return {
    gate: [closed, open],
    vec: calibration(model.vec, `${path}.vec`),
    graph: calibration(model.graph, `${path}.graph`),
  };
}

function calibration(value: unknown, path: string): Calibration {
  const fitted = members(value, path);
  const slope = number(fitted, 'slope', path);
  if (slope <= 0) throw new SvcError('invalid_input', `${path}.slope must be above 0.`);
  return { slope, offset: number(fitted, 'offset', path) };
}

function members(value: unknown, path: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new SvcError('invalid_input', `${path} is missing from the ranker file; it must be a mapping.`);
}

function number(of: Record<string, unknown>, name: string, path: string): number {
  const value = of[name];
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new SvcError('invalid_input', `${path}.${name} in the ranker file must be a number.`);
}
