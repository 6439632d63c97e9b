import type { CarbonTarget, Pathway, TargetProgress } from '../carbon-types.js';
import { DAY_MS } from '../carbon-types.js';
import { dayOf, yearOf } from './period.js';

/** What is recorded, as far as targets need it. Grams. */
export interface RecordedEmissions {
  /** Of the current year so far. */
  readonly thisYear: number;
  /** Of the last 365 days, today included. */
  readonly trailing365: number;
  /** Milliseconds of the oldest trace, or null. */
  readonly oldest: number | null;
}

/** Yearly linear reduction in percent that a pathway asks for (Science Based Targets initiative). */
const PATHWAY_PERCENT: Readonly<Record<Pathway, number>> = { '1.5C': 4.2, 'well-below-2C': 2.5, '2C': 1.23 };
const MAX_PATHWAY = 90;
const LAST_YEAR = 2100;

/** Returns the progress of a target at a moment; the formulas are in docs/emissions-method.md. */
export function progressOf(target: CarbonTarget, recorded: RecordedEmissions, now: number): TargetProgress {
  const { baseYear, baseYearEmissionsGrams: base, targetYear, targetReductionPercent } = target;
  const year = yearOf(now);
  const goal = base * (1 - targetReductionPercent / 100);
  const { annual, basis } = annualFigure(recorded, now);
  const minimum = Math.min(MAX_PATHWAY, PATHWAY_PERCENT[target.pathway] * Math.max(0, targetYear - baseYear));
  const common = {
    target,
    currentYearEmissionsGrams: recorded.thisYear,
    basis,
    pathwayMinimumPercent: minimum,
    pathwayAligned: targetReductionPercent >= minimum,
  };
  if (annual === null) return { ...common, progressPercent: 0, onTrack: true, projectedEndYear: null };
  const elapsed = clamp((year - baseYear) / (targetYear - baseYear), 0, 1);
  const allowance = base - (base - goal) * elapsed;
  return {
    ...common,
    progressPercent:
      base === goal ? (annual <= goal ? 100 : 0) : clamp((100 * (base - annual)) / (base - goal), 0, 100),
    onTrack: annual <= allowance,
    projectedEndYear: projected({ annual, base, goal, year, baseYear }),
  };
}

/**
 * Returns the year's emissions as they would be: scaled from a quarter of the year on, before that the last 365 days.
 */
function annualFigure(
  { thisYear, trailing365, oldest }: RecordedEmissions,
  now: number,
): { annual: number | null; basis: TargetProgress['basis'] } {
  const year = yearOf(now);
  const start = dayOf(year, 0) * DAY_MS;
  const elapsed = (now - start) / (dayOf(year + 1, 0) * DAY_MS - start);
  if (elapsed >= 0.25) return { annual: thisYear / elapsed, basis: 'annualised' };
  if (oldest === null || now - oldest < 90 * DAY_MS) return { annual: null, basis: 'insufficient-data' };
  return { annual: trailing365, basis: 'trailing-365-days' };
}

/**
 * Returns the year in which the goal is met at the average pace since the base year; null where it is not met before
 * 2100.
 */
function projected(given: {
  annual: number;
  base: number;
  goal: number;
  year: number;
  baseYear: number;
}): number | null {
  const { annual, base, goal, year, baseYear } = given;
  if (annual <= goal) return year;
  const yearly = year > baseYear ? (base - annual) / (year - baseYear) : 0;
  if (yearly <= 0) return null;
  const met = year + Math.ceil((annual - goal) / yearly);
  return met > LAST_YEAR ? null : met;
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
