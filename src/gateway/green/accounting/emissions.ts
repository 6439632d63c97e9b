import type { Emissions, ModelUsage } from '../carbon-types.js';
import type { FactorTable } from '../factors/factor-table.js';
import { type GridTable, gridOf } from '../factors/grid.js';
import type { FindFactor } from '../factors/lookup.js';
import { dataQualityScore, methodOf } from './bands.js';

const MILLION = 1_000_000;

export interface AccountingTables {
  readonly factors: FactorTable;
  readonly find: FindFactor;
  readonly grid: GridTable;
  /** g/kWh where a call names no region, or one without a known grid. */
  readonly defaultGridCarbon: number;
}

/**
 * Returns grams, millilitres and data quality of one model call: tokens / 10^6 × factor, scaled to the grid of its
 * region.
 */
export function emissionsOf(usage: ModelUsage, tables: AccountingTables): Emissions {
  const regionGrid = gridOf(tables.grid, usage.region);
  const gridCarbonUsed = regionGrid ?? tables.defaultGridCarbon;
  const ofRegion = regionGrid === undefined ? {} : { regionGridCarbon: regionGrid };
  const tokens = usage.inputTokens + usage.outputTokens + usage.cacheReadTokens;
  if (tokens === 0 && usage.costUsd !== undefined && usage.costUsd > 0) {
    return { ...spendEmissions(usage.costUsd, gridCarbonUsed, tables.factors), ...ofRegion };
  }
  const { factor, factorId } = tables.find(usage.provider, usage.model);
  const scale = factor.source === 'measured' ? 1 : gridScale(gridCarbonUsed, tables.factors);
  const inputCo2Grams = (usage.inputTokens / MILLION) * factor.inputCo2PerMillionTokens * scale;
  const outputCo2Grams = (usage.outputTokens / MILLION) * factor.outputCo2PerMillionTokens * scale;
  const cacheCo2Grams = (usage.cacheReadTokens / MILLION) * factor.cacheReadCo2PerMillionTokens * scale;
  return {
    inputCo2Grams,
    outputCo2Grams,
    cacheCo2Grams,
    totalCo2Grams: inputCo2Grams + outputCo2Grams + cacheCo2Grams,
    waterMl: (tokens / MILLION) * factor.waterMlPerMillionTokens,
    confidence: factor.confidence,
    gridCarbonUsed,
    calculationMethod: methodOf(factor.source),
    dataQualityScore: dataQualityScore(factor.confidence),
    factorId,
    factorSource: factor.source,
    ...ofRegion,
  };
}

/**
 * Returns (grid / reference + embodied) / (1 + embodied): operational emissions follow the grid, embodied hardware does
 * not.
 */
export function gridScale(
  grid: number,
  { referenceGrid, embodiedShare }: Pick<FactorTable, 'referenceGrid' | 'embodiedShare'>,
): number {
  return (grid / referenceGrid + embodiedShare) / (1 + embodiedShare);
}

/**
 * Computes the emissions of a call that reports its cost and no tokens. The whole counts as output, since list prices
 * of output made the factor.
 */
function spendEmissions(costUsd: number, grid: number, factors: FactorTable): Emissions {
  const { spend } = factors;
  const grams = costUsd * spend.gramsPerUsd * gridScale(grid, factors);
  return {
    inputCo2Grams: 0,
    outputCo2Grams: grams,
    cacheCo2Grams: 0,
    totalCo2Grams: grams,
    waterMl: costUsd * spend.waterMlPerUsd,
    confidence: spend.confidence,
    gridCarbonUsed: grid,
    calculationMethod: 'spend-based',
    dataQualityScore: dataQualityScore(spend.confidence),
    factorId: 'spend',
    factorSource: 'fallback',
  };
}
