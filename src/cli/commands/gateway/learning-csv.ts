import { stringify } from 'csv-stringify/sync';

interface Run {
  readonly traceId: string;
  readonly runId: string;
  readonly sessionId: string;
  readonly timestamp: number;
  readonly provider: string | null;
  readonly model: string | null;
  readonly channel: string | null;
  readonly isBaseline: boolean;
  readonly usage: { readonly total: number } | null;
  readonly durationMs: number | null;
  readonly aborted: boolean;
}

interface Arm {
  readonly armId: string;
  readonly alpha: number;
  readonly beta: number;
  readonly mean: number;
  readonly pulls: number;
  readonly lastUpdated: number;
}

export const TRACES_HEADER =
  'traceId,runId,sessionId,timestamp,provider,model,channel,isBaseline,totalTokens,durationMs,aborted\n';
export const POSTERIORS_HEADER = 'armId,alpha,beta,mean,pulls,lastUpdated\n';

/** Formats one run as a line of CSV. */
export function runLine(run: Run): string {
  return line([
    text(run.traceId),
    text(run.runId),
    text(run.sessionId),
    run.timestamp,
    text(run.provider),
    text(run.model),
    text(run.channel),
    run.isBaseline ? 1 : 0,
    run.usage?.total ?? '',
    run.durationMs ?? '',
    run.aborted ? 1 : 0,
  ]);
}

/** Formats one posterior as a line of CSV, with four decimals. */
export function posteriorLine({ armId, alpha, beta, mean, pulls, lastUpdated }: Arm): string {
  return line([text(armId), alpha.toFixed(4), beta.toFixed(4), mean.toFixed(4), pulls, lastUpdated]);
}

function line(cells: ReadonlyArray<string | number>): string {
  return stringify([[...cells]]);
}

/**
 * Quotes a text for a spreadsheet, which runs what starts with `=`, `+`, `-` or `@`, also behind a tab or a line end.
 */
function text(value: string | null): string {
  if (value === null) return '';
  return /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
}
