import type { Integer } from 'neo4j-driver';
import type { Neo4jTransaction } from '../../neo4j-connection.js';
import { int } from '../../neo4j-connection.js';
import { readDocument } from '../bm25.js';
import type { TextDoc } from '../port.js';
import { domainToken } from './lucene.js';

export interface Stored {
  readonly id: string;
  readonly domain: string;
  readonly domain_token: string;
  /** Stems, each as often as it counts: what Lucene indexes and what scores are made from. */
  readonly stems: string;
  readonly length: number;
  /** Row number and fingerprint of the record that it was made from. */
  readonly ref?: Integer;
  readonly print?: string;
}

/** Returns what is stored of a document. */
export async function storedOf(doc: TextDoc, language: string): Promise<Stored> {
  const { length, counts } = await readDocument(doc, language).terms();
  const stems: string[] = [];
  for (const [stem, count] of counts) for (let i = 0; i < count; i += 1) stems.push(stem);
  const { id, domain } = doc;
  return { id, domain, domain_token: domainToken(domain), stems: stems.join(' '), length };
}

/**
 * Replaces the documents of these ids by `docs`, and keeps the counts of their domains. The counts follow from what is
 * there before, so running it again after a lost answer changes nothing.
 */
export async function replaceDocuments(
  tx: Neo4jTransaction,
  ids: readonly string[],
  docs: readonly Stored[],
): Promise<void> {
  // One node that all writers lock first: counts never mix, and two writers never wait for each other in a circle.
  await tx.run('MERGE (m:TextMeta {id: 1}) SET m.writes = coalesce(m.writes, 0) + 1');
  const before = await tx.run<{ id: string; domain: string; length: number }>(
    'UNWIND $ids AS id MATCH (d:TextDocument {id: id}) RETURN d.id AS id, d.domain AS domain, d.length AS length',
    { ids },
  );
  const changes = new Map<string, { documents: number; length: number }>();
  const count = ({ domain, length }: { domain: string; length: number }, sign: number): void => {
    const change = changes.get(domain) ?? { documents: 0, length: 0 };
    changes.set(domain, { documents: change.documents + sign, length: change.length + sign * length });
  };
  for (const row of before) count(row, -1);
  for (const doc of docs) count(doc, 1);
  const kept = new Set(docs.map((doc) => doc.id));
  const removed = before.map((row) => row.id).filter((id) => !kept.has(id));
  if (removed.length > 0)
    await tx.run('UNWIND $ids AS id MATCH (d:TextDocument {id: id}) DETACH DELETE d', { ids: removed });
  if (docs.length > 0) {
    await tx.run(
      `UNWIND $docs AS doc MERGE (d:TextDocument {id: doc.id})
       SET d.domain = doc.domain, d.domain_token = doc.domain_token, d.stems = doc.stems, d.length = doc.length,
         d.ref = doc.ref, d.print = doc.print`,
      { docs: docs.map((doc) => ({ ref: null, print: null, ...doc, length: int(doc.length) })) },
    );
  }
  await tx.run(
    `UNWIND $changes AS change MERGE (t:TextDomain {name: change.domain})
     SET t.documents = coalesce(t.documents, 0) + change.documents, t.length = coalesce(t.length, 0) + change.length`,
    {
      changes: [...changes].map(([domain, { documents, length }]) => ({
        domain,
        documents: int(documents),
        length: int(length),
      })),
    },
  );
}
