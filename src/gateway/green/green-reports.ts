import { sumDays } from '../../backends/store/gateway/green-rollups.js';
import type { Store } from '../../backends/store/scope.js';
import type { Clock } from '../../core/clock.js';
import { type PeriodEmissions, periodEmissions, tonnes } from './exports/period-emissions.js';
import {
  type CdpExport,
  cdp,
  type GhgProtocolExport,
  ghgProtocol,
  type Iso14064Export,
  iso14064,
  type ReportContext,
  type TcfdExport,
  tcfd,
} from './exports/reports.js';
import type { ReportCheck } from './exports/validate.js';
import type { GreenFiles } from './green-files.js';
import type { GreenSettings } from './green-settings.js';
import { gramsOf } from './green-sums.js';
import type { GreenTargets } from './green-targets.js';
import { type Period, parsePeriod, sameOf, trendQuarters, yearOf } from './report/period.js';

/** The four reports. Each is checked against its schema before it leaves. */
export class GreenReports {
  constructor(
    private readonly store: Store,
    private readonly options: {
      readonly clock: Clock;
      readonly settings: GreenSettings;
      readonly files: GreenFiles;
      readonly targets: GreenTargets;
    },
  ) {}

  private get context(): ReportContext {
    const { settings, files } = this.options;
    return { settings, factors: files.factors, grid: files.grid };
  }

  private get check(): ReportCheck {
    return this.options.files.reportCheck;
  }

  /** Throws `invalid_input` for a period in another format; the current year without one. So do the others. */
  async ghgProtocol(period?: string): Promise<GhgProtocolExport> {
    const emissions = await this.emissions(this.period(period));
    return this.check.checked('ghg-protocol', ghgProtocol(emissions, this.context));
  }

  async cdp(year?: number): Promise<CdpExport> {
    const emissions = await this.emissions(this.period(year?.toString()));
    return this.check.checked('cdp', cdp(emissions, this.context));
  }

  /** Returns the TCFD report; `baseYear` adds a comparison with the same part of that year. */
  async tcfd(periodText?: string, baseYear?: number): Promise<TcfdExport> {
    const { db } = this.store;
    const period = this.period(periodText);
    const same = baseYear === undefined ? undefined : sameOf(period, baseYear);
    const quarters = trendQuarters(period);
    const [emissions, { progress }, baseline, ...trend] = await Promise.all([
      this.emissions(period),
      this.options.targets.list(),
      same === undefined ? 0 : gramsOf(db, same),
      ...quarters.map((quarter) => gramsOf(db, quarter)),
    ]);
    const report = tcfd(emissions, {
      ...this.context,
      baseline: baseYear === undefined ? undefined : { year: baseYear, tonnes: tonnes(baseline) },
      targets: progress,
      trend: quarters.map(({ name }, i) => ({ period: name, emissions_tCO2eq: tonnes(trend[i]!) })),
    });
    return this.check.checked('tcfd', report);
  }

  async iso14064(period?: string): Promise<Iso14064Export> {
    const emissions = await this.emissions(this.period(period));
    return this.check.checked('iso14064', iso14064(emissions, this.context));
  }

  private period(text: string | undefined): Period {
    return parsePeriod(text ?? String(yearOf(this.options.clock())));
  }

  private async emissions(period: Period): Promise<PeriodEmissions> {
    const rows = await sumDays(this.store.db, period.start, period.end);
    return periodEmissions(period, rows, this.context.factors);
  }
}
