import { relative } from 'node:path';
import type { Command } from 'commander';
import { errorBody, toSvcError } from '../../../core/errors.js';
import { given } from '../../arguments.js';
import { type Cli, type CommonOptions, checkedInput, UsageError } from '../../cli.js';
import type { Connection } from '../../connection.js';
import { red, shortened, table, yellow } from '../../output/output.js';
import { Progress } from '../../output/progress.js';
import { filesToIngest } from '../../walk.js';
import { ingestSeeds } from './ingest-seeds.js';

interface Options extends CommonOptions {
  readonly domain?: string;
  readonly type?: string;
}

interface Ingested {
  readonly concepts: number;
  readonly edges: number;
  readonly rules: number;
  readonly passages: number;
  readonly warnings: readonly string[];
  readonly unchanged?: boolean;
}

interface Outcome {
  readonly path: string;
  readonly result?: Ingested;
  readonly failure?: { readonly error: string; readonly code: string };
}

export function ingestCommand(cli: Cli): Command {
  return cli
    .command('ingest', 'ingest files, and directories with all below them')
    .argument('<paths...>', 'text, Markdown, PDF, HTML or DOCX files, or directories')
    .option('--domain <name>', 'domain to ingest into; a rule set may do without')
    .option('--type <type>', 'text, markdown, pdf, html, docx or seed (a rule set); by the extension when omitted')
    .action(async (paths: string[], options: Options) => {
      if (options.type === 'seed') return ingestSeeds(cli, paths, options);
      if (options.domain === undefined) throw new UsageError('--domain is missing; name the domain to ingest into.');
      const files = await filesToIngest(paths);
      if (files.length === 0)
        throw new UsageError('There is no file to ingest; readable are text, Markdown, PDF, HTML and DOCX.');
      checkedInput('ingest', inputFor(files[0]!, options));
      const outcomes = await cli.withConnection('ingest', options, (connection) => all(files, options, connection));
      cli.print({ files: outcomes }, options, () => human(outcomes));
      if (outcomes.some((outcome) => outcome.failure !== undefined)) cli.exitCode = 1;
    });
}

function inputFor(path: string, options: Options): Record<string, unknown> {
  return given({ source_path: path, domain: options.domain, source_type: options.type });
}

async function all(files: readonly string[], options: Options, connection: Connection): Promise<Outcome[]> {
  const progress = new Progress(options.json === true);
  const outcomes: Outcome[] = [];
  try {
    for (const [i, path] of files.entries()) {
      const report = (done: number, total: number | undefined) =>
        progress.update(i + (total === undefined || total === 0 ? 0 : done / total), files.length, relative('.', path));
      report(0, undefined);
      outcomes.push(await one(path, options, { connection, report }));
    }
  } finally {
    progress.stop();
  }
  return outcomes;
}

async function one(
  path: string,
  options: Options,
  { connection, report }: { connection: Connection; report: (done: number, total: number | undefined) => void },
): Promise<Outcome> {
  try {
    return {
      path,
      result: (await connection.call('ingest', inputFor(path, options), { progress: report })) as Ingested,
    };
  } catch (error) {
    return { path, failure: errorBody(toSvcError(error)) };
  }
}

function human(outcomes: readonly Outcome[]): string {
  const rows = table(outcomes, [
    { title: 'File', of: ({ path }) => relative('.', path), wide: 1 },
    { title: 'Passages', of: ({ result }) => result?.passages, right: true },
    { title: 'Concepts', of: ({ result }) => result?.concepts, right: true },
    { title: 'Edges', of: ({ result }) => result?.edges, right: true },
    { title: 'Rules', of: ({ result }) => result?.rules, right: true },
    {
      title: '',
      of: ({ result, failure }) =>
        failure !== undefined ? red('failed') : result?.unchanged === true ? 'unchanged' : 'ingested',
    },
  ]);
  const remarks = outcomes.flatMap(({ path, result, failure }) => [
    ...(failure === undefined ? [] : [`${red(relative('.', path))}: ${failure.error}`]),
    ...(result?.warnings ?? []).map((warning) => `${yellow(relative('.', path))}: ${shortened(warning)}`),
  ]);
  return [rows, ...remarks].join('\n');
}
