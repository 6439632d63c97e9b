import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { conceptId } from '../../src/core/ids.js';
import { snapshot, type TestService, withService } from '../service/harness.js';
import { DOMAIN } from './world.js';

const RUNS = Number(process.env.EDIT_RUNS ?? 8);
const NAMES = ['Pump', 'Guild', 'Valve', 'Crane'] as const;

type Step =
  | { readonly kind: 'rename'; readonly from: string; readonly name: string }
  | { readonly kind: 'undo'; readonly which: number }
  | { readonly kind: 'batch'; readonly source: string; readonly names: readonly string[]; readonly own: boolean }
  | { readonly kind: 'text'; readonly source: string; readonly name: string }
  | { readonly kind: 'forget'; readonly source: string };

const name = fc.constantFrom(...NAMES);
const source = fc.constantFrom('one', 'two');
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('rename' as const), from: name, name }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('undo' as const), which: fc.nat(20) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('batch' as const),
      source,
      names: fc.uniqueArray(name, { minLength: 1, maxLength: 3 }),
      own: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('text' as const), source, name }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('forget' as const), source }) },
);

/** Does what sources did in a history. */
async function ingest(test: TestService, done: Step): Promise<void> {
  if (done.kind === 'batch') {
    const concepts = done.names.map((value) => ({ name: value, ...(done.own ? { id: `own-${value}` } : {}) }));
    const edges = NAMES.map((target) => ({ source: done.names[0], relation: 'KNOWS', target }));
    const body = { domain: DOMAIN, source_id: `batch ${done.source}`, concepts, edges };
    expect((await test.post('/v1/ingest/structured', body)).status).toBe(200);
  }
  if (done.kind === 'text') {
    const text = `The miners know that ${done.name} is late. Nobody keeps ${done.name} in Helm.`;
    const body = { domain: DOMAIN, name: `text ${done.source}`, text };
    expect((await test.post('/v1/ingest/text', body)).status).toBe(200);
  }
  if (done.kind === 'forget') {
    for (const { label, source_id } of (await test.get('/v1/documents')).body.documents) {
      if (label.endsWith(done.source)) await test.delete(`/v1/documents/${source_id}`);
    }
  }
}

/** Names concepts in the ledger itself, also those that are not there now: what counts is the log. */
async function rename(test: TestService, { id, name: value }: { readonly id: string; readonly name: string }) {
  const body = { type: 'change_concept' as const, id, name: value };
  const { edit } = await test.service.graph.edits!.make(DOMAIN, { body, before: {} });
  return edit.edit_id;
}

/** What is visible, without what only the service's own calls keep. */
async function seen(test: TestService) {
  const { texts: _, vectors: __, ...rest } = await snapshot(test, DOMAIN);
  const { graph } = test.service;
  const hop = await graph.expand(
    rest.nodes.map(({ id }) => id),
    { domains: [DOMAIN], linkLimit: 100 },
  );
  const about = await graph.lookupKeys(
    [DOMAIN],
    NAMES.map((value) => value.toLowerCase()),
  );
  return { ...rest, entities: hop.entities, about };
}

it('new names of concepts count the same, whether sources come before or after them', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (random) => {
      const base = { kind: 'batch', source: 'base', names: ['Helm', 'Guild'], own: false } as const;
      const steps: Step[] = [base, ...random];
      const made: Array<{ readonly edit: string; readonly id: string; readonly name: string }> = [];
      const shown = await withService({}, async (test) => {
        for (const [i, done] of steps.entries()) {
          await ingest(test, done);
          if (done.kind === 'rename') {
            const id = i % 3 === 0 ? `${DOMAIN}:own-${done.from}` : conceptId(DOMAIN, done.from);
            made.push({ edit: await rename(test, { id, name: done.name }), id, name: done.name });
          }
          if (done.kind !== 'undo' || made.length === 0) continue;
          const [{ edit }] = made.splice(done.which % made.length, 1) as [(typeof made)[number]];
          await test.service.graph.edits!.undo(edit);
        }
        return seen(test);
      });
      await withService({}, async (fresh) => {
        for (const done of steps) await ingest(fresh, done);
        for (const edit of made) await rename(fresh, edit);
        expect(await seen(fresh)).toEqual(shown);
      });
    }),
    { numRuns: RUNS, verbose: 1 },
  );
}, 600_000);
