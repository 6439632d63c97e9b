import { stopIfAborted } from '../../core/async/abort.js';
import { SvcError } from '../../core/errors.js';
import { manifestOf } from '../../ledger/manifest/exported.js';
import type { Store } from '../store/scope.js';
import { type Step, stepsOf, Together } from './copy/replay.js';
import { allVersions, Destination } from './import/destination.js';
import { differenceOf, digestOf } from './import/digest.js';
import { stampOf } from './import/stamp.js';
import type { GraphBackend } from './port.js';

export interface ImportRequest {
  readonly from: string;
  /** Default: the kind that is configured. */
  readonly to?: string;
  /** Empties a destination that holds something else. */
  readonly replace?: boolean;
  readonly signal?: AbortSignal;
  readonly progress?: (done: number, total: number | undefined, message: string) => void;
}

export interface ImportResult {
  readonly from: string;
  readonly to: string;
  readonly sources: number;
  readonly nodes: number;
  readonly edges: number;
  readonly rules: number;
  /** Over what both graphs say; the same on both sides. */
  readonly checksum: string;
  /** True where an interrupted import went on. */
  readonly resumed: boolean;
  readonly duration_seconds: number;
}

/** Sources read at a time, and things written at a time. */
const READ = 100;
const SIZE = 5000;
const ROUNDS = 5;
const CANCELLED = 'The import was cancelled; start it again and it goes on from here.';

/**
 * Moves a whole graph to another kind: what each source asserts is written again, in the order in which it was first
 * written, so that the same of several assertions is seen. An interrupted import goes on where it stopped; at the end
 * both graphs are compared.
 */
export class GraphImports {
  constructor(
    private readonly options: {
      readonly store: Store;
      /** The graph that serves. */
      readonly current: GraphBackend;
      /** Opens another kind, connected; `invalid_input` or `unavailable` where it cannot be. */
      readonly open: (kind: string) => Promise<GraphBackend>;
      /** Lets nothing else replace the graph meanwhile. */
      readonly exclusive: <T>(work: () => Promise<T>) => Promise<T>;
      /** Brings text index and vectors in line after the graph that serves was replaced. */
      readonly follow: (progress: ImportRequest['progress']) => Promise<unknown>;
    },
  ) {}

  async run(request: ImportRequest): Promise<ImportResult> {
    const { current } = this.options;
    const [from, to] = [request.from, request.to ?? current.kind];
    if (from === to) throw new SvcError('invalid_input', `from and to are both ${from}; name two kinds.`);
    return this.options.exclusive(async () => {
      const opened: GraphBackend[] = [];
      const graph = async (kind: string): Promise<GraphBackend> => {
        if (kind === current.kind) return current;
        const other = await this.options.open(kind);
        opened.push(other);
        return other;
      };
      try {
        const ends = { source: await graph(from), destination: await graph(to) };
        return await this.copy(`${from}-${to}`, ends, request);
      } finally {
        for (const other of opened) await other.disconnect();
      }
    });
  }

  private async copy(
    id: string,
    { source, destination: graph }: { source: GraphBackend; destination: GraphBackend },
    request: ImportRequest,
  ): Promise<ImportResult> {
    const started = performance.now();
    const { store } = this.options;
    const from = await stampOf(source);
    const sources = await allVersions(source);
    const replace = request.replace === true;
    const destination = await Destination.begin({ store, id, graph, from, sources, replace });
    await makeDomains(source, destination);
    const steps = stepsOf(sources);
    await copySteps({ source, destination, request }, steps, destination.done);
    await catchUp({ source, destination, request });
    request.progress?.(steps.length, steps.length, 'comparing both graphs');
    const [there, here] = [await digestOf(source), await digestOf(graph)];
    const difference = differenceOf(there, here);
    if (difference !== null) {
      throw new SvcError(
        'conflict',
        `The graphs differ after the import: ${difference}. If something wrote to either meanwhile, stop it and import again.`,
      );
    }
    if (graph === this.options.current) await this.options.follow(request.progress);
    await destination.finish();
    const sum = (count: 'edge_count' | 'rule_count'): number => here.domains.reduce((all, one) => all + one[count], 0);
    return {
      from: source.kind,
      to: graph.kind,
      sources: here.sources,
      nodes: here.nodes,
      edges: sum('edge_count'),
      rules: sum('rule_count'),
      checksum: here.checksum,
      resumed: destination.resumed,
      duration_seconds: Math.round(performance.now() - started) / 1000,
    };
  }
}

interface Copy {
  readonly source: GraphBackend;
  readonly destination: Destination;
  readonly request: ImportRequest;
}

/** Writes steps, from the given one on. Those of the whole graph count; `counted: false` for what came later. */
async function copySteps(
  { source, destination, request }: Copy,
  steps: readonly Step[],
  first: number,
  counted = true,
): Promise<void> {
  let together = new Together();
  const write = async (next: number): Promise<void> => {
    const { manifests } = together;
    const done = counted ? next : destination.done;
    if (manifests.length > 0) await destination.write(() => destination.graph.ingestManifests(manifests), done);
    together = new Together();
    request.progress?.(next, steps.length, 'sources written');
  };
  for (let at = first; at < steps.length; at += READ) {
    stopIfAborted(request.signal, CANCELLED);
    const part = steps.slice(at, at + READ);
    const exported = await source.exportSources([...new Set(part.map((step) => step.source_id))]);
    const byId = new Map(exported.map((one) => [one.source_id, one]));
    for (const [i, step] of part.entries()) {
      const found = byId.get(step.source_id);
      if (found === undefined) continue;
      const manifest = manifestOf(found, step);
      if (!together.add(manifest, step)) {
        await write(at + i);
        together.add(manifest, step);
      }
      if (together.size >= SIZE) await write(at + i + 1);
    }
  }
  await write(steps.length);
}

/** Sources that came, changed or went while the graph was copied, until nothing did. */
async function catchUp({ source, destination, request }: Copy): Promise<void> {
  const { graph } = destination;
  let copied = destination.from.version;
  for (let round = 0; round < ROUNDS; round += 1) {
    const now = await source.version();
    if (now === copied) return;
    const there = await allVersions(source);
    const here = new Map((await allVersions(graph)).map((one) => [one.source_id, one.content_hash]));
    await makeDomains(source, destination);
    const missed = stepsOf(there.filter((one) => here.get(one.source_id) !== one.content_hash));
    await copySteps({ source, destination, request }, missed, 0, false);
    for (const { source_id } of there) here.delete(source_id);
    for (const gone of here.keys()) await destination.write(() => graph.forgetSource(gone));
    const domains = new Set((await source.listDomains()).map((domain) => domain.name));
    for (const { name } of await graph.listDomains()) {
      if (!domains.has(name)) await destination.deleteDomain(name);
    }
    copied = now;
  }
}

async function makeDomains(source: GraphBackend, destination: Destination): Promise<void> {
  for (const { name, description } of await source.listDomains()) {
    await destination.write(() => destination.graph.createDomain(name, description));
  }
}
