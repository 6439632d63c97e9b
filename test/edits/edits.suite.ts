import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { conceptId } from '../../src/core/ids.js';
import { type EachEnvironment, openService, snapshot, type TestService } from '../service/harness.js';
import { DOMAIN, messages, world } from './world.js';

let test: TestService;

const id = (name: string) => conceptId(DOMAIN, name);
const make = async (edit: object) => {
  const { status, body } = await test.post('/v1/edits', { domain: DOMAIN, ...edit });
  expect({ status, error: body.error }).toEqual({ status: 200, error: undefined });
  return body;
};
const undo = async (editId: string) => {
  const { status, body } = await test.delete(`/v1/edits/${editId}`);
  expect({ status, state: body.state }).toEqual({ status: 200, state: 'undone' });
};
const node = async (name: string) => (await test.service.graph.getNode(id(name)))!;
const edges = async () => (await test.service.graph.getEdges({ domain: DOMAIN })).map((edge) => edge.id).sort();
const rules = async () => {
  const found = await test.service.graph.getRules({ domains: [DOMAIN], include_derived: false });
  return found.map((rule) => rule.text).sort();
};
const states = async () =>
  (await test.get(`/v1/edits?domain=${DOMAIN}`)).body.edits.map((edit: { state: string }) => edit.state);

/** Everything a reader can see; the order of writes shows in none of it. */
async function seen(service = test) {
  const { texts, vectors, ...rest } = await snapshot(service, DOMAIN);
  const { body } = await service.post('/v1/query', { context: 'Who keeps the pumps of Helm?', domains: [DOMAIN] });
  return { ...rest, texts, vectors, found: body.items.map((item: { id: string }) => item.id).sort() };
}

interface Case {
  readonly name: string;
  readonly edit: () => object;
  /** Shows that the edit counts. */
  readonly holds: () => Promise<void>;
}

