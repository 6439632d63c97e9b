import type { TargetProgress } from '../carbon-types.js';
import type { FactorTable } from '../factors/factor-table.js';
import type { GridTable } from '../factors/grid.js';
import type { GreenSettings } from '../green-settings.js';
import { isoDay } from '../report/period.js';
import { intensities } from '../report/summary.js';
import { type Disclosures, disclosuresOf, GWP } from './disclosures.js';
import { overallMethod, type PeriodEmissions } from './period-emissions.js';

/** What all reports are made with. */
export interface ReportContext {
  readonly settings: Pick<GreenSettings, 'organization'>;
  readonly factors: FactorTable;
  readonly grid: GridTable;
}

export interface GhgProtocolExport {
  readonly reportingPeriod: string;
  readonly organizationalBoundary: string;
  readonly scope3Category1: {
    readonly emissions_tCO2eq: number;
    readonly calculationMethod: string;
    readonly dataQuality: 'Good' | 'Fair' | 'Poor';
    readonly uncertainty_percent: number;
    readonly emissionFactorSources: string[];
  };
  readonly disclosures: Disclosures;
}

/** Reports by the GHG Protocol, Corporate Value Chain (Scope 3) Standard, 2011. */
export function ghgProtocol(emissions: PeriodEmissions, context: ReportContext): GhgProtocolExport {
  const { weightedConfidence } = emissions.totals;
  return {
    reportingPeriod: emissions.period.name,
    organizationalBoundary: context.settings.organization.boundary,
    scope3Category1: {
      emissions_tCO2eq: emissions.tonnes,
      calculationMethod: overallMethod(emissions),
      dataQuality: weightedConfidence >= 0.6 ? 'Good' : weightedConfidence >= 0.3 ? 'Fair' : 'Poor',
      uncertainty_percent: emissions.uncertaintyPercent,
      emissionFactorSources: [...emissions.sources],
    },
    disclosures: disclosuresOf(emissions, {
      ...context,
      standard: 'GHG Protocol Corporate Value Chain (Scope 3) Accounting and Reporting Standard, 2011',
      mustAdd: [
        'the other categories of scope 3, and scopes 1 and 2',
        'the base year and the policy for recalculating it',
        'biogenic CO2, where it applies',
      ],
    }),
  };
}

interface ReportMetric {
  readonly metric: string;
  readonly value: number;
  readonly unit: string;
}

export interface CdpExport {
  readonly reportingYear: number;
  readonly scope3: {
    readonly category1: {
      readonly emissions_tCO2eq: number;
      readonly methodology: string;
      readonly methodologyDescription: string;
      readonly dataQuality: 'measured' | 'calculated' | 'estimated';
      readonly percentageCalculatedUsingPrimaryData: number;
      readonly emissionFactorSources: string[];
    };
  };
  readonly intensity: readonly ReportMetric[];
  /** The values as a questionnaire takes them: three decimals. */
  readonly rounded: { readonly emissions_tCO2eq: number; readonly intensity: readonly ReportMetric[] };
  readonly disclosures: Disclosures;
}

/** Reports for the CDP climate questionnaire: question 7.8 (scope 3 by category) and 7.45 (intensities). */
export function cdp(emissions: PeriodEmissions, context: ReportContext): CdpExport {
  const { totals } = emissions;
  const { intensityPerMillionTokens, intensityPerQuery } = intensities(totals);
  const intensity: ReportMetric[] = [
    { metric: 'CO2 per million tokens', value: intensityPerMillionTokens, unit: 'gCO2eq/1M tokens' },
    { metric: 'CO2 per API call', value: intensityPerQuery, unit: 'gCO2eq/call' },
  ];
  return {
    reportingYear: Number(emissions.period.name.slice(0, 4)),
    scope3: {
      category1: {
        emissions_tCO2eq: emissions.tonnes,
        methodology: overallMethod(emissions),
        methodologyDescription:
          'Tokens of each model call times a factor per million tokens of its model, scaled to the grid of its region where the region is known; calls that report only a cost by a factor per dollar.',
        dataQuality:
          emissions.supplierPercent >= 50 ? 'measured' : totals.weightedConfidence >= 0.5 ? 'calculated' : 'estimated',
        percentageCalculatedUsingPrimaryData: emissions.supplierPercent,
        emissionFactorSources: [...emissions.sources],
      },
    },
    intensity,
    rounded: {
      emissions_tCO2eq: rounded(emissions.tonnes),
      intensity: intensity.map((metric) => ({ ...metric, value: rounded(metric.value) })),
    },
    disclosures: disclosuresOf(emissions, {
      ...context,
      standard: 'CDP climate questionnaire, questions 7.8 and 7.45 (numbering since 2024)',
      mustAdd: [
        'the other categories of question 7.8',
        'why categories are not relevant',
        'verification of the figures',
      ],
    }),
  };
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}

