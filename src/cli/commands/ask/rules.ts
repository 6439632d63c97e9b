import type { Command } from 'commander';
import { collected, decimalNumber, given, wholeNumber } from '../../arguments.js';
import type { Cli, CommonOptions } from '../../cli.js';
import { type Rule, ruleTable } from '../../output/items.js';
import { dim } from '../../output/output.js';

interface RulesOptions extends CommonOptions {
  readonly domain?: string[];
  readonly category?: string[];
  readonly minConfidence?: number;
  readonly derived: boolean;
  readonly limit?: number;
  readonly offset?: number;
}

interface Listed {
  readonly rules: readonly Rule[];
  readonly total: number;
  readonly warnings?: readonly string[];
}

export function rulesCommand(cli: Cli): Command {
  return cli
    .command('rules', 'explicit and derived rules')
    .option('--domain <name>', 'only this domain; may be repeated', collected)
    .option('--category <name>', 'only this category; may be repeated', collected)
    .option('--min-confidence <n>', '0 to 1', decimalNumber)
    .option('--no-derived', 'explicit rules only')
    .option('--limit <n>', 'rules to show at most (default 100)', wholeNumber)
    .option('--offset <n>', 'rules to skip', wholeNumber)
    .action((options: RulesOptions) => {
      const input = given({
        domains: options.domain,
        categories: options.category,
        min_confidence: options.minConfidence,
        include_derived: options.derived ? undefined : false,
        limit: options.limit,
        offset: options.offset,
      });
      return cli.show<Listed>(
        { command: 'rules', operation: 'rules', input, options },
        ({ rules, total, warnings = [] }) => {
          for (const warning of warnings) cli.warn(warning);
          return ruleTable(rules) + remainder(rules.length + (options.offset ?? 0), total);
        },
      );
    });
}

/** Says how to see the rest of a page. */
function remainder(shown: number, total: number): string {
  return shown >= total ? '' : `\n${dim(`${shown} of ${total} rules; more with --offset ${shown}`)}`;
}
