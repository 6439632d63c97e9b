/** Records of the emissions API as they are on the wire; member names are the specification's. */

export type FactorSource = 'measured' | 'research' | 'estimated' | 'fallback';
export type CalculationMethod = 'supplier-specific' | 'hybrid' | 'average-data' | 'spend-based';

export interface CarbonFactor {
  readonly provider: string;
  /** A prefix of model ids, with at most one `*`. */
  readonly model: string;
  /** Grams of CO2e. */
  readonly inputCo2PerMillionTokens: number;
  readonly outputCo2PerMillionTokens: number;
  readonly cacheReadCo2PerMillionTokens: number;
  readonly waterMlPerMillionTokens: number;
  /** 0..1. */
  readonly confidence: number;
  readonly source: FactorSource;
  /** Milliseconds since the epoch. */
  readonly lastUpdated?: number;
}

/** What the emissions of one model call are computed from. */
export interface ModelUsage {
  readonly provider: string;
  readonly model: string;
  /** Input tokens without those read from a cache. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  /** Used only where a call reports no tokens. */
  readonly costUsd?: number | undefined;
  /** Cloud region, such as `eu-west-1`. */
  readonly region?: string | undefined;
}

/** The computed part of a trace. Grams, millilitres, g/kWh. */
export interface Emissions {
  readonly inputCo2Grams: number;
  readonly outputCo2Grams: number;
  readonly cacheCo2Grams: number;
  readonly totalCo2Grams: number;
  readonly waterMl: number;
  readonly confidence: number;
  readonly gridCarbonUsed: number;
  readonly calculationMethod: CalculationMethod;
  readonly dataQualityScore: number;
  readonly regionGridCarbon?: number | undefined;
  /** Row of the factor table: `provider/pattern`, `override:key` or `spend`. */
  readonly factorId: string;
  readonly factorSource: FactorSource;
}

export interface CarbonTrace extends ModelUsage, Emissions {
  readonly traceId: string;
  readonly runId: string;
  readonly sessionId?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
  readonly scope: 3;
  readonly category: 1;
}

/** Days since the epoch, in UTC. */
export type Day = number;
export const DAY_MS = 86_400_000;

export type Pathway = '1.5C' | 'well-below-2C' | '2C';
export const PATHWAYS: readonly Pathway[] = ['1.5C', 'well-below-2C', '2C'];

export interface CarbonTarget {
  readonly targetId: string;
  readonly name: string;
  readonly baseYear: number;
  readonly baseYearEmissionsGrams: number;
  readonly targetYear: number;
  readonly targetReductionPercent: number;
  readonly pathway: Pathway;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

export interface TargetProgress {
  readonly target: CarbonTarget;
  readonly currentYearEmissionsGrams: number;
  readonly progressPercent: number;
  readonly onTrack: boolean;
  readonly projectedEndYear: number | null;
  /** What the annual figure rests on. */
  readonly basis: 'annualised' | 'trailing-365-days' | 'insufficient-data';
  /** The reduction that the pathway asks for between the two years, in percent, and whether the target reaches it. */
  readonly pathwayMinimumPercent: number;
  readonly pathwayAligned: boolean;
}