export interface TcfdExport {
  readonly absoluteEmissions: {
    readonly scope3Cat1_tCO2eq: number;
    readonly reportingPeriod: string;
    readonly comparisonToBaseline?: { readonly baseYear: number; readonly changePercent: number };
  };
  readonly carbonIntensity: { readonly perMillionTokens_gCO2eq: number; readonly perApiCall_gCO2eq: number };
  readonly targets?: readonly TargetProgress[];
  readonly historicalTrend: ReadonlyArray<{ readonly period: string; readonly emissions_tCO2eq: number }>;
  readonly disclosures: Disclosures;
}

/** Reports by the TCFD recommendations, metrics and targets; now IFRS S2. */
export function tcfd(
  emissions: PeriodEmissions,
  context: ReportContext & {
    /** The same part of the base year; absent where none is requested. */
    readonly baseline: { readonly year: number; readonly tonnes: number } | undefined;
    readonly targets: readonly TargetProgress[];
    readonly trend: ReadonlyArray<{ readonly period: string; readonly emissions_tCO2eq: number }>;
  },
): TcfdExport {
  const { baseline, targets, trend } = context;
  const { intensityPerMillionTokens, intensityPerQuery } = intensities(emissions.totals);
  return {
    absoluteEmissions: {
      scope3Cat1_tCO2eq: emissions.tonnes,
      reportingPeriod: emissions.period.name,
      ...(baseline === undefined || baseline.tonnes === 0
        ? {}
        : {
            comparisonToBaseline: {
              baseYear: baseline.year,
              changePercent: (100 * (emissions.tonnes - baseline.tonnes)) / baseline.tonnes,
            },
          }),
    },
    carbonIntensity: { perMillionTokens_gCO2eq: intensityPerMillionTokens, perApiCall_gCO2eq: intensityPerQuery },
    ...(targets.length === 0 ? {} : { targets }),
    historicalTrend: trend,
    disclosures: disclosuresOf(emissions, {
      ...context,
      standard:
        'TCFD recommendations 2021, metrics and targets; IFRS S2 Climate-related Disclosures, as amended in December 2025',
      mustAdd: [
        'governance, strategy and risk management',
        'the other categories of scope 3, and scopes 1 and 2',
        'industry-based metrics',
      ],
    }),
  };
}

export interface Iso14064Export {
  readonly standard: 'ISO 14064-1:2018';
  readonly isoCategory: 4;
  readonly reportingPeriod: { readonly start: string; readonly end: string };
  readonly organizationalBoundary: { readonly approach: string; readonly entities: readonly string[] };
  readonly operationalBoundary: {
    readonly scope3: { readonly category1: { readonly included: boolean; readonly sources: string[] } };
  };
  readonly quantificationMethodology: {
    readonly method: 'calculation' | 'measurement';
    readonly activityData: string;
    readonly emissionFactors: string;
    readonly globalWarmingPotentials: string;
  };
  readonly uncertainty: { readonly method: string; readonly overallUncertainty_percent: number };
  readonly emissions: { readonly scope3Cat1_tCO2eq: number; readonly uncertainty_tCO2eq: number };
  readonly disclosures: Disclosures;
}

/** Reports by ISO 14064-1:2018, category 4: indirect emissions from products used by the organization. */
export function iso14064(emissions: PeriodEmissions, context: ReportContext): Iso14064Export {
  const { organization } = context.settings;
  const providers = [...new Set(emissions.rows.map((row) => row.provider))].sort();
  return {
    standard: 'ISO 14064-1:2018',
    isoCategory: 4,
    reportingPeriod: { start: isoDay(emissions.period.start), end: isoDay(emissions.period.end - 1) },
    organizationalBoundary: { approach: organization.approach, entities: [...organization.entities] },
    operationalBoundary: {
      scope3: { category1: { included: true, sources: providers.map((name) => `Purchased model inference: ${name}`) } },
    },
    quantificationMethodology: {
      method: 'calculation',
      activityData: 'Input, output and cache-read tokens of each model call, as reported by the caller',
      emissionFactors:
        emissions.sources.length === 0
          ? `Factor table, version ${context.factors.version}`
          : `Factor table, version ${context.factors.version}: ${emissions.sources.join(' | ')}`,
      globalWarmingPotentials: GWP,
    },
    uncertainty: {
      method: 'Band of the emission-weighted confidence of the factors',
      overallUncertainty_percent: emissions.uncertaintyPercent,
    },
    emissions: {
      scope3Cat1_tCO2eq: emissions.tonnes,
      uncertainty_tCO2eq: (emissions.tonnes * emissions.uncertaintyPercent) / 100,
    },
    disclosures: disclosuresOf(emissions, {
      ...context,
      standard: 'ISO 14064-1:2018',
      mustAdd: [
        'the other categories of direct and indirect emissions',
        'the base year, and reasons for excluding sources',
        'a statement on verification',
      ],
    }),
  };
}
