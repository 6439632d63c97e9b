import type { FactorOverrides } from './factors/lookup.js';

export type GreenMode = 'disabled' | 'passive' | 'active';

/** The emissions module's slice of the configuration; member names are those of the settings file. */
export interface GreenSettings {
  readonly enabled: boolean;
  readonly mode: GreenMode;
  /** `provider/model` or `provider:model` → members of a factor that replace the table's. */
  readonly factor_overrides: FactorOverrides;
  /** g/kWh. */
  readonly default_grid_carbon: number;
  /** Grams per day, or null. */
  readonly daily_alert_threshold: number | null;
  readonly show_in_status: boolean;
  /** `classic`, `epa-2026` or `eu`. */
  readonly equivalents: string;
  readonly organization: {
    readonly boundary: string;
    readonly approach: 'operational_control' | 'financial_control' | 'equity_share';
    readonly entities: readonly string[];
  };
}
