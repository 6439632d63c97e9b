import { CURSOR_INDEX, type VectorEntry } from '../../backends/vector/port.js';
import { SvcError } from '../../core/errors.js';
import type { GraphNode } from '../../core/model.js';
import { hasVector } from '../../core/vectorless.js';
import { countDifferences } from '../../ledger/count-differences.js';
import { fingerprintOf } from '../../ledger/fingerprint.js';
import type {
  ApplyStep,
  EngineCursor,
  Follower,
  RangeDifference,
  SyncOutcome,
  SyncPosition,
  SyncRange,
  SyncStep,
} from '../../ledger/follower.js';
import { documentsIn, type RangeDocument } from '../../ledger/followers/range-records.js';
import type { NodeRecord } from '../../ledger/records.js';
import { embedNodes } from '../index/embed.js';
import { orphanVectors, removeOrphanVectors } from '../index/reindex.js';
import {
  type IndexPorts,
  isStill,
  returnable,
  servingOf,
  writeSentences,
  writeVectors,
} from '../write/sync-indexes.js';
import type { LentVectors } from './lent-vectors.js';

/** The entry whose metadata is the cursor. */
const CURSOR_ID = 'concepts';
const BATCH = 500;

/**
 * Keeps the concept vectors of an engine outside the store in line with the ledger. Such an engine has no transactions
 * over several requests: vectors are written first, as they are at that moment, then the cursor, so that a crash in
 * between only repeats a step.
 */
export class VectorFollower implements Follower {
  readonly name: string;
  readonly onQueryPath = true;
  readonly kinds = ['node'] as const;

  constructor(
    private readonly ports: IndexPorts,
    private readonly lent: LentVectors,
  ) {
    this.name = ports.vectors.kind;
  }

  async cursor(): Promise<EngineCursor | null> {
    const { vectors } = this.ports;
    const { embedding, indexName } = await servingOf(this.ports);
    if (embedding !== null) await this.makeIndex(indexName, embedding.dimension);
    await vectors.createIndex(CURSOR_INDEX, { dimension: 1, metric: 'cosine' });
    const [entry] = await vectors.get(CURSOR_INDEX, [CURSOR_ID]);
    return entry?.metadata === undefined ? null : (entry.metadata as unknown as EngineCursor);
  }

  /** The name says model and dimension: an index of another dimension was made by something else. */
  private async makeIndex(name: string, dimension: number): Promise<void> {
    try {
      await this.ports.vectors.createIndex(name, { dimension, metric: 'cosine' });
    } catch (cause) {
      const found = cause instanceof SvcError && cause.code === 'conflict' ? cause.details?.dimension : undefined;
      if (found === undefined) throw cause;
      const sentence =
        `The index ${name} that ${this.name} holds has dimension ${found}; the model of this service makes vectors of ${dimension}. ` +
        'Something else made it: remove it, or on Qdrant set SVC_QDRANT_PREFIX to one that nothing else has.';
      throw new SvcError('conflict', sentence, { dimension: found }, { cause });
    }
  }

  async move({ from, to }: { readonly from: EngineCursor | null; readonly to: EngineCursor }): Promise<boolean> {
    if (!sameCursor(await this.cursor(), from)) return false;
    await this.save(to);
    return true;
  }

  async apply({ from, to, change, records }: ApplyStep): Promise<boolean> {
    if (!sameCursor(await this.cursor(), from)) return false;
    for (const domain of change.removedDomains.values()) await this.removeDomain(domain);
    const changed = await records.nodes(change.records);
    const fingerprints = fingerprintsOf(changed);
    const ids = [...new Set([...change.removedNodes.values(), ...changed.map((record) => record.id)])];
    await this.writeAll(ids, fingerprints);
    await this.save(to);
    return true;
  }

  async sync({ from, to, range }: SyncStep): Promise<SyncOutcome | null> {
    if (!sameCursor(await this.cursor(), from)) return null;
    const { embedding, indexName } = await servingOf(this.ports);
    if (embedding === null) {
      await this.save(to);
      return { written: 0, rewritten: 0, removed: 0 };
    }
    const listed = withVectors(range);
    const stored = await this.storedPrints(indexName, listed);
    const fingerprints = new Map(listed.map(({ id, fingerprint }) => [id, fingerprint]));
    // What an earlier release wrote has no fingerprint; it was written together with its text.
    const different = listed
      .map(({ id }) => id)
      .filter((id) => !stored.has(id) || (stored.get(id) !== undefined && stored.get(id) !== fingerprints.get(id)));
    await this.writeAll(different, fingerprints);
    const removed = range.upTo === Number.MAX_SAFE_INTEGER ? await removeOrphanVectors(this.ports, indexName) : 0;
    await this.save(to);
    return { written: different.length, rewritten: 0, removed };
  }

