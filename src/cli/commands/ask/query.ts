import type { Command } from 'commander';
import { collected, decimalNumber, given, wholeNumber } from '../../arguments.js';
import type { Cli, CommonOptions } from '../../cli.js';
import { type Item, itemTable, type Rule, rulesSection } from '../../output/items.js';
import { dim } from '../../output/output.js';

interface Options extends CommonOptions {
  readonly domain?: string[];
  readonly mode?: string;
  readonly topK?: number;
  readonly minConfidence?: number;
}

interface Answer {
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
    .option('--top-k <n>', 'number of items', wholeNumber)
    .option('--min-confidence <score>', 'only items with at least this score', decimalNumber)
    .action((context: string, options: Options) => {
      const { domain, mode, topK, minConfidence } = options;
      const input = given({ context, domains: domain, mode, top_k: topK, min_confidence: minConfidence });
      return cli.show<Answer>({ command: 'query', operation: 'query', input, options }, (answer) =>
        [itemTable(answer.items), rulesSection(answer.rules), `\n${dim(`query ${answer.query_id}`)}`].join(''),
      );
    });
}
