import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { PprSeed } from '../../src/backends/graph/port.js';
import type { ConceptAssertion, EdgeAssertion, Manifest } from '../../src/core/model.js';
import { seededRandom } from '../../src/core/random.js';

const DATA = join(process.env.BENCH_DATA ?? join('..', 'shared', 'data'), 'graphs');

/** A published graph: distinct undirected edges without loops, nodes numbered from 0. */
export interface Network {
  readonly name: string;
  readonly nodes: number;
  readonly edges: ReadonlyArray<readonly [number, number]>;
}

/** A small network that resembles published ones: newcomers link to random endpoints of earlier edges. */
export function madeNetwork(name: string, nodes: number): Network {
  const random = seededRandom(name);
  const endpoints = [0, 1];
  const edges: Array<readonly [number, number]> = [[0, 1]];
  for (let node = 2; node < nodes; node += 1) {
    const chosen = new Set(Array.from({ length: 3 }, () => endpoints[Math.floor(random() * endpoints.length)]!));
    for (const other of chosen) {
      edges.push([node, other]);
      endpoints.push(node, other);
    }
  }
  return { name, nodes, edges };
}

export function isThere(name: string): boolean {
  return existsSync(join(DATA, `${name}.txt.gz`));
}

/** Reads an edge list of SNAP; `part` keeps that share of it (the first lines). */
export function network(name: string, part: number): Network {
  if (!isThere(name)) throw new Error(`${name}.txt.gz is not in ${DATA}; set BENCH_DATA to the folder of the data.`);
  const lines = gunzipSync(readFileSync(join(DATA, `${name}.txt.gz`)))
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const numbers = new Map<string, number>();
  const numberOf = (node: string): number => {
    const known = numbers.get(node);
    if (known !== undefined) return known;
    numbers.set(node, numbers.size);
    return numbers.size - 1;
  };
  const seen = new Set<number>();
  const edges: Array<readonly [number, number]> = [];
  for (const line of lines.slice(0, Math.ceil(lines.length * part))) {
    const [from = '', to = ''] = line.trim().split(/\s+/);
    const [u, v] = [numberOf(from), numberOf(to)];
    const key = Math.min(u, v) * 2 ** 26 + Math.max(u, v);
    if (u === v || seen.has(key)) continue;
    seen.add(key);
    edges.push([u, v]);
  }
  return { name, nodes: numbers.size, edges };
}

const DOMAIN = 'g';
const EDGES = 20_000;

export const nodeId = (node: number): string => `${DOMAIN}:n${node}`;

/** The network as sources of some ten thousand edges each, with the nodes that they need first. */
export function* manifests({ name, edges }: Network): Generator<Manifest> {
  const present = new Set<number>();
  for (let start = 0; start < edges.length; start += EDGES) {
    const concepts: ConceptAssertion[] = [];
    const asserted: EdgeAssertion[] = [];
    for (const [u, v] of edges.slice(start, start + EDGES)) {
      for (const node of [u, v]) {
        if (present.has(node)) continue;
        present.add(node);
        concepts.push({ id: `n${node}`, name: `Node ${node}` });
      }
      asserted.push({ source: `n${u}`, target: `n${v}`, relation: 'LINKS' });
    }
    yield {
      domain: DOMAIN,
      source: { domain: DOMAIN, kind: 'structured', key: `${name}-${start}`, label: `${name} from ${start}` },
      content_hash: `${name}-${start}-${edges.length}`,
      concepts,
      edges: asserted,
      rules: [],
      passages: [],
      warnings: [],
    };
  }
}

/** The same random seeds for every peer: node numbers that occur in an edge, all of one weight. */
export function seedSets(net: Network, { seeds, sets }: { readonly seeds: number; readonly sets: number }): number[][] {
  const random = seededRandom(`seeds of ${net.name}`);
  return Array.from({ length: sets }, () => {
    const chosen = new Set<number>();
    while (chosen.size < Math.min(seeds, net.nodes)) chosen.add(Math.floor(random() * net.nodes));
    return [...chosen];
  });
}

export function asSeeds(nodes: readonly number[]): PprSeed[] {
  return nodes.map((node) => ({ id: nodeId(node), weight: 1 }));
}
