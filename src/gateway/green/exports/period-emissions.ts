import type { GreenSums } from '../../../backends/store/gateway/green-rollups.js';
import { bandOf } from '../accounting/bands.js';
import { percentOf, type Totals, totalsOf } from '../accounting/totals.js';
import type { CalculationMethod } from '../carbon-types.js';
import type { FactorTable } from '../factors/factor-table.js';
import type { Period } from '../report/period.js';

const GRAMS_PER_TONNE = 1_000_000;

/** What every report of a period is made from. */
export interface PeriodEmissions {
  readonly period: Period;
  readonly rows: readonly GreenSums[];
  readonly totals: Totals;
  readonly tonnes: number;
  /** Methods that rows of the period used, sorted. */
  readonly methods: readonly CalculationMethod[];
  /** Half the band of the emission-weighted confidence, in percent; 0 for an empty period. */
  readonly uncertaintyPercent: number;
  /** Share of the grams with a supplier's own factor, in percent. */
  readonly supplierPercent: number;
  /** Where the factors of the period come from, sorted. */
  readonly sources: readonly string[];
}

export function periodEmissions(period: Period, rows: readonly GreenSums[], table: FactorTable): PeriodEmissions {
  const totals = totalsOf(rows);
  return {
    period,
    rows,
    totals,
    tonnes: tonnes(totals.co2Grams),
    methods: [...new Set(rows.map((row) => row.calculationMethod as CalculationMethod))].sort(),
    uncertaintyPercent: totals.co2Grams === 0 ? 0 : 100 * bandOf(totals.weightedConfidence),
    supplierPercent: percentOf(rows, (row) => row.calculationMethod === 'supplier-specific'),
    sources: [...new Set(rows.map((row) => citationOf(row.factorId, table)))].sort(),
  };
}

export function tonnes(grams: number): number {
  return grams / GRAMS_PER_TONNE;
}

/** Returns the one method of a period, else `hybrid`; `average-data` for an empty one. */
export function overallMethod({ methods }: PeriodEmissions): CalculationMethod {
  if (methods.length > 1) return 'hybrid';
  return methods[0] ?? 'average-data';
}

function citationOf(factorId: string, table: FactorTable): string {
  if (factorId === 'spend') return `Cost of calls: ${table.spend.citation}`;
  if (factorId.startsWith('override:'))
    return `Own factor of this installation (${factorId.slice('override:'.length)})`;
  const row = table.rows.find((one) => one.id === factorId.replace(/ \(flagship\)$/, ''));
  return row === undefined ? `Factor ${factorId} of an earlier table` : row.citation;
}
