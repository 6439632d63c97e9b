import type { Command } from 'commander';
import type { Cli, CommonOptions } from '../../cli.js';
import { table } from '../../output/output.js';

interface Domain {
  readonly name: string;
  readonly concept_count: number;
  readonly edge_count: number;
  readonly rule_count: number;
}

export function domainsCommand(cli: Cli): Command {
  return cli.command('domains', 'domains and their sizes').action((options: CommonOptions) =>
    cli.show<{ domains: readonly Domain[] }>(
      { command: 'domains', operation: 'domains', input: {}, options },
      ({ domains }) =>
        table(domains, [
          { title: 'Domain', of: (one) => one.name, wide: 1 },
          { title: 'Concepts', of: (one) => one.concept_count, right: true },
          { title: 'Edges', of: (one) => one.edge_count, right: true },
          { title: 'Rules', of: (one) => one.rule_count, right: true },
        ]),
    ),
  );
}