const CASES: readonly Case[] = [
  {
    name: 'a description',
    edit: () => ({ type: 'change_concept', id: id('Pump'), description: 'Keeps the water low.' }),
    holds: async () => expect(await node('Pump')).toMatchObject({ name: 'Pump', description: 'Keeps the water low.' }),
  },
  {
    name: 'a name',
    edit: () => ({ type: 'change_concept', id: id('Pump'), name: 'Water Engine' }),
    holds: async () => {
      expect(await node('Pump')).toMatchObject({ name: 'Water Engine', description: 'Moves water.' });
      // What sources call by the former name still leads to the concept.
      expect(await edges()).toContain(`${id('Guild')}|KEEPS|${id('Pump')}`);
      const touching = await test.service.graph.getRules({ concept_ids: [id('Pump')], include_derived: false });
      expect(touching.map((rule) => rule.text)).toContain('The Guild must check every Pump.');
      const [key] = await test.service.graph.lookupKeys([DOMAIN], ['pump']);
      expect(key?.about).toContain(id('Pump'));
    },
  },
  {
    name: 'a concept of its own',
    edit: () => ({ type: 'add_concept', name: 'Valve', description: 'Closes a pipe.' }),
    holds: async () => expect(await node('Valve')).toMatchObject({ kind: 'concept', description: 'Closes a pipe.' }),
  },
  {
    name: 'an edge that is added',
    edit: () => ({ type: 'add_edge', source: 'Helm', relation: 'uses', target: 'Pump' }),
    holds: async () => expect(await edges()).toContain(`${id('Helm')}|USES|${id('Pump')}`),
  },
  {
    name: 'the confidence of an edge',
    edit: () => ({ type: 'change_edge', source: 'Guild', relation: 'KEEPS', target: 'Pump', confidence: 0.25 }),
    holds: async () => {
      const [edge] = await test.service.graph.getEdges({ source_id: id('Guild'), target_id: id('Pump') });
      expect(edge).toMatchObject({ confidence: 0.25, properties: { since: 1911 } });
    },
  },
  {
    name: 'the relation of an edge',
    edit: () => ({ type: 'change_edge', source: 'Guild', relation: 'KEEPS', target: 'Pump', new_relation: 'owns' }),
    holds: async () => {
      const now = await edges();
      expect(now).toContain(`${id('Guild')}|OWNS|${id('Pump')}`);
      expect(now).not.toContain(`${id('Guild')}|KEEPS|${id('Pump')}`);
    },
  },
  {
    name: 'an edge that is removed',
    edit: () => ({ type: 'remove_edge', source: 'Guild', relation: 'KEEPS', target: 'Pump' }),
    holds: async () => expect(await edges()).toEqual([`${id('Guild')}|MEETS_IN|${id('Helm')}`]),
  },
  {
    name: 'a rule that is added',
    edit: () => ({ type: 'add_rule', text: 'Helm must be pumped dry.', category: 'safety' }),
    holds: async () => expect(await rules()).toContain('Helm must be pumped dry.'),
  },
  {
    name: 'the text of a rule',
    edit: () => ({ type: 'change_rule', rule_id: 'rule:check', text: 'The Guild must check each Pump twice.' }),
    holds: async () => {
      const [rule] = await test.service.graph.getRules({ ids: ['rule:check'], domains: [DOMAIN] });
      expect(rule).toMatchObject({ text: 'The Guild must check each Pump twice.', category: 'care' });
    },
  },
  {
    name: 'a rule that is removed',
    edit: () => ({ type: 'remove_rule', rule_id: 'rule:check' }),
    holds: async () => expect(await rules()).not.toContain('The Guild must check every Pump.'),
  },
  {
    name: 'two concepts that are one',
    edit: () => ({ type: 'merge', from_id: id('Guild'), into_id: id('Helm') }),
    holds: async () => expect(await edges()).toContain(`${id('Helm')}|KEEPS|${id('Pump')}`),
  },
  {
    name: 'a message that is removed',
    edit: () => ({ type: 'remove_message', session_id: 'talk', message_id: 'm1' }),
    holds: async () => expect(await said()).toEqual(['The Pump is quiet.']),
  },
  {
    name: 'a session that is removed',
    edit: () => ({ type: 'remove_session', session_id: 'talk' }),
    holds: async () => expect(await said()).toEqual([]),
  },
];

const said = async () => {
  const nodes = await test.service.graph.findNodes({ domain: DOMAIN, kind: 'passage' });
  return nodes.flatMap(({ passage, description }) => (passage?.message === undefined ? [] : [description])).sort();
};

