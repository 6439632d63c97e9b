import { SvcError } from '../../core/errors.js';
import type { LinearModel } from '../../learning/feedback/adjustments.js';
import { MESSAGE_FEATURES } from '../conversation/message-features.js';
import { DOCUMENT_FEATURES } from './document-features.js';
import { MIXED_FEATURES, mixedModel } from './mixed.js';
import type { Calibration, ModelRanker, Ranker } from './ranker-types.js';

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
  const days = members(root.days, 'days');
  const explanation = members(root.explanation, 'explanation');
  const cells = members(root.cells, 'cells');
  const chains = members(root.chains, 'chains');
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
    days: { asked: number(days, 'asked', 'days'), other: number(days, 'other', 'days') },
    explanation: { row: number(explanation, 'row', 'explanation') },
    cells: { empty: number(cells, 'empty', 'cells'), missing: number(cells, 'missing', 'cells') },
    chains: { first: share(chains, 'first'), second: share(chains, 'second'), fading: above0(chains, 'fading') },
    models: Object.fromEntries(
      Object.entries(models).map(([name, model]) => [name, modelOf(model, { path: `models.${name}`, tables: root })]),
    ),
  };
}

function modelOf(
  value: unknown,
  { path, tables }: { readonly path: string; readonly tables: Readonly<Record<string, unknown>> },
): ModelRanker {
  const model = members(value, path);
  const column = typeof model.weights === 'string' ? model.weights : path.slice('models.'.length);
  return {
    vec: calibration(model.vec, `${path}.vec`),
    document: linear(tables.document, 'document', { column, features: DOCUMENT_FEATURES }),
    message: linear(tables.message, 'message', { column, features: MESSAGE_FEATURES }),
    mixed: mixedModel(linear(tables.mixed, 'mixed', { column, features: MIXED_FEATURES })),
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

function share(chains: Record<string, unknown>, name: string): number {
  const value = number(chains, name, 'chains');
  if (value < 0 || value >= 1) throw new SvcError('invalid_input', `chains.${name} must be 0 or more and below 1.`);
  return value;
}

function above0(chains: Record<string, unknown>, name: string): number {
  const value = number(chains, name, 'chains');
  if (value <= 0) throw new SvcError('invalid_input', `chains.${name} must be above 0.`);
  return value;
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
