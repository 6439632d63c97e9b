import type { LinearModel } from '../../src/learning/feedback/adjustments.js';
import { MESSAGE_FEATURES } from '../../src/retrieval/conversation/message-features.js';
import { DOCUMENT_FEATURES } from '../../src/retrieval/score/document-features.js';
import { MIXED_FEATURES } from '../../src/retrieval/score/mixed.js';

const COLUMNS = ['minilm', 'static', 'none'] as const;

type Table = ReadonlyArray<Readonly<Record<string, unknown>>>;

/** Writes the ranker file anew with what was fitted for one model in its column; everything else stays as it is. */
export function rankerYaml(
  current: Readonly<Record<string, unknown>>,
  model: string,
  fits: Readonly<Record<'document' | 'message' | 'mixed' | 'vec', LinearModel | undefined>>,
): string {
  const models = current.models as Record<string, Record<string, unknown>>;
  const lines = [
    '# How items are ranked. Weights, intercepts and `vec` are written by bench/retrieval/train.ts; do not edit them by hand.',
    '',
    '# Direct evidence that the graph starts from: cosine, best sentence, BM25 share, name.',
    `direct: ${flow(current.direct as Record<string, unknown>)}`,
    '',
    '# Log odds for one unit of what feedback taught about an item.',
    `prior: ${current.prior}`,
    '',
    '# Log odds of what is of a day that the question asks for, and of a row of another day (chosen by bench/retrieval/days.ts).',
    `days: ${flow(current.days as Record<string, unknown>)}`,
    '',
    '# Log odds of a row of short values where the question asks why or how something came about (chosen on the mixed worlds, decision 34).',
    `explanation: ${flow(current.explanation as Record<string, unknown>)}`,
    '',
    '# Log odds of a row that has nothing in the asked column, and of a named one without such a column (chosen by bench/retrieval/lacks.ts).',
    `cells: ${flow(current.cells as Record<string, unknown>)}`,
    '',
    '# How likely an item is at least where a chain over one bridge, or over two, ends, as a share of how likely the item is that it starts from (chosen by',
    '# bench/retrieval/chain-shares.ts, decision 39); e times less for each `fading` below the strongest chain of that length.',
    `chains: ${flow(current.chains as Record<string, unknown>)}`,
    '',
    '# Per embedding model. vec: mode vec, score = 1 / (1 + exp(-(slope * cosine + offset))). `other`: models over HTTP, not fitted.',
    'models:',
  ];
  for (const [name, entry] of Object.entries(models)) {
    const fitted = name === model || (name === 'other' && model === 'minilm') ? fits.vec : undefined;
    const vec =
      fitted === undefined
        ? (entry.vec as Record<string, unknown>)
        : { slope: round(fitted.weights[0]!), offset: round(fitted.intercept) };
    lines.push(`  ${name}:`);
    if (entry.weights !== undefined) lines.push(`    weights: ${entry.weights}`);
    lines.push(`    vec: ${flow(vec)}`);
  }
  lines.push(
    '',
    '# score = 1 / (1 + exp(-(intercept + sum of weight * feature))), by kind of item and embedding model.',
    ...table('document', {
      features: DOCUMENT_FEATURES,
      current: current.document as Table,
      model,
      fit: fits.document,
    }),
    '',
    ...table('message', { features: MESSAGE_FEATURES, current: current.message as Table, model, fit: fits.message }),
    '',
    '# Where documents and turns of one domain compete: weights of documents, and what is added to `own` times those of turns.',
    ...table('mixed', {
      features: MIXED_FEATURES,
      current: (current.mixed ?? []) as Table,
      model,
      fit: fits.mixed,
    }),
    '',
  );
  return lines.join('\n');
}

function table(
  name: string,
  {
    features,
    current,
    model,
    fit,
  }: {
    readonly features: ReadonlyArray<{ readonly name: string; readonly meaning: string }>;
    readonly current: Table;
    readonly model: string;
    readonly fit: LinearModel | undefined;
  },
): string[] {
  const rows = [{ name: 'intercept', meaning: 'log odds without any evidence' }, ...features];
  return [
    `${name}:`,
    ...rows.map((feature, i) => {
      const known = current.find((row) => row.feature === feature.name) ?? {};
      const fitted = i === 0 ? fit?.intercept : fit?.weights[i - 1];
      const weights = COLUMNS.map(
        (column) => `${column}: ${column === model && fitted !== undefined ? round(fitted) : (known[column] ?? 0)}`,
      );
      return `  - { feature: ${feature.name}, ${weights.join(', ')}, meaning: ${JSON.stringify(feature.meaning)} }`;
    }),
  ];
}

function flow(record: Readonly<Record<string, unknown>>): string {
  return `{ ${Object.entries(record)
    .map(([key, value]) => `${key}: ${value}`)
    .join(', ')} }`;
}

/** Four decimals; no negative zero. */
function round(value: number): number {
  return Math.round(value * 1e4) / 1e4 + 0;
}
