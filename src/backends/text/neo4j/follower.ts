import { countDifferences, toWrite } from '../../../ledger/count-differences.js';
import { fingerprintOf } from '../../../ledger/fingerprint.js';
import type {
  ApplyStep,
  EngineCursor,
  Follower,
  RangeDifference,
  SyncOutcome,
  SyncRange,
  SyncStep,
} from '../../../ledger/follower.js';
import { documentsIn, isDocument, type RangeDocument } from '../../../ledger/followers/range-records.js';
import type { NodeRecord } from '../../../ledger/records.js';
import { holdCursor, moveCursor, readCursor } from '../../neo4j-connection/cursor.js';
import { isTooLarge, tooLarge } from '../../neo4j-connection/errors.js';
import type { Neo4jConnection, Neo4jTransaction } from '../../neo4j-connection.js';
import { int } from '../../neo4j-connection.js';
import { replaceDocuments, storedOf } from './write.js';

/** Name of the engine, in status and as the key of its cursor. */
export const NEO4J_TEXT = 'neo4j-text';
/** Documents that one transaction removes with their domain. */
const REMOVED = 5000;

/** Keeps the documents of Neo4j's full-text index in line with the ledger. */
export class Neo4jTextFollower implements Follower {
  readonly name = NEO4J_TEXT;
  readonly onQueryPath = true;
  readonly kinds = ['node'] as const;

  constructor(
    private readonly connection: Neo4jConnection,
    private readonly options: { readonly language: string; readonly ready: () => Promise<void> },
  ) {}

  async cursor(): Promise<EngineCursor | null> {
    await this.options.ready();
    return readCursor(this.connection, NEO4J_TEXT);
  }

  async move({ from, to }: { readonly from: EngineCursor | null; readonly to: EngineCursor }): Promise<boolean> {
    return (await this.step({ from, to }, async () => true)) ?? false;
  }

  async apply({ from, to, change, records }: ApplyStep): Promise<boolean> {
    for (const domain of change.removedDomains.values()) {
      if (!(await this.removeDomain(from, domain))) return false;
    }
    const nodes = await records.nodes(change.records);
    const done = await this.step({ from, to }, async (tx) => {
      const ids = [...change.removedNodes.values(), ...nodes.map((node) => node.id)];
      await this.write(tx, ids, nodes);
      return true;
    });
    return done ?? false;
  }

  async sync({ from, to, range }: SyncStep): Promise<SyncOutcome | null> {
    return this.step({ from, to }, async (tx) => {
      const listed = documentsIn(range);
      const prints = printsOf(await tx.run<Stored>(STORED, { ids: listed.map(({ id }) => id) }));
      const { records, written, rewritten } = toWrite(listed, prints, ({ id }) => id);
      await this.write(
        tx,
        records.map(({ id }) => id),
        records.map(({ record }) => record),
      );
      // Documents without a number are of an earlier release: those that the ledger has get one above, the rest goes.
      const obsolete = await tx.run<{ id: string }>(OBSOLETE, bounds(range, listed));
      const ids = obsolete.map((row) => row.id);
      await this.write(tx, ids, []);
      return { written, rewritten, removed: ids.length };
    });
  }

  async compare(range: SyncRange): Promise<RangeDifference> {
    const listed = documentsIn(range);
    const prints = printsOf(await this.connection.read<Stored>(STORED, { ids: listed.map(({ id }) => id) }));
    const obsolete = await this.connection.read<{ id: string }>(OBSOLETE, bounds(range, listed));
    return { ...countDifferences(listed, prints, ({ id }) => id), stale: obsolete.length };
  }

  /** Runs one transaction that moves the cursor; null where it does not stand at `from`. */
  private async step<T>(
    { from, to }: { readonly from: EngineCursor | null; readonly to: EngineCursor },
    work: (tx: Neo4jTransaction) => Promise<T>,
  ): Promise<T | null> {
    try {
      return await this.connection.transact(async (tx) => {
        if ((await holdCursor(tx, NEO4J_TEXT, from)) === null) return null;
        const done = await work(tx);
        moveCursor(tx, NEO4J_TEXT, { to });
        return done;
      });
    } catch (error) {
      // Less at once may do: the step is divided.
      throw isTooLarge(error) ? tooLarge(error) : error;
    }
  }

  /** Removes a domain's documents in transactions of their own, which may be repeated; false where the cursor moved. */
  private async removeDomain(from: EngineCursor, domain: string): Promise<boolean> {
    for (;;) {
      const removed = await this.connection.transact(async (tx) => {
        if ((await holdCursor(tx, NEO4J_TEXT, from)) === null) return null;
        const rows = await tx.run<{ id: string }>(
          'MATCH (d:TextDocument {domain: $domain}) RETURN d.id AS id LIMIT $limit',
          { domain, limit: int(REMOVED) },
        );
        await this.write(
          tx,
          rows.map((row) => row.id),
          [],
        );
        return rows.length;
      });
      if (removed === null) return false;
      if (removed < REMOVED) return true;
    }
  }

  /** Replaces the documents of these ids by those of the nodes that have text. */
  private async write(tx: Neo4jTransaction, ids: readonly string[], nodes: readonly NodeRecord[]): Promise<void> {
    if (ids.length === 0) return;
    const documents = nodes.filter(isDocument).map(async (node) => {
      const doc = { id: node.id, domain: node.domain_name, title: node.name, text: node.description };
      const stored = await storedOf(doc, this.options.language);
      return { ...stored, ref: int(node.ref), print: fingerprintOf('node', node) };
    });
    const docs = await Promise.all(documents);
    await replaceDocuments(tx, [...new Set(ids)], docs);
  }
}

interface Stored {
  readonly id: string;
  readonly print: string | null;
  readonly [member: string]: unknown;
}

const STORED = 'UNWIND $ids AS id MATCH (d:TextDocument {id: id}) RETURN d.id AS id, d.print AS print';
const OBSOLETE = `MATCH (d:TextDocument) WHERE d.ref > $after AND ($last OR d.ref <= $upTo) AND NOT d.ref IN $refs RETURN d.id AS id
  UNION MATCH (d:TextDocument) WHERE $last AND d.ref IS NULL RETURN d.id AS id`;

function printsOf(stored: readonly Stored[]): Map<string, string | null> {
  return new Map(stored.map(({ id, print }) => [id, print]));
}

function bounds({ after, upTo }: SyncRange, listed: readonly RangeDocument[]) {
  const last = upTo === Number.MAX_SAFE_INTEGER;
  return {
    after: int(after),
    upTo: int(last ? after : upTo),
    last,
    refs: listed.map(({ record }) => int(record.ref)),
  };
}
