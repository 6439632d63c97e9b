import type { Command } from 'commander';
import { collected, decimalNumber, given, wholeNumber } from '../../arguments.js';
import type { Cli, CommonOptions } from '../../cli.js';
import { type Item, itemList, type Rule, relevantItems, ruleList } from '../../output/items.js';
import { dim, section } from '../../output/output.js';

/** What is shown unless `--top-k` says otherwise. */
const ITEMS = 5;
const RULES = 3;

/** Below this score an item hardly ever answers the question: scores are calibrated probabilities. */
const LIKELY = 0.1;

/** Items shown where none is likely to answer. */
const NEAREST = 3;

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
    .argument('<text>', 'question or context')
    .option('--domain <name>', 'only this domain; may be repeated', collected)
    .option('--mode <mode>', 'auto, vec or graph')
    .option('--top-k <n>', `number of items (default ${ITEMS})`, wholeNumber)
    .option('--min-confidence <score>', 'only items with at least this score', decimalNumber)
    .action((context: string, options: QueryOptions) => {
      const { domain, mode, topK, minConfidence } = options;
      const input = given({ context, domains: domain, mode, top_k: topK ?? ITEMS, min_confidence: minConfidence });
      return cli.show<QueryAnswer>({ command: 'query', operation: 'query', input, options }, (answer) =>
        answer.items.length === 0 ? nothingFound(cli.config(options).data.dir) : found(answer, topK === undefined),
      );
    });
}

/** Formats an answer; without a number of items asked for, those far below the best are left out, with their rules. Says so where nothing is likely to answer. */
function found({ items, rules, query_id }: QueryAnswer, isBrief: boolean): string {
  const best = items[0]?.score ?? 0;
  const isWeak = best < LIKELY;
  const shown = isBrief ? relevantItems(items).slice(0, isWeak ? NEAREST : items.length) : items;
  const left = items.length - shown.length;
  const least = shown.at(-1)?.score ?? 0;
  const applying = isWeak ? [] : rules.filter(({ relevance }) => relevance >= least).slice(0, RULES);
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
    ...(applying.length === 0 ? [] : [section('Rules that apply', ruleList(applying))]),
    dim(`query ${query_id}`),
  ].join('\n\n');
}

/** Says where the query looked, and what to do. */
function nothingFound(directory: string): string {
  return [
    `Nothing was found in the data directory ${directory}.`,
    'Ingest something first (`svc ingest <files or folder> --domain <name>`), or name another directory with --data-dir.',
  ].join('\n');
}
