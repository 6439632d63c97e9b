import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { conceptId } from '../../src/core/ids.js';
import { operations } from '../../src/operations/index.js';
import { invoke } from '../../src/operations/invoke.js';
import { type EachEnvironment, openService, snapshot, type TestService } from '../service/harness.js';

let test: TestService;

const DOMAIN = 'mines';
const id = (name: string) => conceptId(DOMAIN, name);
const structured = (source_id: string, batch: object) =>
  test.post('/v1/ingest/structured', { domain: DOMAIN, source_id, concepts: [], ...batch });

async function world(): Promise<void> {
  await test.post('/v1/ingest/text', {
    domain: DOMAIN,
    name: 'report',
    text: 'The International Mining Union met in Helm. Every pit of Helm sends one miner to the IMU. The IMU pays the pumps of Helm.',
  });
  await structured('long', {
    concepts: [{ name: 'International Mining Union', description: 'A union of miners.' }, { name: 'Helm' }],
    edges: [{ source: 'International Mining Union', target: 'Helm', relation: 'MEETS_IN' }],
  });
  await structured('short', {
    concepts: [{ name: 'IMU', description: 'Pays for pumps.' }, { name: 'Pump' }],
    edges: [
      { source: 'IMU', target: 'Pump', relation: 'PAYS' },
      { source: 'Helm', target: 'IMU', relation: 'SENDS_TO' },
    ],
    rules: [{ text: 'The IMU must check every Pump.' }, { text: 'Pay in time.', concepts: ['IMU'] }],
  });
}

const merge = (from: string, into: string) =>
  test.service.graph.merges!.make(DOMAIN, { from_id: id(from), into_id: id(into), method: 'manual', score: 1 });

const edges = async () => (await test.service.graph.getEdges({ domain: DOMAIN })).map((edge) => edge.id).sort();
const names = async () =>
  (await test.service.graph.findNodes({ domain: DOMAIN, kind: 'concept' })).map(({ name }) => name).sort();

