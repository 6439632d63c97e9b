import type { Command } from 'commander';
import { given, wholeNumber } from '../../arguments.js';
import type { Cli, CommonOptions } from '../../cli.js';
import { dim, table } from '../../output/output.js';

interface DocumentAnswer {
  readonly source_id: string;
  readonly domain: string;
  readonly kind: string;
  readonly label: string;
  readonly concepts: number;
  readonly edges: number;
  readonly rules: number;
  readonly passages: number;
  readonly updated_at: string;
}

interface DocumentsOptions extends CommonOptions {
  readonly domain?: string;
  readonly limit?: number;
  readonly after?: string;
}

export function documentsCommand(cli: Cli): Command {
  return cli
    .command('documents', 'what was ingested')
    .option('--domain <name>', 'only this domain')
    .option('--limit <n>', 'at most so many', wholeNumber)
    .option('--after <source_id>', 'continue after this one')
    .action((options: DocumentsOptions) => {
      const input = given({ domain: options.domain, limit: options.limit, after: options.after });
      return cli.show<{ documents: readonly DocumentAnswer[]; next: string | null }>(
        { command: 'documents', operation: 'documents', input, options },
        ({ documents, next }) => listing(documents) + (next === null ? '' : `\n${dim(`more: --after ${next}`)}`),
      );
    });
}

/** Formats a page of documents by domain and label, as people look for them. */
function listing(documents: readonly DocumentAnswer[]): string {
  const sorted = [...documents].sort((a, b) => compared(a.domain, b.domain) || compared(a.label, b.label));
  return table(sorted, [
    { title: 'Source', of: (one) => one.source_id },
    { title: 'Domain', of: (one) => one.domain },
    { title: 'Kind', of: (one) => one.kind },
    { title: 'Label', of: (one) => one.label, wide: 1 },
    { title: 'Passages', of: (one) => one.passages, right: true },
    { title: 'Concepts', of: (one) => one.concepts, right: true },
    { title: 'Edges', of: (one) => one.edges, right: true },
    { title: 'Rules', of: (one) => one.rules, right: true },
    { title: 'Updated', of: (one) => one.updated_at.slice(0, 16).replace('T', ' ') },
  ]);
}

function compared(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
