import type { FactorTable } from '../factors/factor-table.js';
import type { GridTable } from '../factors/grid.js';
import type { PeriodEmissions } from './period-emissions.js';

/** What a reader of a report has to know beside its numbers. */
export interface Disclosures {
  readonly standard: string;
  readonly globalWarmingPotentials: string;
  readonly unit: string;
  readonly percentSupplierSpecificData: number;
  readonly percentFallbackFactors: number;
  readonly factorTable: string;
  readonly gridData: string;
  readonly boundary: string;
  readonly exclusions: readonly string[];
  /** What the reporter still has to add before the report is complete under the standard. */
  readonly reporterMustAdd: readonly string[];
}

export const GWP = 'IPCC AR6, 100 years (GWP100)';

const EXCLUSIONS = [
  'training and fine-tuning of models',
  'end-user devices and networks',
  'model calls that were not sent to this service',
  'market-based instruments (certificates, contracts) of the providers',
] as const;

export function disclosuresOf(
  emissions: PeriodEmissions,
  report: {
    readonly standard: string;
    readonly mustAdd: readonly string[];
    readonly factors: FactorTable;
    readonly grid: GridTable;
  },
): Disclosures {
  const { totals, supplierPercent } = emissions;
  return {
    standard: report.standard,
    globalWarmingPotentials: GWP,
    unit: 'tonnes of CO2 equivalent',
    percentSupplierSpecificData: supplierPercent,
    percentFallbackFactors: totals.traces === 0 ? 0 : (100 * totals.fallbackTraces) / totals.traces,
    factorTable: `version ${report.factors.version}`,
    gridData: `${report.grid.source.package} ${report.grid.source.version} (${report.grid.source.data}; ${report.grid.source.years})`,
    boundary:
      'Inference of purchased models: electricity of servers, location-based, with data-centre overhead and embodied hardware',
    exclusions: EXCLUSIONS,
    reporterMustAdd: report.mustAdd,
  };
}
