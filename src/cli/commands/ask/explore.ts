import type { Command } from 'commander';
import { SvcError } from '../../../core/errors.js';
import { given, wholeNumber } from '../../arguments.js';
import { type Cli, type CommonOptions, checkedInput } from '../../cli.js';
import type { Connection } from '../../connection.js';
import { type Rule, rulesSection } from '../../output/items.js';
import { decimal, facts, section, shortened, table } from '../../output/output.js';

interface Node {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly domain: string;
  readonly confidence: number;
}

interface ExploreAnswer {
  readonly node: Node | null;
  readonly edges: ReadonlyArray<{ source_id: string; target_id: string; relation_type: string; confidence: number }>;
  readonly neighbors: readonly Node[];
  readonly rules: readonly Rule[];
  readonly truncated?: true;
}

export function exploreCommand(cli: Cli): Command {
  return cli
    .command('explore', 'a node, its edges and neighbours')
    .argument('<node_id>', 'id of the node, as query shows it')
    .option('--depth <hops>', '1 to 3', wholeNumber)
    .action(async (nodeId: string, options: CommonOptions & { depth?: number }) => {
      const input = given({ node_id: nodeId, depth: options.depth });
      checkedInput('explore', input);
      const found = await cli.withConnection('explore', options, (connection) => explored(connection, input, nodeId), {
        onlyReads: true,
      });
      cli.print(found, options, human);
    });
}

/** Throws `node_not_found` for an absent node, which names the concept that it was merged into, if it was. */
async function explored(
  connection: Connection,
  input: Record<string, unknown>,
  nodeId: string,
): Promise<ExploreAnswer> {
  const found = (await connection.call('explore', input)) as ExploreAnswer;
  if (found.node !== null) return found;
  const into = await standInOf(connection, nodeId).catch(() => undefined);
  const hint = into === undefined ? '' : ` now: it was merged into ${into.name}, ${into.id}`;
  throw new SvcError('node_not_found', `Node ${nodeId} does not exist${hint}.`);
}

interface MergePage {
  readonly merges: ReadonlyArray<{ from_id: string; into_id: string; into_name: string; undone_at: string | null }>;
  readonly next: string | null;
}

/** Returns the concept at the end of the merges that begin with this one; undefined where there is none. */
async function standInOf(connection: Connection, nodeId: string): Promise<{ id: string; name: string } | undefined> {
  const merged = new Map<string, { id: string; name: string }>();
  let after: string | null | undefined;
  while (after !== null) {
    const input = given({ domain: nodeId.split(':')[0], after });
    const { merges, next } = (await connection.call('entities_merges', input)) as MergePage;
    for (const { from_id, into_id, into_name, undone_at } of merges) {
      if (undone_at === null) merged.set(from_id, { id: into_id, name: into_name });
    }
    after = next;
  }
  let last = merged.get(nodeId);
  for (let steps = 0; steps < merged.size; steps += 1) last = merged.get(last?.id ?? '') ?? last;
  return last;
}

function human({ node, edges, neighbors, rules, truncated }: ExploreAnswer): string {
  const names = new Map([node, ...neighbors].map((one) => [one?.id, one?.name]));
  const nameOf = (id: string) => names.get(id) ?? id;
  return (
    [
      facts([
        ['Node', node?.name],
        ['Id', node?.id],
        ['Domain', node?.domain],
        ['Description', shortened(node?.description ?? '', 400)],
      ]),
      section(
        'Edges',
        table(edges, [
          { title: 'Source', of: (edge) => nameOf(edge.source_id), wide: 1 },
          { title: 'Relation', of: (edge) => edge.relation_type },
          { title: 'Target', of: (edge) => nameOf(edge.target_id), wide: 1 },
          { title: 'Confidence', of: (edge) => decimal(edge.confidence), right: true },
        ]),
      ),
      section(
        'Neighbours',
        table(neighbors, [
          { title: 'Name', of: (one) => one.name, wide: 1 },
          { title: 'Description', of: (one) => shortened(one.description, 160), wide: 2 },
          { title: 'Id', of: (one) => one.id },
        ]),
      ),
      ...(truncated === true
        ? ['There are more neighbours or rules; explore those shown, or with a smaller depth.']
        : []),
    ].join('\n\n') + rulesSection(rules)
  );
}
