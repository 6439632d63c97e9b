import { writeFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { seedText } from '../../../interop/seeds.js';
import { collected, decimalNumber, given, wholeNumber } from '../../arguments.js';
import { type Cli, type CommonOptions, UsageError } from '../../cli.js';
import { yellow } from '../../output/output.js';
import { visible, visibleText } from '../../output/visible.js';

interface ProjectOptions extends CommonOptions {
  readonly persona: string;
  readonly domain?: string[];
  readonly domains?: string[];
  readonly target: string;
  readonly ruleVersion?: number;
  readonly categories?: string[];
  readonly minConfidence?: number;
  readonly explicitOnly?: boolean;
  readonly variant?: string;
  readonly llm?: boolean;
  readonly pending?: boolean;
  readonly signal: boolean;
  readonly output?: string;
}

interface Projected {
  readonly rule_count: number;
  readonly ruleset?: unknown;
  readonly content?: string;
  readonly path?: string;
  readonly warnings: readonly string[];
}

/** Makes `project`: rules as a file, to standard output, a path, or the pending directory. */
export function projectCommand(cli: Cli): Command {
  return cli
    .command('project', 'write the rules of domains as a rule-set file')
    .requiredOption('--persona <name>', 'whom the rules are for')
    .option('--domain <names>', 'only these domains, separated by commas; may be repeated', names)
    .option('--domains <names>', 'the same', names)
    .addOption(
      new Option('--target <format>', 'rule set, flat YAML, AGENTS.md or SKILL.md')
        .choices(['seed', 'yaml', 'agents', 'skill'])
        .default('seed'),
    )
    .option('--rule-version <n>', 'version of the rule set', wholeNumber)
    .option('--categories <names>', 'only rules of these categories, separated by commas; may be repeated', names)
    .option('--min-confidence <n>', 'only rules at least this sure, 0 to 1', decimalNumber)
    .option('--explicit-only', 'no rules of edges')
    .option('--variant <name>', 'how rules of edges read: imperative, conditional or declarative')
    .option('--llm', 'enrich by the configured language model')
    .option('--pending', 'write into the pending directory, for a consumer to take in')
    .option('--no-signal', 'with --pending: append no event')
    .option('--output <file>', 'write to this file instead of standard output')
    .action(async (options: ProjectOptions) => {
      const domains = [...(options.domain ?? []), ...(options.domains ?? [])];
      const input = given({
        persona: options.persona,
        domains: domains.length === 0 ? undefined : [...new Set(domains)],
        target: options.target,
        version: options.ruleVersion,
        categories: options.categories,
        min_confidence: options.minConfidence,
        include_derived: options.explicitOnly === true ? false : undefined,
        variant: options.variant,
        llm: options.llm,
        pending: options.pending,
        emit_signal: options.signal ? undefined : false,
      });
      await cli.show({ command: 'project', operation: 'project', input, options }, (projected: Projected, exact) =>
        written(cli, { projected, exact }, options),
      );
    });
}

/** Writes what was projected where it was asked for: exactly into a file, without controls to standard output. */
function written(
  cli: Cli,
  { projected, exact }: { readonly projected: Projected; readonly exact: Projected },
  { output }: ProjectOptions,
): string {
  const warnings = projected.warnings.map((warning) => `${yellow('Warning:')} ${warning}`);
  const count = projected.rule_count === 1 ? '1 rule' : `${projected.rule_count} rules`;
  if (projected.path !== undefined) return [`${count}, waiting in ${projected.path}`, ...warnings].join('\n');
  const text = exact.content ?? seedText(exact.ruleset);
  if (output === undefined) {
    for (const warning of exact.warnings) cli.warn(warning);
    return visibleText(text.trimEnd());
  }
  try {
    writeFileSync(output, text);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(
      `--output ${visible(output)} cannot be written (${code}); name a file in a folder that is there.`,
    );
  }
  return [`${count} in ${visible(output)}`, ...warnings].join('\n');
}

function names(text: string, before: string[] | undefined): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .reduce<string[]>((all, name) => collected(name, all), before ?? []);
}
