import type { Command } from 'commander';
import { collected, given, wholeNumber } from '../../arguments.js';
import type { Cli, CommonOptions } from '../../cli.js';
import { type Item, itemTable, type Rule, rulesSection } from '../../output/items.js';
import { section } from '../../output/output.js';

interface CompareOptions extends CommonOptions {
  readonly domain?: string[];
  readonly topK?: number;
}

interface CompareAnswer {
  readonly vec_only: { readonly method: string; readonly items: readonly Item[] };
  readonly graph_enhanced: {
    readonly method: string;
    readonly items: readonly Item[];
    readonly rules: readonly Rule[];
  };
  readonly summary: string;
}

export function compareCommand(cli: Cli): Command {
  return cli
    .command('compare', 'graph-enhanced beside vector-only retrieval')
    .argument('<text...>', 'question or context; quotes may be left out')
    .option('--domain <name>', 'only this domain; may be repeated', collected)
    .option('--top-k <n>', 'number of items', wholeNumber)
    .action((words: string[], options: CompareOptions) => {
      const input = given({ context: words.join(' '), domains: options.domain, top_k: options.topK });
      return cli.show<CompareAnswer>({ command: 'compare', operation: 'compare', input, options }, (result) =>
        [
          section(`Vectors only (${result.vec_only.method})`, itemTable(result.vec_only.items)),
          section(
            `With the graph (${result.graph_enhanced.method})`,
            itemTable(result.graph_enhanced.items) + rulesSection(result.graph_enhanced.rules),
          ),
          result.summary,
        ].join('\n\n'),
      );
    });
}
