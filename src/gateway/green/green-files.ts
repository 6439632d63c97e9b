import type { CarbonTarget } from './carbon-types.js';
import type { ReportCheck } from './exports/validate.js';
import type { FactorTable } from './factors/factor-table.js';
import type { GridTable } from './factors/grid.js';

/** What the package's files bring to the accounting; each is read when it is first asked for. */
export interface GreenFiles {
  readonly factors: FactorTable;
  readonly grid: GridTable;
  /** Targets of `config/green-targets.yaml`. */
  readonly targets: readonly CarbonTarget[];
  readonly reportCheck: ReportCheck;
}
