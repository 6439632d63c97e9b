import { SvcError } from '../../../core/errors.js';
import type { CarbonFactor, FactorSource } from '../carbon-types.js';

/** One row of the factor table, for one model pattern. */
export interface FactorRow extends CarbonFactor {
  /** `provider/pattern`. */
  readonly id: string;
  /** What is known: grams per million output tokens. */
  readonly low: number;
  readonly high: number;
  /** The values that the centre is the geometric mean of. */
  readonly routes: string;
  /** Where they come from, in full. */
  readonly citation: string;
  /** Watt-hours at the meter per million output tokens; absent where the supplier states grams. */
  readonly whPerMillionOutputTokens?: { readonly centre: number; readonly low: number; readonly high: number };
  /** Stands for models of its provider that no row matches. */
  readonly flagship: boolean;
}

export interface SpendFactor {
  readonly gramsPerUsd: number;
  readonly waterMlPerUsd: number;
  readonly confidence: number;
  readonly citation: string;
}

export interface FactorTable {
  readonly version: string;
  /** g/kWh that the factors stand for. */
  readonly referenceGrid: number;
  /** Share of embodied hardware, which does not scale with the grid. */
  readonly embodiedShare: number;
  readonly rows: readonly FactorRow[];
  readonly spend: SpendFactor;
}

interface FileRow extends Omit<FactorRow, 'id' | 'model' | 'citation' | 'flagship'> {
  readonly models: readonly string[];
  readonly citations: readonly string[];
  readonly flagship?: boolean;
}

interface FactorFile {
  readonly version: string;
  readonly referenceGrid: number;
  readonly embodiedShare: number;
  readonly spend: Omit<SpendFactor, 'citation'> & { readonly citations: readonly string[] };
  readonly citations: Readonly<Record<string, string>>;
  readonly factors: readonly FileRow[];
}

const SOURCES: readonly FactorSource[] = ['measured', 'research', 'estimated', 'fallback'];
const AMOUNTS = [
  'inputCo2PerMillionTokens',
  'outputCo2PerMillionTokens',
  'cacheReadCo2PerMillionTokens',
  'waterMlPerMillionTokens',
] as const;

/**
 * Reads `config/green-factors.yaml`, one row per model pattern. Throws `invalid_input` naming the row that is wrong.
 */
export function parseFactors(file: unknown): FactorTable {
  const { version, referenceGrid, embodiedShare, spend, citations, factors } = file as FactorFile;
  const lastUpdated = Date.parse(version);
  const cited = (keys: readonly string[]): string => keys.map((key) => citations[key] ?? key).join('; ');
  const rows = factors.flatMap(({ models, citations: keys, flagship = false, ...row }) =>
    models.map((model, index): FactorRow => {
      const id = `${row.provider}/${model}`;
      checkFactor(row, `green-factors.yaml, ${id}`);
      return { ...row, id, model, citation: cited(keys), lastUpdated, flagship: flagship && index === 0 };
    }),
  );
  return {
    version,
    referenceGrid,
    embodiedShare,
    rows,
    spend: { ...spend, citation: cited(spend.citations) },
  };
}

/** Throws `invalid_input` unless every given member of a factor is in range. */
export function checkFactor(factor: Partial<CarbonFactor>, subject: string): void {
  for (const name of AMOUNTS) {
    const value = factor[name];
    if (value !== undefined && !(typeof value === 'number' && value >= 0 && Number.isFinite(value))) {
      throw new SvcError('invalid_input', `${subject}: ${name} must be a number of at least 0.`);
    }
  }
  const { confidence, source } = factor;
  if (confidence !== undefined && !(typeof confidence === 'number' && confidence >= 0 && confidence <= 1)) {
    throw new SvcError('invalid_input', `${subject}: confidence must be a number from 0 to 1.`);
  }
  if (source !== undefined && !SOURCES.includes(source)) {
    throw new SvcError('invalid_input', `${subject}: source must be one of ${SOURCES.join(', ')}.`);
  }
}