/** Merges lead edges, rules and names to one concept, respect re-ingest and forget, and are undone exactly. */
export function mergesSuite(name: string, environment: EachEnvironment): void {
  describe(`a merge of two concepts on ${name}`, () => {
    beforeEach(async () => {
      test = await openService(environment);
    });
    afterEach(() => test.close());

    it('leads edges and rules of the one to the other', async () => {
      await world();
      await merge('IMU', 'International Mining Union');
      expect(await names()).toEqual(['Helm', 'International Mining Union', 'Pump']);
      const into = id('International Mining Union');
      expect(await edges()).toEqual(
        [`${into}|MEETS_IN|${id('Helm')}`, `${into}|PAYS|${id('Pump')}`, `${id('Helm')}|SENDS_TO|${into}`].sort(),
      );
      const arriving = await test.service.graph.getEdges({ target_id: into });
      expect(arriving.map((edge) => edge.id)).toEqual([`${id('Helm')}|SENDS_TO|${into}`]);
      const rules = await test.service.graph.getRules({
        domains: [DOMAIN],
        include_derived: false,
        concept_ids: [into],
      });
      expect(rules.map(({ text }) => text).sort()).toEqual(['Pay in time.', 'The IMU must check every Pump.']);
      const [key] = await test.service.graph.lookupKeys([DOMAIN], ['imu']);
      expect(key?.about).toEqual([into]);
    });

    it('is undone exactly', async () => {
      await world();
      const before = await snapshot(test, DOMAIN);
      const { merge: made } = await merge('IMU', 'International Mining Union');
      expect(await snapshot(test, DOMAIN)).not.toEqual(before);
      const undone = await test.service.graph.merges!.undo(made.merge_id);
      expect(undone?.merge.undone_at).not.toBeNull();
      const { vectors: _, texts: __, ...after } = await snapshot(test, DOMAIN);
      const { vectors: ___, texts: ____, ...wanted } = before;
      expect(after).toEqual(wanted);
      expect(await test.service.graph.merges!.undo(made.merge_id)).toBeNull();
    });

    it('outlives the next ingest of its sources, and what comes later by the merged name', async () => {
      await world();
      await merge('IMU', 'International Mining Union');
      await structured('short', {
        concepts: [{ name: 'IMU' }, { name: 'Valve' }],
        edges: [{ source: 'IMU', target: 'Valve', relation: 'PAYS' }],
      });
      await structured('later', { concepts: [], edges: [{ source: 'imu', target: 'Helm', relation: 'OWNS' }] });
      const into = id('International Mining Union');
      expect(await names()).toEqual(['Helm', 'International Mining Union', 'Valve']);
      expect(await edges()).toEqual(
        [`${into}|MEETS_IN|${id('Helm')}`, `${into}|OWNS|${id('Helm')}`, `${into}|PAYS|${id('Valve')}`].sort(),
      );
    });

    it('rests while one of both is asserted by nobody, and counts again with it', async () => {
      await world();
      await merge('IMU', 'International Mining Union');
      const [long] = (await test.get('/v1/documents')).body.documents.filter(
        (document: { label: string }) => document.label === 'long',
      );
      await test.delete(`/v1/documents/${long.source_id}`);
      expect(await names()).toEqual(['IMU', 'Pump']);
      expect(await edges()).toEqual([`${id('IMU')}|PAYS|${id('Pump')}`]);
      await structured('long', {
        concepts: [{ name: 'International Mining Union' }, { name: 'Helm' }],
        edges: [],
      });
      expect(await names()).toEqual(['Helm', 'International Mining Union', 'Pump']);
      const into = id('International Mining Union');
      expect(await edges()).toEqual([`${into}|PAYS|${id('Pump')}`, `${id('Helm')}|SENDS_TO|${into}`].sort());
    });

    it('leaves a graph without the merged source as if that had never been there', async () => {
      await world();
      await merge('IMU', 'International Mining Union');
      const [short] = (await test.get('/v1/documents')).body.documents.filter(
        (document: { label: string }) => document.label === 'short',
      );
      await test.delete(`/v1/documents/${short.source_id}`);
      const { nodes, edges: left, rules } = await snapshot(test, DOMAIN);
      const other = await openService(environment);
      try {
        const mine = test;
        test = other;
        await world();
        await test.delete(`/v1/documents/${short.source_id}`);
        const wanted = await snapshot(test, DOMAIN);
        test = mine;
        expect({ nodes, edges: left, rules }).toEqual({
          nodes: wanted.nodes,
          edges: wanted.edges,
          rules: wanted.rules,
        });
      } finally {
        await other.close();
      }
    });

    it('follows chains, and undoing the middle leaves the rest', async () => {
      await structured('all', {
        concepts: [{ name: 'A' }, { name: 'B' }, { name: 'C' }, { name: 'D' }],
        edges: [{ source: 'A', target: 'D', relation: 'USES' }],
      });
      await merge('A', 'B');
      const { merge: middle } = await merge('B', 'C');
      expect(await edges()).toEqual([`${id('C')}|USES|${id('D')}`]);
      await test.service.graph.merges!.undo(middle.merge_id);
      expect(await edges()).toEqual([`${id('B')}|USES|${id('D')}`]);
      expect(await names()).toEqual(['B', 'C', 'D']);
    });

    it('refuses what is no concept of the domain', async () => {
      await world();
      await expect(merge('IMU', 'Nobody')).rejects.toMatchObject({ code: 'node_not_found' });
      await expect(merge('IMU', 'IMU')).rejects.toMatchObject({ code: 'invalid_input' });
    });

    it('names what stands for a concept that was merged before', async () => {
      await world();
      await merge('IMU', 'Pump');
      await merge('Pump', 'Helm');
      const standIn = `it was merged into Helm, ${id('Helm')}.`;
      await expect(merge('IMU', 'International Mining Union')).rejects.toThrow(standIn);
      await expect(merge('International Mining Union', 'Pump')).rejects.toThrow(standIn);
    });

    it('names nothing of a domain in the refusal of another one', async () => {
      await world();
      await merge('IMU', 'Helm');
      await test.post('/v1/ingest/structured', { domain: 'others', source_id: 'o', concepts: [{ name: 'Valve' }] });
      const given = { domain: 'others', from_id: id('IMU'), into_id: conceptId('others', 'Valve') };
      const { status, body } = await test.post('/v1/entities/merge', given);
      expect([status, body.error]).toEqual([404, `Node ${id('IMU')} is no concept of domain others.`]);
    });

    it('is named where the node that is gone is read', async () => {
      await world();
      await merge('Pump', 'IMU');
      await merge('IMU', 'Helm');
      const merged_into = { id: id('Helm'), name: 'Helm' };
      const error = `Node ${id('Pump')} does not exist now: it was merged into Helm, ${id('Helm')}.`;
      for (const { status, body } of [
        await test.post('/v1/explore', { node_id: id('Pump') }),
        await test.get(`/v1/nodes/${id('Pump')}/assertions`),
      ]) {
        expect([status, body]).toMatchObject([404, { code: 'node_not_found', error, details: { merged_into } }]);
      }
      const asked = { node_id: id('Pump') };
      const tool = { surface: 'tool', authenticated: true } as const;
      expect(await invoke(test.service, operations.explore, asked, tool)).toEqual({ node: null, merged_into });
      const unknown = await test.post('/v1/explore', { node_id: id('Nobody') });
      expect(unknown).toMatchObject({ status: 404, body: { error: `Node ${id('Nobody')} does not exist.` } });
      expect(unknown.body.details).toBeUndefined();
    });
  });
}
