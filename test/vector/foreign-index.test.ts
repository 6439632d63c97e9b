import { expect, it } from '@jest/globals';
import { MemoryVectors } from '../../src/backends/vector/memory.js';
import { LentVectors } from '../../src/ingest/follow/lent-vectors.js';
import { VectorFollower } from '../../src/ingest/follow/vector-follower.js';
import type { IndexPorts } from '../../src/ingest/write/sync-indexes.js';

it('an index of another dimension in the place of the own one is refused with what to do', async () => {
  const vectors = new MemoryVectors();
  await vectors.createIndex('concepts_m_4', { dimension: 3 });
  const ports = { vectors, embedding: { dimension: 4 }, indexName: 'concepts_m_4' } as unknown as IndexPorts;
  const outcome = new VectorFollower(ports, new LentVectors()).cursor();
  await expect(outcome).rejects.toMatchObject({ code: 'conflict', details: { dimension: 3 } });
  await expect(outcome).rejects.toThrow(
    'The index concepts_m_4 that memory holds has dimension 3; the model of this service makes vectors of 4. ' +
      'Something else made it: remove it, or on Qdrant set SVC_QDRANT_PREFIX to one that nothing else has.',
  );
});
