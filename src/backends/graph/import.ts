import { stopIfAborted } from '../../core/abort.js';
import { SvcError } from '../../core/errors.js';
import type { Store } from '../store/scope.js';
import { manifestOf, type SourceVersions } from './exported.js';
import { cursors } from './import/cursor.js';
import { differenceOf, digestOf } from './import/digest.js';
import type { GraphBackend } from './port.js';
import { type Step, stepsOf, Together } from './replay.js';

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
const PAGE = 1000;
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
    { source, destination }: { source: GraphBackend; destination: GraphBackend },
    request: ImportRequest,
  ): Promise<ImportResult> {
    const started = performance.now();
    const { store } = this.options;
    const version = await source.version();
    const cursor = await cursors.read(store.db, id);
    const resumed = cursor !== null && cursor.version === version;
    if (!resumed) {
      await emptied(destination, { ours: cursor !== null, replace: request.replace === true });
      await cursors.write(store, id, { version, done: 0 });
    }
    for (const domain of await source.listDomains()) {
      await destination.createDomain(domain.name, domain.description);
    }
    const sources = await allVersions(source);
    const steps = stepsOf(sources);
    await this.replay({ source, destination, request, steps, done: resumed ? cursor.done : 0 }, (done) =>
      cursors.write(store, id, { version, done }),
    );
    await catchUp({ source, destination, request, version }, (missed) =>
      this.replay({ source, destination, request, steps: missed, done: 0 }, () => Promise.resolve()),
    );
    request.progress?.(steps.length, steps.length, 'comparing both graphs');
    const [there, here] = [await digestOf(source), await digestOf(destination)];
    const difference = differenceOf(there, here);
    if (difference !== null) {
      throw new SvcError(
        'conflict',
        `The graphs differ after the import: ${difference}. If something wrote to either meanwhile, stop it and import again.`,
      );
    }
    if (destination === this.options.current) await this.options.follow(request.progress);
    await cursors.remove(store, id);
    const sum = (count: 'edge_count' | 'rule_count'): number => here.domains.reduce((all, one) => all + one[count], 0);
    return {
      from: source.kind,
      to: destination.kind,
      sources: here.sources,
      nodes: here.nodes,
      edges: sum('edge_count'),
      rules: sum('rule_count'),
      checksum: here.checksum,
      resumed,
      duration_seconds: Math.round(performance.now() - started) / 1000,
    };
  }

  private async replay(work: Replay, saved: (done: number) => Promise<void>): Promise<void> {
    const { steps, request, destination } = work;
    let together = new Together();
    let done = work.done;
    const write = async (next: number): Promise<void> => {
      if (together.manifests.length > 0) await destination.ingestManifests(together.manifests);
      together = new Together();
      done = next;
      await saved(done);
      request.progress?.(done, steps.length, 'sources written');
    };
    for (let at = done; at < steps.length; at += READ) {
      stopIfAborted(request.signal, CANCELLED);
      const part = steps.slice(at, at + READ);
      const exported = await work.source.exportSources([...new Set(part.map((step) => step.source_id))]);
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
}

interface Replay {
  readonly source: GraphBackend;
  readonly destination: GraphBackend;
  readonly request: ImportRequest;
  readonly steps: readonly Step[];
  readonly done: number;
}

/** Sources that came, changed or went while the graph was copied, until nothing did. */
async function catchUp(
  { source, destination, version }: Pick<Replay, 'source' | 'destination' | 'request'> & { version: number },
  replay: (steps: Step[]) => Promise<void>,
): Promise<void> {
  let copied = version;
  for (let round = 0; round < ROUNDS; round += 1) {
    const now = await source.version();
    if (now === copied) return;
    const there = await allVersions(source);
    const here = new Map((await allVersions(destination)).map((one) => [one.source_id, one.content_hash]));
    for (const { name, description } of await source.listDomains()) await destination.createDomain(name, description);
    await replay(stepsOf(there.filter((one) => here.get(one.source_id) !== one.content_hash)));
    for (const { source_id } of there) here.delete(source_id);
    for (const gone of here.keys()) await destination.forgetSource(gone);
    const domains = new Set((await source.listDomains()).map((domain) => domain.name));
    for (const { name } of await destination.listDomains())
      if (!domains.has(name)) await destination.deleteDomain(name);
    copied = now;
  }
}

async function allVersions(graph: GraphBackend): Promise<SourceVersions[]> {
  const all: SourceVersions[] = [];
  for (let after: string | undefined; ; ) {
    const page = await graph.sourceVersions({ limit: PAGE, ...(after === undefined ? {} : { after }) });
    all.push(...page);
    if (page.length < PAGE) return all;
    after = page.at(-1)!.source_id;
  }
}

/** An import begins with nothing there, but for what an import that cannot go on left. */
async function emptied(
  destination: GraphBackend,
  { ours, replace }: { readonly ours: boolean; readonly replace: boolean },
): Promise<void> {
  const domains = await destination.listDomains();
  if (domains.length > 0 && !ours && !replace) {
    throw new SvcError(
      'conflict',
      `The ${destination.kind} graph holds ${domains.length} domain(s) already; pass replace (--replace) to empty it first.`,
    );
  }
  for (const { name } of domains) await destination.deleteDomain(name);
}
