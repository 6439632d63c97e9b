import { type TSchema, Type } from '@sinclair/typebox';
import type { Service } from '../../service.js';
import { defaulted, type OperationSpec, operation, optional } from '../operation.js';
import { record } from '../schema/shown.js';
import { Interval, Milliseconds, OrNull, oneOf, Page, Range } from './shapes.js';

/** Defines an operation of the emissions module: `disabled` while the module is off. */
export function greenOperation<I extends TSchema, O extends TSchema>(spec: OperationSpec<I, O>): OperationSpec<I, O> {
  return operation({
    ...spec,
    run: async (service: Service, input, context) => {
      service.gateway.green.requireEnabled();
      return spec.run(service, input, context);
    },
  });
}

const Factor = Type.Object({
  provider: Type.String(),
  model: Type.String(),
  inputCo2PerMillionTokens: Type.Number(),
  outputCo2PerMillionTokens: Type.Number(),
  cacheReadCo2PerMillionTokens: Type.Number(),
  waterMlPerMillionTokens: Type.Number(),
  confidence: Type.Number(),
  source: oneOf('measured', 'research', 'estimated', 'fallback'),
  lastUpdated: optional(Type.Number()),
  low: Type.Number(),
  high: Type.Number(),
  routes: Type.String(),
  citation: Type.String(),
});

const Trace = Type.Object({
  traceId: Type.String(),
  runId: Type.String(),
  sessionId: optional(Type.String()),
  timestamp: Milliseconds,
  provider: Type.String(),
  model: Type.String(),
  inputTokens: Type.Integer(),
  outputTokens: Type.Integer(),
  cacheReadTokens: Type.Integer(),
  costUsd: optional(Type.Number()),
  inputCo2Grams: Type.Number(),
  outputCo2Grams: Type.Number(),
  cacheCo2Grams: Type.Number(),
  totalCo2Grams: Type.Number(),
  waterMl: Type.Number(),
  confidence: Type.Number(),
  gridCarbonUsed: Type.Number(),
  scope: Type.Integer(),
  category: Type.Integer(),
  calculationMethod: oneOf('supplier-specific', 'hybrid', 'average-data', 'spend-based'),
  dataQualityScore: Type.Integer(),
  region: optional(Type.String()),
  regionGridCarbon: optional(Type.Number()),
  factorId: Type.String(),
  factorSource: Type.String(),
});

const Group = {
  traces: Type.Integer(),
  co2Grams: Type.Number(),
  waterMl: Type.Number(),
  tokens: Type.Integer(),
};

const Summary = Type.Object({
  traceCount: Type.Integer(),
  totalCo2Grams: Type.Number(),
  totalWaterMl: Type.Number(),
  avgCo2PerTrace: Type.Number(),
  avgConfidence: Type.Number(),
  totalTokens: Type.Integer(),
  intensityPerMillionTokens: Type.Number(),
  intensityPerQuery: Type.Number(),
  uncertaintyLower: Type.Number({ description: 'Multiplier of the total.' }),
  uncertaintyUpper: Type.Number({ description: 'Multiplier of the total.' }),
  uncertaintyDetail: Type.Object({
    method: Type.String(),
    rho: Type.Number(),
    p2_5Grams: Type.Number(),
    p50Grams: Type.Number(),
    p97_5Grams: Type.Number(),
  }),
  minTimestamp: OrNull(Type.Number()),
  maxTimestamp: OrNull(Type.Number()),
  oldestTimestamp: OrNull(Type.Number()),
  newestTimestamp: OrNull(Type.Number()),
  dateRange: Type.Object({ start: Type.String(), end: Type.String() }),
  providers: Type.Array(
    Type.Object({
      provider: Type.String(),
      traceCount: Type.Integer(),
      totalCo2Grams: Type.Number(),
      percentage: Type.Number(),
    }),
  ),
  byProvider: record(Type.Object(Group)),
  byModel: record(Type.Object({ ...Group, avgCo2PerTrace: Type.Number() })),
  equivalents: Type.Object({
    carKm: Type.Number(),
    phoneCharges: Type.Integer(),
    treeDays: Type.Number(),
    webSearches: Type.Integer(),
    streamingHours: Type.Number(),
    profile: Type.String(),
  }),
  confidence: Type.Object(
    { label: Type.String(), description: Type.String() },
    {
      description:
        'Words for the band of avgConfidence alone; fallbackShare says how many calls took a fallback factor.',
    },
  ),
  fallbackShare: Type.Number({
    description:
      'Share of the calls, 0 to 1, whose factor is a generic class (source fallback). A flagship of the same maker that stands in is estimated and is no fallback.',
  }),
  alert: optional(Type.Object({ grams: Type.Number(), thresholdGrams: Type.Number() })),
});

export const greenSummary = greenOperation({
  name: 'green_summary',
  summary: 'Emissions and water of model calls, with uncertainty, shares and equivalents.',
  readOnly: true,
  input: Type.Object(Range),
  output: Summary,
  run: async (service, input) => {
    const { providers, ...rest } = await service.gateway.green.summary(input);
    return { ...rest, providers: [...providers] };
  },
});

