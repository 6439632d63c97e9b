import type { Command } from 'commander';
import { nodeNotFound, type StandIn, SvcError } from '../../../core/errors.js';
import type { MessageFields } from '../../../core/model.js';
import type { NamedNode, NamedNodes } from '../../../retrieval/named.js';
import { readableName } from '../../../retrieval/present/content.js';
import { collected, given, wholeNumber } from '../../arguments.js';
import { type Cli, type CommonOptions, checkedInput, UsageError } from '../../cli.js';
import type { Connection } from '../../connection.js';
import { type Rule, rulesSection } from '../../output/items.js';
import { decimal, facts, section, shortened, table } from '../../output/output.js';

/** Nodes that a refusal lists at most. */
const SHOWN = 10;

interface Node {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly domain: string;
  readonly confidence: number;
  readonly properties: { readonly message?: MessageFields };
}

export interface ExploreAnswer {
  readonly node: Node | null;
  readonly edges: ReadonlyArray<{ source_id: string; target_id: string; relation_type: string; confidence: number }>;
  readonly neighbors: readonly Node[];
  readonly rules: readonly Rule[];
  readonly truncated?: true;
  readonly merged_into?: StandIn;
}

interface ExploreOptions extends CommonOptions {
  readonly domain?: string[];
  readonly depth?: number;
}

export function exploreCommand(cli: Cli): Command {
  return cli
    .command('explore', 'a node, its edges and neighbours')
    .argument('<node_id>', 'id of the node, as query shows it, or its name')
    .option('--domain <name>', 'only what is of this domain; may be repeated', collected)
    .option('--depth <hops>', '1 to 3', wholeNumber)
    .action(async (nodeId: string, options: ExploreOptions) => {
      const input = { node_id: nodeId, ...given({ depth: options.depth }) };
      checkedInput('explore', input);
      const found = await cli.withConnection(
        'explore',
        options,
        (connection) => explored(connection, input, options.domain),
        { onlyReads: true },
      );
      cli.print(options.domain === undefined ? found : withinDomains(found, options.domain), options, human);
    });
}

/** Returns what is of some domains; throws `node_not_found` for a node of another one. */
export function withinDomains(found: ExploreAnswer, domains: readonly string[]): ExploreAnswer {
  const { node, edges, neighbors, rules } = found;
  if (node !== null && !domains.includes(node.domain))
    throw new SvcError('node_not_found', `Node ${node.id} is of domain ${node.domain}; give --domain ${node.domain}.`);
  const kept = neighbors.filter(({ domain }) => domains.includes(domain));
  const ids = new Set([node?.id, ...kept.map(({ id }) => id)]);
  return {
    ...found,
    edges: edges.filter(({ source_id, target_id }) => ids.has(source_id) && ids.has(target_id)),
    neighbors: kept,
    rules: rules.filter(({ domain }) => domains.includes(domain)),
  };
}

interface ExploreInput {
  readonly node_id: string;
  readonly depth?: number;
}

/**
 * Explores the node of an id, or the one of a name. Throws `node_not_found` where there is none, with the concept that it was merged
 * into, or the nodes whose names are the nearest; a usage error where several nodes have the name.
 */
async function explored(
  connection: Connection,
  input: ExploreInput,
  domains: readonly string[] | undefined,
): Promise<ExploreAnswer> {
  const found = (await connection.call('explore', input)) as ExploreAnswer;
  if (found.node !== null || found.merged_into !== undefined) return orThrow(found, input.node_id);
  const id = await idOfName(connection, input.node_id, domains);
  return orThrow((await connection.call('explore', { ...input, node_id: id })) as ExploreAnswer, id);
}

function orThrow(found: ExploreAnswer, nodeId: string): ExploreAnswer {
  if (found.node === null) throw nodeNotFound(nodeId, found.merged_into);
  return found;
}

/** Returns the id of the one node that has a name. */
async function idOfName(connection: Connection, name: string, domains: readonly string[] | undefined): Promise<string> {
  const { nodes, truncated, nearest } = (await connection.call('nodes_named', given({ name, domains }))) as NamedNodes;
  const [one, ...others] = nodes;
  if (one !== undefined && others.length === 0) return one.id;
  const quoted = JSON.stringify(name);
  if (one !== undefined) {
    const count = truncated === true ? `more than ${nodes.length}` : nodes.length;
    const more = nodes.length > SHOWN || truncated === true ? ', …' : '';
    throw new UsageError(`${quoted} names ${count} nodes; give the id of one: ${listed(nodes)}${more}.`);
  }
  // The id of a node begins with its domain.
  if (name.includes(':') && nearest.length === 0) throw nodeNotFound(name);
  const help =
    nearest.length === 0
      ? 'give the id that `svc query` shows below an item'
      : `the nearest names are those of ${listed(nearest)}`;
  throw new SvcError('node_not_found', `No node has the id or name ${quoted}; ${help}.`);
}

/** Returns nodes as a refusal names them. */
function listed(nodes: readonly NamedNode[]): string {
  return nodes
    .slice(0, SHOWN)
    .map(({ id, name, domain, kind }) => `${id} (${shortened(name, 80)}, ${kind} in ${domain})`)
    .join(', ');
}

function human({ node, edges, neighbors, rules, truncated }: ExploreAnswer): string {
  const named = (one: Node) => readableName({ ...one, passage: one.properties });
  const names = new Map([...(node === null ? [] : [node]), ...neighbors].map((one) => [one.id, named(one)]));
  const nameOf = (id: string) => names.get(id) ?? id;
  return (
    [
      facts([
        ['Node', node === null ? undefined : named(node)],
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
          { title: 'Name', of: named, wide: 1 },
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
