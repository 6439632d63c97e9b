import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { GraphBackend } from '../../../src/backends/graph/port.js';
import { D, type GraphUnderTest, templates } from './fixture.js';
import { ReferenceGraph } from './reference/reference-graph.js';
import { idOfSource, ingest, type SourceSpec, seen, sourceSpec, steps } from './worlds.js';

/** What each source says is sure to a degree of its own, so that no tie falls to what came last. */
function untied(specs: readonly SourceSpec[]): SourceSpec[] {
  return specs.map((spec, i) => {
    const shift = <T extends { readonly confidence?: number }>(items: readonly T[]): T[] =>
      items.map((item) => ({ ...item, confidence: (item.confidence ?? 1) * (1 - i / 100) }));
    return {
      key: `s${i}`,
      concepts: shift(spec.concepts),
      edges: shift(spec.edges),
      rules: shift(spec.rules),
      passages: spec.passages,
    };
  });
}

async function worldOf(graph: GraphBackend, specs: readonly SourceSpec[]) {
  for (const spec of specs) await ingest(graph, D, spec);
  return seen(graph, D);
}

export function randomContract(open: GraphUnderTest['open'], worlds: number): void {
  async function fresh<T>(work: (graph: GraphBackend) => Promise<T>): Promise<T> {
    const { graph, close } = await open();
    try {
      return await work(graph);
    } finally {
      await close();
    }
  }

  describe('any sequence of writes', () => {
    it('leaves what the reference has, step by step', async () => {
      const property = fc.asyncProperty(steps, (list) =>
        fresh(async (graph) => {
          const reference = new ReferenceGraph({ templates });
          for (const step of list) {
            if (step.do === 'ingest') {
              const wanted = await ingest(reference, D, step.spec, step.append);
              const delta = await ingest(graph, D, step.spec, step.append);
              expect({ ...delta, warnings: [...delta.warnings].sort() }).toEqual({
                ...wanted,
                warnings: [...wanted.warnings].sort(),
              });
            } else {
              const source = idOfSource(D, step.key);
              expect(await graph.forgetSource(source)).toEqual(await reference.forgetSource(source));
            }
            expect(await seen(graph, D)).toEqual(await seen(reference, D));
          }
        }),
      );
      await fc.assert(property, { numRuns: worlds });
    });

    it('is seen by another instance through the change log', async () => {
      const property = fc.asyncProperty(steps, async (list) => {
        const { graph, replica, close } = await open();
        try {
          const other = (await replica?.()) ?? graph;
          for (const step of list) {
            if (step.do === 'ingest') await ingest(graph, D, step.spec, step.append);
            else await graph.forgetSource(idOfSource(D, step.key));
            await other.expand([]);
          }
          expect(await seen(other, D)).toEqual(await seen(graph, D));
        } finally {
          await close();
        }
      });
      await fc.assert(property, { numRuns: Math.ceil(worlds / 2) });
    });

    it('in another order, or at once, results in the same graph', async () => {
      const property = fc.asyncProperty(fc.array(sourceSpec, { minLength: 2, maxLength: 4 }), async (given) => {
        const specs = untied(given);
        const forward = await fresh((graph) => worldOf(graph, specs));
        const backward = await fresh((graph) => worldOf(graph, [...specs].reverse()));
        const together = await fresh(async (graph) => {
          await Promise.all(specs.map((spec) => ingest(graph, D, spec)));
          return seen(graph, D);
        });
        expect(backward).toEqual(forward);
        expect(together).toEqual(forward);
      });
      await fc.assert(property, { numRuns: Math.ceil(worlds / 3) });
    });

    it('after forgetting a source equals one in which it never was', async () => {
      const property = fc.asyncProperty(fc.array(sourceSpec, { minLength: 2, maxLength: 4 }), async (given) => {
        const specs = untied(given);
        const without = await fresh((graph) => worldOf(graph, specs.slice(1)));
        for (const order of [specs, [...specs.slice(1), specs[0]!]]) {
          const forgotten = await fresh(async (graph) => {
            await worldOf(graph, order);
            await graph.forgetSource(idOfSource(D, specs[0]!.key));
            return seen(graph, D);
          });
          expect(forgotten).toEqual(without);
        }
      });
      await fc.assert(property, { numRuns: Math.ceil(worlds / 3) });
    });
  });
}
