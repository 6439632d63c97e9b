import type { Command } from 'commander';
import { someOf } from '../../../core/wording/some-of.js';
import { collected, decimalNumber, given, wholeNumber } from '../../arguments.js';
import type { Cli, CommonOptions } from '../../cli.js';
import { countingNote } from '../../output/counts.js';
import { foreignNote } from '../../output/foreign.js';
import {
  applyingRules,
  type Item,
  itemList,
  meantTime,
  type Rule,
  relevantItems,
  ruleList,
} from '../../output/items.js';
import { dim, section } from '../../output/output.js';
import { visible } from '../../output/visible.js';

/** What is shown unless `--top-k` says otherwise. */
const ITEMS = 5;
const RULES = 3;

/** Below this score an item hardly ever answers the question: scores are calibrated probabilities. */
const LIKELY = 0.1;

/** Names of domains in a sentence. */
const SHOWN = 5;

/** Items shown where none is likely to answer. */
const NEAREST = 3;

const WORDS = 'Try other words, or ingest what would answer.';

interface QueryOptions extends CommonOptions {
  readonly domain?: string[];
  readonly mode?: string;
  readonly topK?: number;
  readonly minConfidence?: number;
}

interface QueryAnswer {
  readonly query_id: string;
  readonly items: readonly Item[];
  readonly rules: readonly Rule[];
}

export function queryCommand(cli: Cli): Command {
  return cli
    .command('query', 'retrieve what is known about a text')
    .argument('<text...>', 'question or context; quotes may be left out')
    .option('--domain <name>', 'only this domain; may be repeated', collected)
    .option('--mode <mode>', 'auto, vec or graph')
    .option('--top-k <n>', `number of items (default ${ITEMS})`, wholeNumber)
    .option('--min-confidence <score>', 'only items with at least this score, 0 to 1', decimalNumber)
    .action(async (words: string[], options: QueryOptions) => {
      const context = words.join(' ');
      const { domain, mode, topK, minConfidence } = options;
      const input = given({ context, domains: domain, mode, top_k: topK ?? ITEMS, min_confidence: minConfidence });
      const answer = await cli.answerOf<QueryAnswer>({ command: 'query', operation: 'query', input, options });
      const isEmpty = answer.items.length === 0 && options.json !== true;
      const text = isEmpty ? await nothingFound(cli, context, options) : '';
      const foreign = foreignNote([context, answer.items[0]?.content ?? ''], cli.config(options).embedding.kind);
      cli.print(answer, options, (shown) => (isEmpty ? text : found(shown, { ...options, context }, foreign)));
    });
}

/** Formats an answer; `foreign` says that it is not about English texts. Without a number of items asked for, those far below the best are left out, with their rules. Says so where nothing is likely to answer. */
function found(
  { items, rules, query_id }: QueryAnswer,
  { topK, mode, context }: QueryOptions & { readonly context: string },
  foreign: string | undefined,
): string {
  const isBrief = topK === undefined;
  const best = items[0]?.score ?? 0;
  // The score of mode vec is a cosine, which tells of likeness alone.
  const isLow = best < LIKELY && mode !== 'vec';
  // A low score tells little where the model does not read the language.
  const isWeak = isLow && foreign === undefined;
  const shown = isBrief ? relevantItems(items).slice(0, isWeak ? NEAREST : items.length) : items;
  const left = items.length - shown.length;
  const applying = isLow ? [] : applyingRules(rules, shown, context).slice(0, RULES);
  const meant = meantTime(shown);
  const counting = countingNote(context);
  return [
    ...(isWeak ? [`Nothing here is likely to answer this (best score ${best.toFixed(2)}). The nearest:`] : []),
    itemList(shown),
    ...(left === 0
      ? []
      : [
          dim(
            `${left} ${isWeak ? 'more' : 'far below the best'} left out; --top-k ${ITEMS} shows ${left === 1 ? 'it' : 'them'}.`,
          ),
        ]),
    ...(isWeak
      ? [dim(`A score is the probability, 0 to 1, that an item answers; below ${LIKELY} it hardly ever does. ${WORDS}`)]
      : []),
    ...(meant === undefined ? [] : [dim(meant)]),
    ...(isLow && counting !== undefined ? [dim(counting)] : []),
    ...(isLow && foreign !== undefined ? [dim(foreign)] : []),
    ...(applying.length === 0 ? [] : [section('Rules that apply', ruleList(applying))]),
    dim(`query ${query_id}`),
  ].join('\n\n');
}

/** Says whether there is nothing at all, nothing that matches or nothing that is good enough, where the query looked, and what to do. */
async function nothingFound(cli: Cli, context: string, options: QueryOptions): Promise<string> {
  const directory = visible(cli.config(options).data.dir);
  const call = { command: 'query', operation: 'domains', input: {}, options };
  const { domains } = await cli.answerOf<{ domains: ReadonlyArray<{ name: string }> }>(call);
  if (domains.length === 0) {
    return [
      `There is nothing in the data directory ${directory} yet.`,
      'Ingest something first (`svc ingest <files or folder> --domain <name>`), or name another directory with --data-dir.',
    ].join('\n');
  }
  const best = await bestScore(cli, context, options);
  if (best !== undefined) {
    const enough = Math.floor(best * 100) / 100;
    return [
      `No item has a score of ${options.minConfidence} or more; the best has ${best.toFixed(2)}.`,
      `A lower --min-confidence${enough > 0 ? `, such as ${enough},` : ''} shows it; without the option the best are shown.`,
    ].join('\n');
  }
  // Here nothing is below --min-confidence; elsewhere there may be.
  const limits =
    options.domain === undefined ? [] : ['--domain', ...((options.minConfidence ?? 0) > 0 ? ['--min-confidence'] : [])];
  const names = (options.domain ?? domains.map(({ name }) => name)).map(visible);
  return [
    `Nothing matches this in ${someOf(names, SHOWN)}, in the data directory ${directory}.`,
    `Ask in other words${limits.length === 0 ? '' : `, or without ${limits.join(' and ')}`}.`,
  ].join('\n');
}

/** Returns the best score that there is below the one that was asked for; undefined where there is none. */
async function bestScore(cli: Cli, context: string, options: QueryOptions): Promise<number | undefined> {
  if ((options.minConfidence ?? 0) <= 0) return undefined;
  // A comparison is not logged as a query.
  const input = given({ context, domains: options.domain, top_k: 1 });
  const call = { command: 'query', operation: 'compare', input, options };
  const { vec_only, graph_enhanced } =
    await cli.answerOf<Record<'vec_only' | 'graph_enhanced', { items: Item[] }>>(call);
  return (options.mode === 'vec' ? vec_only : graph_enhanced).items[0]?.score;
}