/** Edits outrank what sources assert, survive their ingest, and are undone exactly. */
export function editsSuite(name: string, environment: EachEnvironment): void {
  describe(`an edit on ${name}`, () => {
    beforeEach(async () => {
      test = await openService(environment);
      await world(test);
    });
    afterEach(() => test.close());

    it.each(CASES)('of $name counts, outlives a new ingest, and is undone exactly', async ({ edit, holds }) => {
      const before = await seen();
      const made = await make(edit());
      expect(made).toMatchObject({ state: 'active', domain: DOMAIN, undone_at: null });
      await holds();
      await world(test, 'later ');
      await holds();
      await world(test);
      await holds();
      await undo(made.edit_id);
      expect(await seen()).toEqual(before);
      const again = await test.delete(`/v1/edits/${made.edit_id}`);
      expect([again.status, again.body.edit_id, again.body.undone_at]).toEqual([200, made.edit_id, expect.any(String)]);
      expect(await states()).toEqual(['undone']);
    });

    it('rests while its target is gone, stays listed, and counts again with it', async () => {
      await make({ type: 'change_concept', id: id('Pump'), description: 'Keeps the water low.' });
      await make({ type: 'remove_edge', source: 'Guild', relation: 'KEEPS', target: 'Pump' });
      await make({ type: 'change_rule', rule_id: 'rule:check', text: 'Check.' });
      const { documents } = (await test.get(`/v1/documents?domain=${DOMAIN}`)).body;
      const batch = documents.find((document: { label: string }) => document.label === 'batch');
      expect(documents.map((document: { kind: string }) => document.kind)).toContain('edits');
      expect((await test.delete(`/v1/documents/${batch.source_id}`)).status).toBe(200);
      expect(await states()).toEqual(['inert', 'inert', 'inert']);
      expect((await test.service.graph.getNode(id('Pump')))?.description ?? '').toBe('');
      await world(test);
      expect(await states()).toEqual(['active', 'active', 'active']);
      expect(await node('Pump')).toMatchObject({ description: 'Keeps the water low.' });
      expect(await edges()).toEqual([`${id('Guild')}|MEETS_IN|${id('Helm')}`]);
      expect(await rules()).toContain('Check.');
    });

    it('keeps what is sent to a removed message or session until it is undone', async () => {
      const one = await make({ type: 'remove_message', session_id: 'talk', message_id: 'm1' });
      const all = await make({ type: 'remove_session', session_id: 'talk' });
      const late = await messages(test, [{ message_id: 'm1', text: 'The Guild is loud.' }, { text: 'Late words.' }]);
      expect(late.map(({ body }) => [body.passages, body.warnings.length])).toEqual([
        [0, 1],
        [0, 1],
      ]);
      const kept = 'The message is kept but hidden by';
      const removed = 'which removed it or its session';
      expect(late[0]?.body.warnings).toEqual([
        `${kept} edits ${one.edit_id} and ${all.edit_id}, ${removed}; undo these edits to show it.`,
      ]);
      expect(late[1]?.body.warnings).toEqual([`${kept} edit ${all.edit_id}, ${removed}; undo the edit to show it.`]);
      expect(await said()).toEqual([]);
      await undo(all.edit_id);
      expect(await said()).toEqual(['Late words.', 'The Pump is quiet.']);
      await undo(one.edit_id);
      expect(await said()).toEqual(['Late words.', 'The Guild is loud.', 'The Pump is quiet.']);
    });

    it('counts on after a dry run of its undo, which shows it', async () => {
      const { warnings: _, ...made } = await make({ type: 'change_concept', id: id('Pump'), description: 'New.' });
      const merge = await make({ type: 'merge', from_id: id('Pump'), into_id: id('Guild') });
      const before = await seen();
      for (const edit of [made, merge]) {
        const { body } = await test.delete(`/v1/edits/${edit.edit_id}?dry_run=true`);
        expect(body).toMatchObject({ status: 'dry_run', edit_id: edit.edit_id, change: edit.change, undone_at: null });
      }
      expect([await seen(), await states()]).toEqual([before, ['active', 'active']]);
      expect((await test.delete('/v1/edits/none?dry_run=true')).body).toMatchObject({ code: 'not_found' });
      await undo(merge.edit_id);
      const again = (await test.delete(`/v1/edits/${merge.edit_id}?dry_run=true`)).body;
      expect(again).toMatchObject({ status: 'dry_run', state: 'undone' });
    });

    it('lists merges that were made by hand with the edits, and undoes them as the merges are undone', async () => {
      const { graph } = test.service;
      const pair = { from_id: id('Guild'), into_id: id('Helm') };
      const before = await seen();
      const sent = await test.post('/v1/entities/merge', { domain: DOMAIN, ...pair });
      const { merge_id } = sent.body;
      const merged = await seen();
      expect(merged).not.toEqual(before);
      expect((await test.delete(`/v1/edits/${merge_id}`)).body).toMatchObject({ type: 'merge', state: 'undone' });
      expect(await seen()).toEqual(before);
      expect(await graph.merges!.find(merge_id)).toMatchObject({ undone_at: expect.any(String) });
      // Again: what other edits there are, the list is by time and its pages are whole.
      const first = await make({ type: 'change_concept', id: id('Pump'), description: 'Keeps the water low.' });
      const second = (await test.post('/v1/entities/merge', { domain: DOMAIN, ...pair })).body;
      const third = await make({ type: 'add_concept', name: 'Crane' });
      const found = { from_id: id('Crane'), into_id: id('Pump'), method: 'alias', score: 0.9 };
      await graph.merges!.make(DOMAIN, found);
      const list = async (query: string) => (await test.get(`/v1/edits?domain=${DOMAIN}&${query}`)).body;
      const ids = async (query: string) => {
        const { edits: listed, total } = await list(query);
        return [listed.map((edit: { edit_id: string }) => edit.edit_id), total];
      };
      expect(await ids('')).toEqual([[third.edit_id, second.merge_id, first.edit_id, merge_id], 4]);
      for (const [offset, edit] of [third.edit_id, second.merge_id, first.edit_id, merge_id].entries()) {
        expect(await ids(`limit=1&offset=${offset}`)).toEqual([[edit], 4]);
      }
      expect(await ids('undone=false&limit=2')).toEqual([[third.edit_id, second.merge_id], 3]);
      const { created_at } = second;
      expect((await list('limit=1&offset=1')).edits).toEqual([
        {
          edit_id: second.merge_id,
          domain: DOMAIN,
          type: 'merge',
          state: 'active',
          change: { ...pair, merge_id: second.merge_id },
          before: { from: 'Guild', into: 'Helm' },
          created_at,
          undone_at: null,
        },
      ]);
      const undone = await test.post('/v1/entities/undo', { merge_id: second.merge_id });
      const [, shown] = (await list('')).edits;
      expect(shown).toMatchObject({ edit_id: second.merge_id, state: 'undone', undone_at: undone.body.undone_at });
      expect((await test.delete(`/v1/edits/${second.merge_id}`)).body).toEqual({ ...shown, status: 'undone' });
    });

    it('that merged is undone with its merge, and is listed once', async () => {
      const before = await seen();
      const made = await make({ type: 'merge', from_id: id('Guild'), into_id: id('Helm') });
      await test.post('/v1/entities/undo', { merge_id: made.change.merge_id });
      expect(await seen()).toEqual(before);
      expect((await test.get('/v1/edits')).body).toMatchObject({
        total: 1,
        edits: [{ edit_id: made.edit_id, state: 'undone', undone_at: expect.any(String) }],
      });
      expect((await test.get('/v1/edits?undone=false')).body).toEqual({ edits: [], total: 0 });
    });

    it('is part of a checkpoint', async () => {
      const made = await make({ type: 'change_concept', id: id('Pump'), name: 'Water Engine' });
      const before = await seen();
      const { id: checkpoint } = await test.service.checkpoints.make();
      await undo(made.edit_id);
      await make({ type: 'remove_session', session_id: 'talk' });
      await test.service.checkpoints.restore(checkpoint);
      expect(await seen()).toEqual(before);
      expect(await states()).toEqual(['active']);
      await undo(made.edit_id);
      expect((await node('Pump')).name).toBe('Pump');
    });

    it('of the same thing adds up, whichever is undone first', async () => {
      const edge = { source: 'Helm', relation: 'USES', target: 'Pump' };
      const added = await make({ type: 'add_edge', ...edge, confidence: 0.5 });
      const changed = await make({ type: 'change_edge', ...edge, confidence: 0.75 });
      const removed = await make({ type: 'remove_edge', ...edge });
      const confidence = async () =>
        (await test.service.graph.getEdges({ source_id: id('Helm'), target_id: id('Pump') }))[0]?.confidence;
      expect(await confidence()).toBeUndefined();
      await undo(removed.edit_id);
      expect(await confidence()).toBe(0.75);
      await undo(added.edit_id);
      expect(await confidence()).toBeUndefined();
      await undo(changed.edit_id);
      expect((await test.get('/v1/documents')).body.documents.map((d: { kind: string }) => d.kind)).not.toContain(
        'edits',
      );
    });
  });
}
