import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { conceptId } from '../../src/core/ids.js';
import { openService, snapshot, type TestService, withService } from '../service/harness.js';
import { DOMAIN } from './world.js';

const RUNS = Number(process.env.EDIT_RUNS ?? 8);
const NAMES = ['Pump', 'Guild', 'Helm', 'Valve'] as const;
/** Names that edits give, which sources use too, before and after. */
const NEW_NAMES = ['Water Engine', 'Pump', 'Old Guild'] as const;
const RELATIONS = ['KEEPS', 'OWNS'] as const;

type Step =
  | { readonly kind: 'edit'; readonly body: object }
  | { readonly kind: 'undo'; readonly which: number }
  | { readonly kind: 'batch'; readonly name: string; readonly variant: number }
  | { readonly kind: 'forget'; readonly name: string }
  | { readonly kind: 'message'; readonly message: string; readonly variant: number };

const name = fc.constantFrom(...NAMES);
const relation = fc.constantFrom(...RELATIONS);
const edge = fc.record({ source: name, relation, target: name });
const rule_id = fc.constantFrom('rule:check', 'rule:pay');
const id = name.map((value) => conceptId(DOMAIN, value));
const typed = (type: string, members: fc.Arbitrary<object>) => members.map((given) => ({ type, ...given }));

const edit: fc.Arbitrary<object> = fc.oneof(
  typed('add_concept', fc.record({ name, description: fc.constantFrom('', 'By hand.') })),
  typed('change_concept', fc.record({ id, name: fc.constantFrom(...NEW_NAMES) })),
  typed('change_concept', fc.record({ id, description: fc.constantFrom('', 'Said by hand.') })),
  typed('add_edge', edge),
  typed('change_edge', fc.tuple(edge, fc.record({ confidence: fc.constantFrom(0.2, 1) })).map(joined)),
  typed('change_edge', fc.tuple(edge, fc.record({ new_relation: relation })).map(joined)),
  typed('remove_edge', edge),
  typed('add_rule', fc.record({ text: fc.constantFrom('Helm must have a Pump.', 'The Guild must pay.') })),
  typed('change_rule', fc.record({ rule_id, text: fc.constantFrom('Never sell the Valve.', 'Check Helm.') })),
  typed('remove_rule', fc.record({ rule_id })),
  typed('merge', fc.record({ from_id: id, into_id: id })),
  typed('remove_message', fc.record({ session_id: fc.constant('talk'), message_id: fc.constantFrom('m1', 'm2') })),
  typed('remove_session', fc.record({ session_id: fc.constant('talk') })),
);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: edit.map((body) => ({ kind: 'edit' as const, body })) },
  { weight: 2, arbitrary: fc.nat(20).map((which) => ({ kind: 'undo' as const, which })) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('batch' as const),
      name: fc.constantFrom('one', 'two', 'renamed'),
      variant: fc.nat(2),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('one', 'two', 'renamed').map((batch) => ({ kind: 'forget' as const, name: batch })),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('message' as const),
      message: fc.constantFrom('m1', 'm2'),
      variant: fc.nat(3),
    }),
  },
);

function joined([a, b]: [object, object]): object {
  return { ...a, ...b };
}

/** What a source says; each variant is one that another version of the same document could make. */
function batch(source: string, variant: number): object {
  if (source === 'renamed') return byNewNames(variant);
  const confidence = source === 'one' ? 0.6 : 1;
  return {
    domain: DOMAIN,
    source_id: source,
    concepts: NAMES.slice(0, 3 + (variant % 2)).map((value) => ({
      name: value,
      description: `${value} of ${source} ${variant}.`,
      confidence,
    })),
    edges: [
      {
        source: 'Guild',
        relation: 'KEEPS',
        target: 'Pump',
        confidence,
        properties: { evidence: `${source} ${variant}` },
      },
      ...(variant === 2 ? [] : [{ source: 'Helm', relation: 'OWNS', target: NAMES[variant] ?? 'Pump' }]),
    ],
    rules: [
      { text: `The Guild must check every Pump ${variant}.`, name: 'check', confidence },
      ...(variant === 1 ? [] : [{ text: 'Helm must pay.', name: 'pay' }]),
    ],
  };
}

