import { SvcError } from '../../core/errors.js';
import { MESSAGE_FEATURES } from '../conversation/message-features.js';
import { DOCUMENT_FEATURES } from './document-features.js';

/** Weights of the direct evidence that the graph starts from: what an item itself has to do with the question. */
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

/** score = logistic(intercept + Σ weight · feature), weights in the order of the feature table. */
export interface LinearModel {
  readonly intercept: number;
  readonly weights: readonly number[];
}

/** score = logistic(slope · cosine + offset). */
export interface Calibration {
  readonly slope: number;
  readonly offset: number;
}

export interface ModelRanker {
  /** Of mode vec. */
  readonly vec: Calibration;
  readonly document: LinearModel;
  readonly message: LinearModel;
}

/** What `config/ranker.yaml` holds; written by `bench/retrieval/train`. */
export interface Ranker {
  readonly direct: DirectWeights;
  /** Log odds for one unit of an item prior that feedback taught. */
  readonly prior: number;
  /** By embedding model; `none` without one, `other` for every model not listed. */
  readonly models: Readonly<Record<string, ModelRanker>>;
}

/** Returns the entry of a model. */
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
  const models = members(root.models, 'models');
  for (const name of ['none', 'other']) members(models[name], `models.${name}`);
  return {
    direct: {
      cosine: number(direct, 'cosine', 'direct'),
      sentence: number(direct, 'sentence', 'direct'),
      text: number(direct, 'text', 'direct'),
      named: number(direct, 'named', 'direct'),
    },
    prior: number(root, 'prior', 'ranker'),
    models: Object.fromEntries(
      Object.entries(models).map(([name, model]) => [
        name,
        modelOf(model, { path: `models.${name}`, document: root.document, message: root.message }),
      ]),
    ),
  };
}

function modelOf(
  value: unknown,
  { path, ...tables }: { readonly path: string; readonly document: unknown; readonly message: unknown },
): ModelRanker {
  const model = members(value, path);
  const column = typeof model.weights === 'string' ? model.weights : path.slice('models.'.length);
  return {
    vec: calibration(model.vec, `${path}.vec`),
    document: linear(tables.document, 'document', { column, features: DOCUMENT_FEATURES }),
    message: linear(tables.message, 'message', { column, features: MESSAGE_FEATURES }),
  };
}

/** Reads one column of a table of weights: a row for the intercept and one for each feature, in any order. */
function linear(
  value: unknown,
  path: string,
  { column, features }: { readonly column: string; readonly features: ReadonlyArray<{ readonly name: string }> },
): LinearModel {
  if (!Array.isArray(value))
    throw new SvcError('invalid_input', `${path} in the ranker file must be a list of weights.`);
  const rows = new Map(value.map((row, i) => [members(row, `${path}[${i}]`).feature, row as Record<string, unknown>]));
  const weight = (name: string): number => {
    const row = rows.get(name);
    if (row === undefined)
      throw new SvcError('invalid_input', `${path} in the ranker file lacks the feature "${name}".`);
    return number(row, column, `${path}.${name}`);
  };
  return { intercept: weight('intercept'), weights: features.map(({ name }) => weight(name)) };
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