export const greenConfig = operation({
  name: 'green_config',
  summary: 'Settings of the emissions module.',
  readOnly: true,
  input: Type.Object({}),
  output: Type.Object({
    enabled: Type.Boolean(),
    defaultGridCarbon: Type.Number(),
    factorOverrides: record(Type.Unknown()),
    dailyAlertThreshold: OrNull(Type.Number()),
    showInStatus: Type.Boolean(),
  }),
  run: async (service) => service.gateway.green.config(),
});

export const greenFactors = greenOperation({
  name: 'green_factors',
  summary: 'The factor table: grams and millilitres per million tokens, with sources.',
  readOnly: true,
  input: Type.Object({}),
  output: Type.Object({ factors: Type.Array(Factor) }),
  run: async (service) => service.gateway.green.factors(),
});

export const greenExplain = greenOperation({
  name: 'green_explain',
  summary: 'How the factor of a model comes about: row, routes, citation, grid.',
  readOnly: true,
  input: Type.Object({
    provider: defaulted(Type.String({ maxLength: 256 }), 'unknown'),
    model: Type.String({ minLength: 1, maxLength: 256 }),
    region: optional(Type.String({ maxLength: 256, description: 'Cloud region, or country as alpha-3 code.' })),
  }),
  output: Type.Object({
    provider: Type.String(),
    model: Type.String(),
    match: oneOf('pattern', 'flagship', 'fallback'),
    factorId: Type.String(),
    override: OrNull(Type.String()),
    factor: Factor,
    whPerMillionOutputTokens: Type.Union([
      Type.Object({ centre: Type.Number(), low: Type.Number(), high: Type.Number() }),
      Type.Null(),
    ]),
    uncertaintyPercent: Type.Number(),
    region: OrNull(Type.String()),
    gridCarbon: Type.Number(),
    gridScale: Type.Number(),
    tableVersion: Type.String(),
    steps: Type.Array(Type.String()),
  }),
  run: async (service, input) => {
    const { steps, ...rest } = service.gateway.green.explain(input);
    return { ...rest, steps: [...steps] };
  },
});

export const greenTraces = greenOperation({
  name: 'green_traces',
  summary: 'Model calls with their emissions, newest first.',
  readOnly: true,
  input: Type.Object({
    ...Page,
    provider: optional(Type.String({ maxLength: 256, description: 'matches without regard to case' })),
    model: optional(Type.String({ maxLength: 256, description: 'matches without regard to case' })),
    ...Range,
  }),
  output: Type.Object({
    traces: Type.Array(Trace),
    total: Type.Integer(),
    limit: Type.Integer(),
    offset: Type.Integer(),
  }),
  run: (service, input) => service.gateway.green.traces(input) as never,
});

export const greenExportPage = greenOperation({
  name: 'green_export_page',
  summary: 'Model calls a page at a time in the order in which they came, for exports.',
  readOnly: true,
  input: Type.Object({
    after: defaulted(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), 0),
    limit: defaulted(Type.Integer({ minimum: 1, maximum: 1000 }), 500),
  }),
  output: Type.Object({ traces: Type.Array(Trace), next: OrNull(Type.Number()) }),
  run: (service, { after, limit }) => service.gateway.green.tracesAfter(after, limit) as never,
});

export const greenTimeseries = greenOperation({
  name: 'green_timeseries',
  summary: 'Emissions over time; buckets are aligned to the epoch, in UTC.',
  readOnly: true,
  input: Type.Object({ window: defaulted(oneOf('1h', '1d', '7d'), '1d'), ...Range }),
  output: Type.Object({
    buckets: Type.Array(Type.Object({ t: Milliseconds, co2Grams: Type.Number(), traceCount: Type.Integer() })),
  }),
  run: (service, { window, ...range }) => service.gateway.green.timeseries(window, range),
});

export const greenIntensity = greenOperation({
  name: 'green_intensity',
  summary: 'Grams per million tokens and per call.',
  readOnly: true,
  input: Type.Object(Range),
  output: Type.Object({
    totalTokens: Type.Integer(),
    totalTraces: Type.Integer(),
    intensityPerMillionTokens: Type.Number(),
    intensityPerQuery: Type.Number(),
    uncertainty: Interval,
  }),
  run: (service, input) => service.gateway.green.intensity(input),
});

export const greenRecompute = greenOperation({
  name: 'green_recompute',
  summary: 'Computes all recorded emissions anew with the factor table and settings of today.',
  idempotent: true,
  input: Type.Object({}),
  output: Type.Object({
    days: Type.Integer(),
    traces: Type.Integer(),
    changed: Type.Integer(),
    table: Type.String(),
  }),
  run: (service, _input, { progress }) =>
    service.gateway.green.recompute((done, total) => progress?.(done, total, 'days')),
});