/** What a source says that knows things by the names that edits give them. */
function byNewNames(variant: number): object {
  const [first, second] = [NEW_NAMES[variant]!, NEW_NAMES[(variant + 1) % NEW_NAMES.length]!];
  return {
    domain: DOMAIN,
    source_id: 'renamed',
    concepts: [{ name: first, description: `${first} by its new name.` }, ...(variant === 0 ? [] : [{ name: second }])],
    edges: [
      { source: first, relation: 'OWNS', target: 'Guild' },
      { source: 'Helm', relation: 'KEEPS', target: second },
    ],
    rules: [{ text: `Never sell the ${first}.`, name: 'sell', concepts: [second] }],
  };
}

/** Does what sources did in a history, without its edits. */
async function ingest(test: TestService, done: Step): Promise<void> {
  if (done.kind === 'batch') await test.post('/v1/ingest/structured', batch(done.name, done.variant));
  if (done.kind === 'forget') {
    const { documents } = (await test.get('/v1/documents')).body;
    const found = documents.find((document: { label: string }) => document.label === done.name);
    if (found !== undefined) await test.delete(`/v1/documents/${found.source_id}`);
  }
  if (done.kind === 'message') {
    const subject = ['Pump', 'Guild', 'Water Engine', 'Old Guild'][done.variant];
    const text = `The ${subject} of Helm ${done.message === 'm1' ? 'is late' : 'is a Pump'}.`;
    const message = { domain: DOMAIN, session_id: 'talk', message_id: done.message, text };
    expect((await test.post('/v1/ingest/message', message)).status).toBe(200);
  }
}

async function live(test: TestService, steps: readonly Step[]): Promise<void> {
  const made: string[] = [];
  for (const done of steps) {
    await ingest(test, done);
    if (done.kind === 'edit') {
      const { status, body } = await test.post('/v1/edits', { domain: DOMAIN, ...done.body });
      expect([200, 400, 404, 409]).toContain(status);
      if (status === 200) made.push(body.edit_id);
    }
    if (done.kind === 'undo' && made.length > 0) {
      expect([200, 409, 404]).toContain((await test.delete(`/v1/edits/${made[done.which % made.length]}`)).status);
    }
  }
}

/** What the engine holds, which queries walk. */
async function walked(test: TestService) {
  const { graph } = test.service;
  const nodes = await graph.findNodes({ domain: DOMAIN, limit: 1000 });
  const ids = nodes.map((node) => node.id);
  const hop = await graph.expand(ids, { domains: [DOMAIN], linkLimit: 100, incoming: true });
  const near = [];
  for (const node of ids) {
    const { nodes: found, edges } = await graph.neighbourhood(node, 2);
    near.push([node, found.map((other) => other.id).sort(), edges.map((other) => other.id).sort()]);
  }
  return { near, entities: hop.entities };
}

it('of any kind and number, once undone, leave what their sources alone would make; reopening changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (random) => {
      const start: Step[] = [
        { kind: 'batch', name: 'one', variant: 0 },
        { kind: 'message', message: 'm1', variant: 0 },
      ];
      const steps = [...start, ...random];
      const directory = mkdtempSync(join(tmpdir(), 'edits-'));
      try {
        const [shown, engine] = await withService({ SVC_DATA_DIR: directory }, async (test) => {
          await live(test, steps);
          return [await snapshot(test, DOMAIN), await walked(test)];
        });
        const reopened = await openService({ SVC_DATA_DIR: directory });
        try {
          expect(await snapshot(reopened, DOMAIN)).toEqual(shown);
          expect(await walked(reopened)).toEqual(engine);
          const { edits } = (await reopened.get('/v1/edits?undone=false&limit=1000')).body;
          for (const { edit_id } of edits) {
            expect((await reopened.delete(`/v1/edits/${edit_id}`)).status).toBe(200);
          }
          const after = await snapshot(reopened, DOMAIN);
          await withService({}, async (fresh) => {
            for (const done of steps) await ingest(fresh, done);
            expect(after).toEqual(await snapshot(fresh, DOMAIN));
            expect(await walked(reopened)).toEqual(await walked(fresh));
          });
        } finally {
          await reopened.close();
        }
      } finally {
        rmSync(directory, { recursive: true, force: true });
      }
    }),
    { numRuns: RUNS, verbose: 1 },
  );
}, 600_000);
