import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { EmbeddedBackend } from '../../src/backends/graph/embedded.js';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import type { Store } from '../../src/backends/store/scope.js';
import { SvcError } from '../../src/core/errors.js';
import type { EditBody } from '../../src/ledger/edits/edit-types.js';
import { D, id, source, templates } from '../contracts/graph/fixture.js';
import { idOfSource, ingest, type Step as Load, NAMES, sourceSpec } from '../contracts/graph/worlds.js';

const DOMAINS = [D, 'd2'];
const domain = fc.constantFrom(...DOMAINS);
const name = fc.constantFrom(...NAMES);
const key = fc.constantFrom('a', 'b', 'c', 'e');

type Step =
  | (Load & { readonly domain: string })
  | { readonly do: 'edit'; readonly domain: string; readonly a: string; readonly b: string; readonly way: Way }
  | { readonly do: 'merge'; readonly domain: string; readonly a: string; readonly b: string }
  | { readonly do: 'undo' | 'clear' | 'save' | 'restore'; readonly domain: string };

const WAYS = ['name', 'description', 'add', 'remove'] as const;
type Way = (typeof WAYS)[number];

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('ingest'), spec: sourceSpec, append: fc.boolean(), domain }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('forget'), key, domain }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('edit'), a: name, b: name, way: fc.constantFrom(...WAYS), domain }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('merge'), a: name, b: name, domain }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('undo', 'clear', 'save', 'restore'), domain }) },
) as fc.Arbitrary<Step>;

/** What a history refers to: the checkpoints and edits made so far. */
interface Made {
  readonly saved: string[];
  readonly edits: string[];
}

function edited(given: Step & { do: 'edit' }): EditBody {
  const [a, b] = [id(given.a, given.domain), id(given.b, given.domain)];
  switch (given.way) {
    case 'name':
      return { type: 'change_concept', id: a, name: `${given.b} anew` };
    case 'description':
      return { type: 'change_concept', id: a, description: `Of ${given.b}.` };
    case 'add':
      return { type: 'add_edge', source: a, target: b, relation: 'USES' };
    default:
      return { type: 'remove_edge', source: a, target: b, relation: 'USES' };
  }
}

async function take(graph: EmbeddedBackend, given: Step, made: Made): Promise<void> {
  switch (given.do) {
    case 'ingest':
      await ingest(graph, given.domain, given.spec, given.append);
      return;
    case 'forget':
      await graph.forgetSource(idOfSource(given.domain, given.key));
      return;
    case 'edit': {
      const { edit } = await graph.edits.make(given.domain, { body: edited(given), before: {} });
      made.edits.push(edit.edit_id);
      return;
    }
    case 'merge': {
      const [from_id, into_id] = [id(given.a, given.domain), id(given.b, given.domain)];
      await graph.merges.make(given.domain, { from_id, into_id, method: 'manual', score: 1 });
      return;
    }
    case 'undo': {
      const edit = made.edits.pop();
      if (edit !== undefined) await graph.edits.undo(edit);
      return;
    }
    case 'clear':
      await graph.deleteDomain(given.domain);
      return;
    case 'save':
      made.saved.push(await graph.checkpoint());
      return;
    default:
      if (made.saved.length > 0) await graph.restore(made.saved.at(-1)!);
  }
}

/** What a graph says from rows that it may remember, of the nodes of these ids. */
async function remembered(graph: EmbeddedBackend, ids: readonly string[]) {
  const expansion = await graph.expand(ids, { incoming: true });
  return {
    nodes: await graph.getNodes(ids),
    edges: [...expansion.edges].sort((a, b) => (a.id < b.id ? -1 : 1)),
    entities: expansion.entities,
    rules: await graph.getRules({ concept_ids: [...ids] }),
    records: await graph.passageRecords(ids),
  };
}

async function agrees(
  opened: { readonly writes: Store; readonly reads: Store },
  steps: readonly Step[],
): Promise<void> {
  const graph = new EmbeddedBackend(opened.writes, { templates });
  const reader = new EmbeddedBackend(opened.reads, { templates });
  const made: Made = { saved: [], edits: [] };
  const ids = new Set<string>();
  for (const given of steps) {
    await take(graph, given, made).catch((error: unknown) => {
      if (!(error instanceof SvcError)) throw error;
    });
    for (const node of await graph.findNodes()) ids.add(node.id);
    const fresh = await remembered(new EmbeddedBackend(opened.reads, { templates }), [...ids]);
    expect(await remembered(reader, [...ids])).toEqual(fresh);
  }
}

describe('rows that were read before', () => {
  it('are as they are now after any write', async () => {
    const property = fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), async (steps) => {
      const store = await openSqlite(':memory:');
      try {
        await agrees({ writes: store, reads: store }, steps);
      } finally {
        await store.close();
      }
    });
    await fc.assert(property, { numRuns: 60 });
  }, 240_000);

  it('are as they are now after writes of another process', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'rows-'));
    let files = 0;
    const property = fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 10 }), async (steps) => {
      files += 1;
      const file = join(directory, `${files}.sqlite`);
      const [writes, reads] = [await openSqlite(file), await openSqlite(file)];
      try {
        await agrees({ writes, reads }, steps);
      } finally {
        await writes.close();
        await reads.close();
      }
    });
    await fc.assert(property, { numRuns: 15 });
    await rm(directory, { recursive: true });
  }, 240_000);

  it('are not read again after a write that touches others', async () => {
    const store = await openSqlite(':memory:');
    const graph = new EmbeddedBackend(store, { templates });
    const concepts = Array.from({ length: 20 }, (_, i) => ({ name: `Part ${i}`, description: `Number ${i}.` }));
    await graph.ingestManifest(source('a', { concepts }));
    const ids = concepts.map((concept) => id(concept.name));
    const before = await graph.getNodes(ids);
    await graph.ingestManifest(
      source('b', { concepts: [{ name: 'Other' }, { name: 'Part 3', description: 'Another.', confidence: 1 }] }),
    );
    await graph.ingestManifest(source('c', { domain: 'd2', concepts: [{ name: 'Part 1' }] }));
    const after = await graph.getNodes(ids);
    const same = after.map((node, i) => node === before[i]);
    expect(same).toEqual(ids.map((_, i) => i !== 3));
    expect(after).toEqual(await new EmbeddedBackend(store, { templates }).getNodes(ids));
    await store.close();
  });

  it('of edges are read again where a source says another thing of the same edge', async () => {
    const store = await openSqlite(':memory:');
    const graph = new EmbeddedBackend(store, { templates });
    const says = (since: number) => {
      const edge = { source: 'Alpha', target: 'Beta', relation: 'USES', confidence: 1, properties: { since } };
      return source('a', { concepts: [{ name: 'Alpha' }, { name: 'Beta' }], edges: [edge] });
    };
    const read = async () => (await graph.expand([id('Alpha')])).edges.map(({ properties }) => properties.since);
    for (const since of [2024, 2025, 2026]) {
      await graph.ingestManifest(says(since));
      expect(await read()).toEqual([since]);
    }
    await store.close();
  });
});
