import { type ModelTotals, modelTotals, rollupDays } from '../../backends/store/gateway/green-rollups.js';
import {
  countGreenTraces,
  greenTimeRange,
  greenTracesAfter,
  readGreenTraces,
  type TraceFilter,
} from '../../backends/store/gateway/green-traces.js';
import type { Store, WriteScope } from '../../backends/store/scope.js';
import type { Clock } from '../../core/clock.js';
import { SvcError } from '../../core/errors.js';
import type { CallRecord } from '../telemetry-intake/records.js';
import { bandMultipliers } from './accounting/bands.js';
import type { AccountingTables } from './accounting/emissions.js';
import { totalsOf } from './accounting/totals.js';
import { type CarbonTrace, DAY_MS } from './carbon-types.js';
import { explain, type FactorExplanation, type ListedFactor, listedFactor } from './explain.js';
import { checkOverrides, factorLookup } from './factors/lookup.js';
import type { GreenFiles } from './green-files.js';
import { carbonTrace, recomputeDay, recordCalls } from './green-records.js';
import { GreenReports } from './green-reports.js';
import type { GreenSettings } from './green-settings.js';
import { bucketsOf, type GreenBucket, gramsOf, sumsOf, type TimeRange, type Window } from './green-sums.js';
import { GreenTargets } from './green-targets.js';
import { type GreenSummary, intensities, summaryOf } from './report/summary.js';

export interface GreenOptions {
  readonly clock: Clock;
  readonly settings: GreenSettings;
  readonly files: GreenFiles;
  readonly warn: (message: string) => void;
}

export interface GreenAlert {
  readonly grams: number;
  readonly thresholdGrams: number;
}

export interface GreenIntensity {
  readonly totalTokens: number;
  readonly totalTraces: number;
  readonly intensityPerMillionTokens: number;
  readonly intensityPerQuery: number;
  /** Multipliers, as in the summary. */
  readonly uncertainty: { readonly lower: number; readonly upper: number };
}

export interface GreenConfig {
  readonly enabled: boolean;
  readonly defaultGridCarbon: number;
  readonly factorOverrides: GreenSettings['factor_overrides'];
  readonly dailyAlertThreshold: number | null;
  readonly showInStatus: boolean;
}

const MAX_TRACES = 1000;

/** Emissions accounting: records model calls, sums them, and reports. Everything is in UTC. */
export class Green {
  readonly targets: GreenTargets;
  readonly reports: GreenReports;
  private accounting: AccountingTables | undefined;
  private alertedDay = -1;

  constructor(
    private readonly store: Store,
    private readonly options: GreenOptions,
  ) {
    checkOverrides(options.settings.factor_overrides);
    this.targets = new GreenTargets(store, options);
    this.reports = new GreenReports(store, { ...options, targets: this.targets });
  }

  private get tables(): AccountingTables {
    const { settings, files } = this.options;
    this.accounting ??= {
      factors: files.factors,
      grid: files.grid,
      find: factorLookup(files.factors, settings.factor_overrides),
      defaultGridCarbon: settings.default_grid_carbon,
    };
    return this.accounting;
  }

  /** Returns false while calls are not recorded. */
  get recording(): boolean {
    return this.options.settings.enabled && this.options.settings.mode !== 'disabled';
  }

  /** Throws `disabled` where the module is off. */
  requireEnabled(): void {
    if (!this.recording) {
      throw new SvcError('disabled', 'The emissions module is disabled; set SVC_GREEN_ENABLED=on and SVC_GREEN_MODE.');
    }
  }

  /** Writes calls inside a transaction; returns how many used a fallback factor. Nothing while the module is off. */
  async record(scope: WriteScope, calls: readonly CallRecord[]): Promise<{ fallback: number }> {
    if (!this.recording || calls.length === 0) return { fallback: 0 };
    const rows = await recordCalls(scope, calls, this.tables);
    if (this.options.settings.mode === 'active') scope.afterCommit(() => void this.warnIfOver().catch(() => undefined));
    return { fallback: rows.filter((row) => row.factorSource === 'fallback').length };
  }

  config(): GreenConfig {
    const { settings } = this.options;
    return {
      enabled: this.recording,
      defaultGridCarbon: settings.default_grid_carbon,
      factorOverrides: settings.factor_overrides,
      dailyAlertThreshold: settings.daily_alert_threshold,
      showInStatus: settings.show_in_status,
    };
  }

