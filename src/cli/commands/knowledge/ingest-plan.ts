import { relative } from 'node:path';
import { toSvcError } from '../../../core/errors.js';
import { isForTools } from '../../../ingest/read/file-type.js';
import { given } from '../../arguments.js';
import type { Cli, CommonOptions } from '../../cli.js';
import type { Connection } from '../../connection.js';
import { dim, red, type TableColumn, table } from '../../output/output.js';
import type { Walk } from '../../walk.js';

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
 * Prints which requests an ingest of these files would make to the language model; makes none and writes nothing. Throws what `nothing` returns where a job
 * would find no file.
 */
export async function planFiles(
  cli: Cli,
  { files, named, skipped, nothing }: Pick<Walk, 'files' | 'named' | 'skipped'> & { readonly nothing: () => Error },
  options: IngestPlanOptions,
): Promise<void> {
  const left: string[] = [];
  const plan = async (connection: Connection): Promise<Planned[]> => {
    const found: Planned[] = [];
    const again = await knownBefore(connection, skipped.filter(isForTools), options.domain);
    if (files.length + again.size === 0) throw nothing();
    left.push(...skipped.filter((path) => !again.has(path)));
    for (const path of [...files, ...again]) {
      const input = given({ source_path: path, domain: options.domain, source_type: options.type });
      try {
        found.push({ path, plan: (await connection.call('ingest_plan', input)) as IngestPlan });
      } catch (error) {
        const { details } = toSvcError(error);
        const isNone = details?.skipped === true || details?.empty === true;
        if (isNone && !named.has(path)) left.push(path);
        else found.push({ path, failure: cli.errorOf(error) });
      }
    }
    return found;
  };
  const planned = await cli.withConnection('ingest', options, plan, { onlyReads: true });
  const plans = planned.flatMap(({ plan }) => (plan === undefined ? [] : [plan]));
  const totals = totalsOf(plans);
  cli.print({ files: planned, skipped: left, totals }, options, (shown) => human(shown.files, shown.totals));
  if (plans.length < planned.length) cli.exitCode = 1;
}

/** Returns the files that are written for programs and were ingested: a job reads them again with their directory. */
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

function human(planned: readonly Planned[], totals: ReturnType<typeof totalsOf>): string {
  const failures = planned.flatMap(({ path, failure }) =>
    failure === undefined ? [] : [`${red('failed')} ${relative('.', path) || path}  ${failure.error}`],
  );
  if (totals.model === null) {
    return [
      ...failures,
      'No language model reads documents here; no request would be made. Set SVC_LLM for that.',
    ].join('\n');
  }
  const rows = planned.flatMap(({ path, plan }) => (plan === undefined ? [] : [{ path, ...plan }]));
  const columns: TableColumn<(typeof rows)[number]>[] = [
    { title: 'File', of: (row) => relative('.', row.path) || row.path, wide: 1 },
    { title: 'Passages', of: (row) => row.passages, right: true },
    { title: 'Chunks', of: (row) => row.chunks, right: true },
    { title: 'Cached', of: (row) => row.cached, right: true },
    { title: 'Calls', of: (row) => row.calls, right: true },
    { title: 'Tokens in', of: (row) => row.input_tokens, right: true },
    { title: 'Tokens out', of: (row) => row.output_tokens, right: true },
  ];
  // A column that would be empty in every row is left out.
  if (rows.some((row) => row.cost_usd !== null)) {
    columns.push({ title: 'Cost', of: (row) => (row.cost_usd === null ? '' : dollars(row.cost_usd)), right: true });
  }
  if (rows.some((row) => row.unchanged)) {
    columns.push({ title: 'State', of: (row) => (row.unchanged ? 'unchanged' : '') });
  }
  const { model, calls, cached, input_tokens, output_tokens, cost_usd } = totals;
  const cost = cost_usd === null ? '' : `, about ${dollars(cost_usd)}`;
  const total = `${model}: ${calls} calls (${cached} cached), about ${input_tokens} tokens in and ${output_tokens} out${cost}.`;
  return [...failures, table(rows, columns), '', total, dim('Estimates; nothing was requested or written.')].join('\n');
}

function dollars(amount: number): string {
  return `$${amount.toFixed(4)}`;
}
