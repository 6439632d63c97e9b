import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { configFile } from '../../config/files.js';
import { packageRoot } from '../../core/package-root.js';
import type { CarbonTarget } from '../../gateway/green/carbon-types.js';
import { REPORT_FORMATS, ReportCheck, type ReportSchemas } from '../../gateway/green/exports/validate.js';
import { type FactorTable, parseFactors } from '../../gateway/green/factors/factor-table.js';
import { type GridTable, parseGrid } from '../../gateway/green/factors/grid.js';
import type { GreenFiles } from '../../gateway/green/green-files.js';
import { parseTargets } from '../../gateway/green/green-targets.js';

/** The gateway's files of the package, once for a process. Most commands account for no model call and read none. */
class PackageFiles implements GreenFiles {
  private read: { factors?: FactorTable; grid?: GridTable; targets?: CarbonTarget[]; reportCheck?: ReportCheck } = {};

  get factors(): FactorTable {
    this.read.factors ??= parseFactors(configFile('green-factors.yaml'));
    return this.read.factors;
  }

  get grid(): GridTable {
    this.read.grid ??= parseGrid(configFile('green-grid.yaml'));
    return this.read.grid;
  }

  get targets(): readonly CarbonTarget[] {
    this.read.targets ??= parseTargets(configFile('green-targets.yaml'));
    return this.read.targets;
  }

  get reportCheck(): ReportCheck {
    this.read.reportCheck ??= new ReportCheck(reportSchemas());
    return this.read.reportCheck;
  }

  /** Reads all now, so that no request waits for it. Throws `invalid_input` naming the file and row that is wrong. */
  readAll(): void {
    void [this.factors, this.grid, this.targets, this.reportCheck];
  }
}

export const gatewayFiles = new PackageFiles();

function reportSchemas(): ReportSchemas {
  const read = (format: string): object =>
    JSON.parse(readFileSync(join(packageRoot(), 'schemas', 'green', `${format}.schema.json`), 'utf8')) as object;
  return Object.fromEntries(REPORT_FORMATS.map((format) => [format, read(format)])) as unknown as ReportSchemas;
}
