import { describe, expect, it } from '@jest/globals';
import type { VectorBackend } from '../../src/backends/vector/port.js';
import { seededRandom } from '../../src/core/random.js';
import type { VectorFixture } from './vector.contract.js';

const CLIENTS = 20;
const DIMENSION = 16;

type State = Map<string, { vector: number[]; round: number }>;

/** Many clients, each with ids of its own, write and delete at once; in the end each finds its last acknowledged writes. */
export function vectorSoakContract(name: string, open: () => Promise<VectorFixture>, seconds: number): void {
  describe(`vector soak: ${name}`, () => {
    it('results in the state of each client’s last acknowledged writes', async () => {
      const { backend, close } = await open();
      await backend.createIndex('soak', { dimension: DIMENSION });
      const until = Date.now() + seconds * 1000;
      const states = await Promise.all(Array.from({ length: CLIENTS }, (_, i) => client(backend, i, until)));
      const expected = new Map(states.flatMap((state) => [...state]));
      expect((await backend.describeIndex('soak')).count).toBe(expected.size);
      const ids = [...expected.keys()];
      const found = await backend.get('soak', ids);
      expect(found.length).toBe(ids.length);
      for (const entry of found) {
        expect([...entry.vector]).toEqual(expected.get(entry.id)!.vector);
        expect(entry.metadata).toMatchObject({ round: expected.get(entry.id)!.round });
      }
      for (const [id, { vector }] of [...expected].slice(0, 20)) {
        const [hit] = await backend.query('soak', { vector, topK: 1 });
        expect(hit?.id).toBe(id);
      }
      await close();
    });
  });
}

async function client(backend: VectorBackend, number: number, until: number): Promise<State> {
  const random = seededRandom(number);
  const state: State = new Map();
  for (let round = 0; Date.now() < until; round += 1) {
    const ids = Array.from({ length: 1 + Math.floor(random() * 6) }, () => `c${number}-${Math.floor(random() * 40)}`);
    const action = random();
    if (action < 0.6) {
      const entries = [...new Set(ids)].map((id) => ({
        id,
        vector: vector(random),
        metadata: { client: number, round },
      }));
      await backend.upsert('soak', entries);
      for (const entry of entries) state.set(entry.id, { vector: entry.vector, round });
    } else if (action < 0.8) {
      await backend.delete('soak', { ids });
      for (const id of ids) state.delete(id);
    } else if (action < 0.9) {
      const known = ids.filter((id) => state.has(id));
      await backend.update('soak', { ids: known }, { metadata: { round } });
      for (const id of known) state.set(id, { vector: state.get(id)!.vector, round });
    } else {
      const hits = await backend.query('soak', { vector: vector(random), topK: 10 });
      expect(new Set(hits.map((hit) => hit.id)).size).toBe(hits.length);
    }
  }
  return state;
}

function vector(random: () => number): number[] {
  return Array.from({ length: DIMENSION }, () => Math.fround(random() * 2 - 1));
}
