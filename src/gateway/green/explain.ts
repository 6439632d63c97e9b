import { bandOf } from './accounting/bands.js';
import { gridScale } from './accounting/emissions.js';
import type { CarbonFactor } from './carbon-types.js';
import type { FactorRow, FactorTable } from './factors/factor-table.js';
import { type GridTable, gridOf } from './factors/grid.js';
import type { FindFactor, FoundFactor, MatchKind } from './factors/lookup.js';

/** A factor as the API lists it. */
export type ListedFactor = CarbonFactor & {
  readonly low: number;
  readonly high: number;
  readonly routes: string;
  readonly citation: string;
};

/** Derivation of a model's factor. */
export interface FactorExplanation {
  readonly provider: string;
  readonly model: string;
  readonly match: MatchKind;
  readonly factorId: string;
  readonly override: string | null;
  readonly factor: ListedFactor;
  readonly whPerMillionOutputTokens: { readonly centre: number; readonly low: number; readonly high: number } | null;
  readonly uncertaintyPercent: number;
  readonly region: string | null;
  /** g/kWh, and the multiplier that it makes. */
  readonly gridCarbon: number;
  readonly gridScale: number;
  readonly tableVersion: string;
  /** The derivation, one sentence per line. */
  readonly steps: readonly string[];
}

export function listedFactor(row: FactorRow): ListedFactor {
  const { id: _id, flagship: _flagship, whPerMillionOutputTokens: _wh, ...listed } = row;
  return listed;
}

/** Returns the derivation of the factor of a model in a region. */
export function explain(
  call: { readonly provider: string; readonly model: string; readonly region?: string | undefined },
  tables: {
    readonly find: FindFactor;
    readonly factors: FactorTable;
    readonly grid: GridTable;
    readonly defaultGridCarbon: number;
  },
): FactorExplanation {
  const found = tables.find(call.provider, call.model);
  const { factor } = found;
  const regionGrid = gridOf(tables.grid, call.region);
  const grid = regionGrid ?? tables.defaultGridCarbon;
  const scale = factor.source === 'measured' ? 1 : gridScale(grid, tables.factors);
  const ownOutput = found.overridden?.includes('outputCo2PerMillionTokens') === true;
  const wh = ownOutput ? undefined : factor.whPerMillionOutputTokens;
  return {
    provider: call.provider,
    model: call.model,
    match: found.match,
    factorId: found.factorId,
    override: found.override ?? null,
    factor: listedFactor(factor),
    whPerMillionOutputTokens: wh ?? null,
    uncertaintyPercent: 100 * bandOf(factor.confidence),
    region: call.region ?? null,
    gridCarbon: grid,
    gridScale: scale,
    tableVersion: tables.factors.version,
    steps: [
      MATCHES[found.match](call.model, factor),
      ...ownValues(found),
      ...(ownOutput
        ? [`Output tokens: ${factor.outputCo2PerMillionTokens} g per million, this installation's own value.`]
        : wh === undefined
          ? ['The row states grams; no energy figure lies behind it.']
          : [
              `Energy: ${wh.centre} Wh per million output tokens at the meter (known range ${wh.low} to ${wh.high}).`,
              `0.448 g/Wh (${tables.factors.referenceGrid} g/kWh and 12 % embodied hardware) makes ${factor.outputCo2PerMillionTokens} g per million output tokens, to two digits.`,
            ]),
      `Routes${found.override === undefined ? '' : ' of the row'}: ${factor.routes}.`,
      `Sources${found.override === undefined ? '' : ' of the row'}: ${factor.citation}.`,
      `Input tokens: ${factor.inputCo2PerMillionTokens} g per million; read from a cache: ${factor.cacheReadCo2PerMillionTokens} g; water: ${factor.waterMlPerMillionTokens} mL.`,
      `Confidence ${factor.confidence} (${factor.source}): plus or minus ${100 * bandOf(factor.confidence)} %.`,
      factor.source === 'measured'
        ? 'A supplier figure is not scaled to a grid.'
        : `Grid: ${grid} g/kWh (${regionGrid === undefined ? unknownRegion(call.region) : call.region}), so the grams are multiplied by ${Number(scale.toPrecision(6))}.`,
    ],
  };
}

function unknownRegion(region: string | undefined): string {
  return region === undefined ? 'default' : `default: region ${region} is not in config/green-grid.yaml`;
}

/** Says which values are the installation's own. */
function ownValues({ override, overridden = [] }: FoundFactor): string[] {
  if (override === undefined) return [];
  return [
    `The override ${override} of the configuration lies over it. This installation's own values: ${overridden.join(', ')}.`,
  ];
}

const MATCHES: Readonly<Record<MatchKind, (model: string, row: FactorRow) => string>> = {
  pattern: (model, row) => `${model} matches the row ${row.id}.`,
  flagship: (model, row) =>
    `No row matches ${model}; its maker's flagship ${row.id} stands in, with a confidence of at most 0.15.`,
  fallback: (model, row) => `No row matches ${model} and its maker is not known; the class ${row.model} stands in.`,
};
