import type { Command } from 'commander';
import { collected, decimalNumber, given } from '../../arguments.js';
import type { Cli, CommonOptions } from '../../cli.js';
import { type Rule, ruleTable } from '../../output/items.js';

interface Options extends CommonOptions {
  readonly domain?: string[];
  readonly category?: string[];
  readonly minConfidence?: number;
  readonly derived: boolean;
}

export function rulesCommand(cli: Cli): Command {
  return cli
    .command('rules', 'explicit and derived rules')
    .option('--domain <name>', 'only this domain; may be repeated', collected)
    .option('--category <name>', 'only this category; may be repeated', collected)
    .option('--min-confidence <n>', '0 to 1', decimalNumber)
    .option('--no-derived', 'explicit rules only')
    .action((options: Options) => {
      const input = given({
        domains: options.domain,
        categories: options.category,
        min_confidence: options.minConfidence,
        include_derived: options.derived ? undefined : false,
      });
      return cli.show<{ rules: readonly Rule[] }>(
        { command: 'rules', operation: 'rules', input, options },
        ({ rules }) => ruleTable(rules),
      );
    });
}
