import type { CalculationMethod, FactorSource } from '../carbon-types.js';

/**
 * Returns the relative half-width of the uncertainty band of a confidence (specification: confidence to uncertainty
 * bands).
 */
export function bandOf(confidence: number): number {
  if (confidence >= 0.7) return 0.15;
  if (confidence >= 0.5) return 0.3;
  return confidence >= 0.3 ? 0.5 : 1;
}

/** Returns the multipliers of a total: `1 − band` and `1 + band`. */
export function bandMultipliers(confidence: number): { readonly lower: number; readonly upper: number } {
  switch (bandOf(confidence)) {
    case 0.15:
      return { lower: 0.85, upper: 1.15 };
    case 0.3:
      return { lower: 0.7, upper: 1.3 };
    case 0.5:
      return { lower: 0.5, upper: 1.5 };
    default:
      return { lower: 0, upper: 2 };
  }
}

export function confidenceLabel(confidence: number): { readonly label: string; readonly description: string } {
  if (confidence >= 0.7) return { label: 'high', description: 'Based on published provider data' };
  if (confidence >= 0.5) return { label: 'medium', description: 'Based on academic research' };
  if (confidence >= 0.3) return { label: 'low', description: 'Estimated from similar models' };
  return { label: 'very_low', description: 'Fallback estimate' };
}

/** Returns the data quality, 1 (best) to 5. */
export function dataQualityScore(confidence: number): number {
  if (confidence >= 0.8) return 1;
  if (confidence >= 0.6) return 2;
  if (confidence >= 0.4) return 3;
  return confidence >= 0.2 ? 4 : 5;
}

export function methodOf(source: FactorSource): CalculationMethod {
  if (source === 'measured') return 'supplier-specific';
  return source === 'research' ? 'hybrid' : 'average-data';
}