  async compare(range: SyncRange): Promise<RangeDifference> {
    const { embedding, indexName } = await servingOf(this.ports);
    if (embedding === null) return { missing: 0, different: 0, stale: 0 };
    const listed = withVectors(range);
    const prints = await this.storedPrints(indexName, listed);
    const last = range.upTo === Number.MAX_SAFE_INTEGER;
    return {
      ...countDifferences(listed, prints, ({ id }) => id),
      stale: last ? (await orphanVectors(this.ports, indexName)).length : 0,
    };
  }

  /** Returns the fingerprints that lie beside vectors; undefined beside those that an earlier release wrote. */
  private async storedPrints(indexName: string, listed: readonly RangeDocument[]): Promise<Map<string, unknown>> {
    const ids = listed.map(({ id }) => id);
    const present = await this.ports.vectors.get(indexName, ids);
    return new Map(present.map((entry) => [entry.id, entry.metadata?.print]));
  }

  private async writeAll(ids: readonly string[], fingerprints: ReadonlyMap<string, string>): Promise<void> {
    for (let start = 0; start < ids.length; start += BATCH) {
      while (!(await this.written(ids.slice(start, start + BATCH), fingerprints))) {
        // The nodes changed while their vectors were made and written: once more.
      }
    }
  }

  /** Writes the vectors of nodes as they are now; false where they changed meanwhile. */
  private async written(ids: readonly string[], fingerprints: ReadonlyMap<string, string>): Promise<boolean> {
    const { ports } = this;
    const { embedding, indexName } = await servingOf(ports);
    const model = embedding?.name ?? null;
    const nodes = returnable(await ports.graph.getNodes(ids));
    const made = await embedNodes(embedding, nodes, this.lent.of(model, nodes));
    const marks = new Map(nodes.map((node) => [node.id, { print: fingerprints.get(node.id) ?? '' }]));
    await writeVectors(ports, { indexName, model }, { nodes, ids, vectors: made, marks });
    return ports.store.write(async (scope) => {
      if (!(await isStill(ports, { nodes, ids, scope }))) return false;
      await writeSentences({ indexName, model }, { nodes, ids, vectors: made, scope });
      return true;
    });
  }

  /** Removes the vectors of a domain; what has come into one of the same name since is written again. */
  private async removeDomain(domain: string): Promise<void> {
    const { ports } = this;
    const { embedding, indexName } = await servingOf(ports);
    if (embedding === null) return;
    await ports.vectors.delete(indexName, { partition: domain });
    for (let after = ''; ; ) {
      const page: GraphNode[] = await ports.graph.findNodes({ domain, after, limit: BATCH });
      await this.writeAll(
        returnable(page).map((node) => node.id),
        new Map(),
      );
      if (page.length < BATCH) return;
      after = page.at(-1)!.id;
    }
  }

  private async save(cursor: EngineCursor): Promise<void> {
    const entry: VectorEntry = { id: CURSOR_ID, vector: [1], metadata: { ...cursor, sync: positionOf(cursor.sync) } };
    await this.ports.vectors.upsert(CURSOR_INDEX, [entry]);
  }
}

/** Returns the fingerprints by node id. */
function fingerprintsOf(records: readonly NodeRecord[]): Map<string, string> {
  return new Map(records.map((record) => [record.id, fingerprintOf('node', record)]));
}

function positionOf(sync: SyncPosition | null): { kind: string; after: number } | null {
  return sync === null ? null : { kind: sync.kind, after: sync.after };
}

function sameCursor(a: EngineCursor | null, b: EngineCursor | null): boolean {
  if (a === null || b === null) return a === b;
  const [from, to] = [a.sync, b.sync];
  if (a.ledger !== b.ledger || a.version !== b.version) return false;
  return from === null || to === null ? from === to : from.kind === to.kind && from.after === to.after;
}

function withVectors(range: SyncRange): RangeDocument[] {
  return documentsIn(range).filter(({ record }) => hasVector(record));
}
