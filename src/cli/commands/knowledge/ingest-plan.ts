import { relative } from 'node:path';
import { toSvcError } from '../../../core/errors.js';
import { counted } from '../../../core/wording/counted.js';
import { isNamedFirst } from '../../../ingest/read/file-type.js';
import { given } from '../../arguments.js';
import type { Cli, CommonOptions } from '../../cli.js';
import type { Connection } from '../../connection.js';
import { unreadReason } from '../../output/job-files.js';
import { dim, red, type TableColumn, table } from '../../output/output.js';
import { visibleAnswer } from '../../output/visible.js';
import type { Walk } from '../../walk.js';
import { type SkippedFile, skippedReason } from './ingest-job.js';
import { skippedLines } from './ingest-lines.js';

interface IngestPlanOptions extends CommonOptions {
  readonly domain?: string;
  readonly type?: string;
}

interface IngestPlan {
  readonly model: string | null;
  readonly unchanged: boolean;
  readonly passages: number;
  readonly chunks: number;
  readonly cached: number;
  readonly calls: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cost_usd: number | null;
}

interface Planned {
  readonly path: string;
  readonly plan?: IngestPlan;
  readonly failure?: { readonly error: string; readonly code: string };
}

/**
 * Prints which files an ingest would read and which it would skip, and its requests to the language model where one reads documents;
 * makes none and writes nothing. Throws what `nothing` returns where a job would find no file.
 */
export async function planFiles(
  cli: Cli,
  { files, named, skipped, nothing }: Pick<Walk, 'files' | 'named' | 'skipped'> & { readonly nothing: () => Error },
  options: IngestPlanOptions,
): Promise<void> {
  const left: SkippedFile[] = [];
  const plan = async (connection: Connection): Promise<Planned[]> => {
    const found: Planned[] = [];
    const again = await knownBefore(connection, skipped.filter(isNamedFirst), options.domain);
    if (files.length + again.size === 0) throw nothing();
    left.push(...skipped.filter((path) => !again.has(path)).map((path) => ({ path, reason: unreadReason(path) })));
    for (const path of [...files, ...again]) {
      const input = given({ source_path: path, domain: options.domain, source_type: options.type });
      try {
        found.push({ path, plan: (await connection.call('ingest_plan', input)) as IngestPlan });
      } catch (error) {
        const { details } = toSvcError(error);
        const isNone = details?.skipped === true || details?.empty === true;
        const failure = cli.errorOf(error);
        if (isNone && !named.has(path)) left.push({ path, reason: skippedReason(failure.error, failure.code) });
        else found.push({ path, failure });
      }
    }
    return found;
  };
  const planned = await cli.withConnection('ingest', options, plan, { onlyReads: true });
  const plans = planned.flatMap(({ plan }) => (plan === undefined ? [] : [plan]));
  const totals = totalsOf(plans);
  const answer = { files: planned, skipped: left, totals };
  cli.print(answer, options, (shown) => human(shown.files, visibleAnswer(left), shown.totals));
  if (plans.length < planned.length) cli.exitCode = 1;
}

/** Returns those of the files that were ingested: a job reads them again with their directory. */
async function knownBefore(
  connection: Connection,
  paths: readonly string[],
  domain: string | undefined,
): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set();
  const known = (await connection.call('known_files', { domain, paths })) as { readonly paths: readonly string[] };
  return new Set(known.paths);
}

function totalsOf(plans: readonly IngestPlan[]) {
  const sum = (member: 'calls' | 'cached' | 'input_tokens' | 'output_tokens') =>
    plans.reduce((total, plan) => total + plan[member], 0);
  const priced =
    plans.some((plan) => plan.cost_usd !== null) && plans.every((plan) => plan.cost_usd !== null || plan.calls === 0);
  return {
    model: plans.find((plan) => plan.model !== null)?.model ?? null,
    calls: sum('calls'),
    cached: sum('cached'),
    input_tokens: sum('input_tokens'),
    output_tokens: sum('output_tokens'),
    cost_usd: priced ? plans.reduce((total, plan) => total + (plan.cost_usd ?? 0), 0) : null,
  };
}

type Row = { readonly path: string } & IngestPlan;

function human(
  planned: readonly Planned[],
  skipped: readonly SkippedFile[],
  totals: ReturnType<typeof totalsOf>,
): string {
  const rows = planned.flatMap(({ path, plan }) => (plan === undefined ? [] : [{ path, ...plan }]));
  const failures = planned.flatMap(({ path, failure }) =>
    failure === undefined ? [] : [`${red('failed')} ${relative('.', path) || path}  ${failure.error}`],
  );
  const columns = totals.model === null ? PLAIN : requestColumns(rows);
  return [
    ...failures,
    ...(rows.length === 0 ? [] : [table(rows, columns)]),
    ...skippedLines(skipped),
    '',
    readSentence(rows, failures.length, skipped.length),
    ...(totals.model === null ? [WITHOUT_MODEL, dim(UNCHANGED)] : [requestSentence(totals), dim(ESTIMATES)]),
  ].join('\n');
}

const WITHOUT_MODEL = 'No language model reads documents here; no request would be made. Set SVC_LLM for that.';
const UNCHANGED = 'A dry run; nothing was changed.';
const ESTIMATES = 'Estimates; nothing was requested or written.';

const FILE: TableColumn<Row> = { title: 'File', of: (row) => relative('.', row.path) || row.path, wide: 1 };
const PASSAGES: TableColumn<Row> = { title: 'Passages', of: (row) => row.passages, right: true };
const STATE: TableColumn<Row> = { title: 'State', of: (row) => (row.unchanged ? 'unchanged' : '') };
const PLAIN = [FILE, PASSAGES, STATE];

function requestColumns(rows: readonly Row[]): TableColumn<Row>[] {
  return [
    FILE,
    PASSAGES,
    { title: 'Chunks', of: (row) => row.chunks, right: true },
    { title: 'Cached', of: (row) => row.cached, right: true },
    { title: 'Calls', of: (row) => row.calls, right: true },
    { title: 'Tokens in', of: (row) => row.input_tokens, right: true },
    { title: 'Tokens out', of: (row) => row.output_tokens, right: true },
    // A column that would be empty in every row is left out.
    ...(rows.some((row) => row.cost_usd !== null) ? [COST] : []),
    ...(rows.some((row) => row.unchanged) ? [STATE] : []),
  ];
}

const COST: TableColumn<Row> = {
  title: 'Cost',
  of: (row) => (row.cost_usd === null ? '' : dollars(row.cost_usd)),
  right: true,
};

function readSentence(rows: readonly Row[], failed: number, skipped: number): string {
  const unchanged = rows.filter((row) => row.unchanged).length;
  const passages = rows.reduce((total, row) => total + row.passages, 0);
  const files = [
    `${rows.length - unchanged} would be ingested`,
    ...(unchanged > 0 ? [`${unchanged} unchanged`] : []),
    ...(failed > 0 ? [`${failed} would fail`] : []),
    ...(skipped > 0 ? [`${skipped} would be skipped`] : []),
  ];
  return `${files.join(', ')}: ${counted(passages, 'passage')}.`;
}

function requestSentence({
  model,
  calls,
  cached,
  input_tokens,
  output_tokens,
  cost_usd,
}: ReturnType<typeof totalsOf>): string {
  const cost = cost_usd === null ? '' : `, about ${dollars(cost_usd)}`;
  return `${model}: ${calls} calls (${cached} cached), about ${input_tokens} tokens in and ${output_tokens} out${cost}.`;
}

function dollars(amount: number): string {
  return `$${amount.toFixed(4)}`;
}
