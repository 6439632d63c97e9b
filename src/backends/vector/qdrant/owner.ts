import type { QdrantClient } from '@qdrant/js-client-rest';
import { SvcError } from '../../../core/errors.js';
import { statusOf } from './status.js';

/** Begins the name of the collection that says which ledger the vectors behind a prefix belong to. */
const OWNER_OF = 'owner-of-';
const POINT = 1;

/**
 * Notes that the vectors behind a prefix belong to a ledger; throws `conflict` where they belong to another one. Services
 * of two ledgers behind one prefix would answer from each other's vectors, and each would remove what it does not know.
 */
export async function claimPrefix(client: QdrantClient, prefix: string, ledger: string): Promise<void> {
  const name = `${OWNER_OF}${prefix}`;
  const owner = await ownerOf(client, name);
  if (owner === ledger) return;
  if (owner !== null) throw taken(prefix);
  const { collections } = await client.getCollections();
  const others = collections.flatMap((one) => (one.name.startsWith(OWNER_OF) ? [one.name.slice(OWNER_OF.length)] : []));
  const within = others.find((other) => other !== prefix && (other.startsWith(prefix) || prefix.startsWith(other)));
  if (within !== undefined) {
    throw new SvcError(
      'conflict',
      `The prefix "${prefix}" of this service's collections and "${within}" of another one's begin alike, so one would take in the other; set SVC_QDRANT_PREFIX to one that differs at its beginning.`,
    );
  }
  await client.createCollection(name, { vectors: { size: 1, distance: 'Dot' } }).catch((error: unknown) => {
    // Another process was quicker by a moment.
    if (statusOf(error) !== 409) throw error;
  });
  await client.upsert(name, { wait: true, points: [{ id: POINT, vector: [1], payload: { ledger } }] });
  if ((await ownerOf(client, name)) !== ledger) throw taken(prefix);
}

async function ownerOf(client: QdrantClient, name: string): Promise<string | null> {
  try {
    const [point] = await client.retrieve(name, { ids: [POINT], with_payload: true });
    const ledger = point?.payload?.ledger;
    return typeof ledger === 'string' ? ledger : null;
  } catch (error) {
    if (statusOf(error) === 404) return null;
    throw error;
  }
}

function taken(prefix: string): SvcError {
  return new SvcError(
    'conflict',
    `Qdrant holds vectors of a service with another data directory or store behind the prefix "${prefix}": set SVC_QDRANT_PREFIX to one that no other service has. Where that service is gone, remove the collections whose names begin with "${prefix}" and "${OWNER_OF}${prefix}".`,
  );
}
