// Prints the hour on this machine's wall, then what the emissions module makes of times; run in several time zones.
import { rollupsOf } from '../../src/gateway/green/accounting/rollup.js';
import { isoDay, parsePeriod, trendQuarters, yearOf } from '../../src/gateway/green/report/period.js';
import { progressOf } from '../../src/gateway/green/report/targets.js';

const HOUR = 3_600_000;
const print = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`);

print(new Date(Date.UTC(2024, 6, 1)).getHours() + new Date(Date.UTC(2024, 0, 1)).getHours() / 100);
for (const name of ['2024', '2024-Q1', '2024-03', '2024-11', '2024-W13', '2025-W01', '2024-W44']) {
  const period = parsePeriod(name);
  print([period, isoDay(period.start), isoDay(period.end), trendQuarters(period).map((quarter) => quarter.name)]);
}
const target = {
  targetId: 't',
  name: 't',
  baseYear: 2022,
  baseYearEmissionsGrams: 1000,
  targetYear: 2030,
  targetReductionPercent: 40,
  pathway: '2C' as const,
  createdAt: 0,
};
// Around New Year and around the nights in which clocks change.
for (const day of [Date.UTC(2024, 0, 1), Date.UTC(2024, 2, 10), Date.UTC(2024, 9, 6), Date.UTC(2024, 10, 3)]) {
  for (let at = day - 14 * HOUR; at <= day + 14 * HOUR; at += HOUR) {
    const trace = {
      traceId: 't',
      runId: 'r',
      timestamp: at,
      provider: 'p',
      model: 'm',
      inputTokens: 1,
      outputTokens: 1,
      cacheReadTokens: 0,
      inputCo2Grams: 1,
      outputCo2Grams: 1,
      cacheCo2Grams: 0,
      totalCo2Grams: 2,
      waterMl: 1,
      confidence: 0.5,
      gridCarbonUsed: 400,
      calculationMethod: 'hybrid',
      dataQualityScore: 3,
      factorId: 'f',
      factorSource: 'research',
    };
    print([yearOf(at), (await rollupsOf([trace]))[0]?.day]);
    print(progressOf(target, { thisYear: 10, trailing365: 900, oldest: at - 4000 * HOUR }, at));
  }
}
