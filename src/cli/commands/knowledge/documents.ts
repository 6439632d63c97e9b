import type { Command } from 'commander';
import { groupBy } from '../../../core/group-by.js';
import { counted } from '../../../core/wording/counted.js';
import { given, wholeNumber } from '../../arguments.js';
import { type Cli, type CommonOptions, checkedInput } from '../../cli.js';
import type { Connection } from '../../connection.js';
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

interface DocumentsAnswer {
  readonly documents: readonly DocumentAnswer[];
  readonly next: string | null;
}

interface DocumentsOptions extends CommonOptions {
  readonly all?: boolean;
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
    .option('--all', 'also each row of a database; otherwise the rows of a table stand together')
    .action(async (options: DocumentsOptions) => {
      const { domain, limit, after, all } = options;
      if (limit === undefined && after === undefined && all !== true && options.json !== true) {
        const read = (connection: Connection) => grouped(connection, domain);
        checkedInput('documents', given({ domain }));
        cli.print(await cli.withConnection('documents', options, read, { onlyReads: true }), options, overview);
        return;
      }
      const input = given({ domain, limit, after });
      await cli.show<DocumentsAnswer>(
        { command: 'documents', operation: 'documents', input, options },
        ({ documents, next }) => listing(documents) + more(next),
      );
    });
}

/** Documents that are listed at once. */
const SHOWN = 1000;
const PAGE = 10_000;
/** The label of a row, `shop: main.customer 17`, and that of what a table itself asserts, `shop: table main.customer`. */
const OF_TABLE = /^(?<source>.*?: )table (?<table>.*)$/su;
const OF_ROW = /^(?<table>.*?: \S+) /su;

interface Overview {
  readonly documents: readonly DocumentAnswer[];
  /** What the rows of each table are together; `source_id` says how many. */
  readonly tables: readonly DocumentAnswer[];
  readonly next: string | null;
}

/** Reads all sources: the documents, the first of many, and the rows of databases by their table. */
async function grouped(connection: Connection, domain: string | undefined): Promise<Overview> {
  const documents: DocumentAnswer[] = [];
  const rows: DocumentAnswer[] = [];
  for (let after: string | null | undefined; after !== null; ) {
    const page = (await connection.call('documents', given({ domain, after, limit: PAGE }))) as DocumentsAnswer;
    for (const one of page.documents) {
      if (one.kind === 'row') rows.push(one);
      else if (documents.length <= SHOWN) documents.push(one);
    }
    after = page.next;
  }
  const shown = documents.slice(0, SHOWN);
  return { documents: shown, tables: tablesOf(rows), next: documents.length > SHOWN ? shown.at(-1)!.source_id : null };
}

/** Joins the rows of each table to one line, with the table itself. */
function tablesOf(rows: readonly DocumentAnswer[]): DocumentAnswer[] {
  const names = new Set(rows.flatMap(({ label }) => tableIn(label) ?? []));
  return [
    ...groupBy(rows, ({ domain, label }) => JSON.stringify([domain, tableIn(label) ?? tableOfRow(label, names)])),
  ].map(([key, of]) => {
    const [domain, label] = JSON.parse(key) as [string, string];
    const sum = (count: (one: DocumentAnswer) => number): number => of.reduce((total, one) => total + count(one), 0);
    return {
      source_id: counted(of.filter((one) => tableIn(one.label) === undefined).length, 'row'),
      domain,
      kind: 'table',
      label,
      concepts: sum((one) => one.concepts),
      edges: sum((one) => one.edges),
      rules: sum((one) => one.rules),
      passages: sum((one) => one.passages),
      updated_at: of
        .map((one) => one.updated_at)
        .sort()
        .at(-1)!,
    };
  });
}

function tableIn(label: string): string | undefined {
  const { source, table: name } = OF_TABLE.exec(label)?.groups ?? {};
  return name === undefined ? undefined : `${source}${name}`;
}

/** Returns the table of a row: the longest known name that its label begins with, since names and keys may hold spaces. */
function tableOfRow(label: string, names: ReadonlySet<string>): string {
  for (let at = label.lastIndexOf(' '); at > 0; at = label.lastIndexOf(' ', at - 1))
    if (names.has(label.slice(0, at))) return label.slice(0, at);
  return OF_ROW.exec(label)?.groups?.table ?? label;
}

function overview({ documents, tables, next }: Overview): string {
  const note = tables.length === 0 ? '' : `\n${dim('The rows of a table stand together; --all lists each.')}`;
  return listing([...documents, ...tables]) + note + more(next);
}

function more(next: string | null): string {
  return next === null ? '' : `\n${dim(`more: --after ${next}`)}`;
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