  factors(): { factors: ListedFactor[] } {
    return { factors: this.options.files.factors.rows.map(listedFactor) };
  }

  explain(call: { provider: string; model: string; region?: string | undefined }): FactorExplanation {
    return explain(call, this.tables);
  }

  async summary(range: TimeRange = {}): Promise<GreenSummary & { alert?: GreenAlert }> {
    const [rows, times, alert] = await Promise.all([
      sumsOf(this.store.db, range),
      greenTimeRange(this.store.db, range),
      this.alert(),
    ]);
    const summary = summaryOf(rows, { range: times, profile: this.options.settings.equivalents });
    return alert === undefined ? summary : { ...summary, alert };
  }

  /** Returns sums by provider and model, in the order in which they were first seen; none while the module is off. */
  async modelTotals(): Promise<ModelTotals[]> {
    return this.recording ? modelTotals(this.store.db) : [];
  }

  async intensity(range: TimeRange = {}): Promise<GreenIntensity> {
    const totals = totalsOf(await sumsOf(this.store.db, range));
    return {
      totalTokens: totals.tokens,
      totalTraces: totals.traces,
      ...intensities(totals),
      uncertainty: bandMultipliers(totals.avgConfidence),
    };
  }

  /** Returns a page, newest first; `limit` is capped at 1000. */
  async traces(
    query: TraceFilter & { readonly limit: number; readonly offset: number },
  ): Promise<{ traces: CarbonTrace[]; total: number; limit: number; offset: number }> {
    const limit = Math.min(query.limit, MAX_TRACES);
    const [rows, total] = await Promise.all([
      readGreenTraces(this.store.db, { ...query, limit }),
      countGreenTraces(this.store.db, query),
    ]);
    return { traces: rows.map(carbonTrace), total, limit, offset: query.offset };
  }

  /** Returns the traces after a row, in the order in which they came, for exports; `next` is null at the end. */
  async tracesAfter(after: number, limit: number): Promise<{ traces: CarbonTrace[]; next: number | null }> {
    const rows = await greenTracesAfter(this.store.db, after, limit);
    return { traces: rows.map(carbonTrace), next: rows.length < limit ? null : rows.at(-1)!.id };
  }

  async timeseries(window: Window, range: TimeRange = {}): Promise<{ buckets: GreenBucket[] }> {
    return { buckets: await bucketsOf(this.store.db, window, range) };
  }

  /** Computes every trace anew with the table and settings of today. */
  async recompute(
    progress: (done: number, total: number) => void = () => undefined,
  ): Promise<{ days: number; traces: number; changed: number; table: string }> {
    const days = await rollupDays(this.store.db);
    let traces = 0;
    let changed = 0;
    for (const [index, day] of days.entries()) {
      const done = await recomputeDay(this.store, day, this.tables);
      traces += done.traces;
      changed += done.changed;
      progress(index + 1, days.length);
    }
    return { days: days.length, traces, changed, table: this.options.files.factors.version };
  }

  /** Returns the grams of the UTC day so far; undefined where the status does not show them. */
  async today(): Promise<number | undefined> {
    return this.recording && this.options.settings.show_in_status ? this.gramsToday() : undefined;
  }

  private gramsToday(): Promise<number> {
    const today = Math.floor(this.options.clock() / DAY_MS);
    return gramsOf(this.store.db, { start: today, end: today + 1 });
  }

  private async alert(): Promise<GreenAlert | undefined> {
    const { mode, daily_alert_threshold: threshold } = this.options.settings;
    if (mode !== 'active' || threshold === null) return undefined;
    const grams = await this.gramsToday();
    return grams > threshold ? { grams, thresholdGrams: threshold } : undefined;
  }

  /** Logs one line per day where the limit of the day is passed. */
  private async warnIfOver(): Promise<void> {
    const today = Math.floor(this.options.clock() / DAY_MS);
    if (this.alertedDay === today) return;
    const alert = await this.alert();
    if (alert === undefined || this.alertedDay === today) return;
    this.alertedDay = today;
    this.options.warn(
      `Emissions of today, ${alert.grams.toFixed(1)} g CO2e, are above the threshold of ${alert.thresholdGrams} g.`,
    );
  }
}
