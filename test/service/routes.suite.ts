import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DOCUMENTS, type EachEnvironment, openService, type TestService } from './harness.js';

/** Variant A through real HTTP, on whatever engines the environment names. */
export function variantASuite(name: string, environment: EachEnvironment): void {
  describe(`variant A on ${name}`, () => {
    let test: TestService;
    beforeAll(async () => {
      test = await openService(environment);
      for (const [key, text] of Object.entries(DOCUMENTS)) {
        const answer = await test.post('/v1/ingest/text', { text, domain: 'reach', format: 'markdown', name: key });
        expect(answer.status).toBe(200);
      }
    });
    afterAll(() => test.close());

    it('serves health, readiness and status', async () => {
      expect((await test.get('/v1/health')).body).toEqual({ status: 'ok' });
      expect((await test.get('/v1/ready')).body).toEqual({ status: 'ready' });
      const { body } = await test.get('/v1/status');
      expect(body).toMatchObject({
        status: 'ok',
        vector_search: true,
        graph_algorithms: true,
        embedding_model: 'static',
      });
      expect(body.interoception).toMatchObject({ buffer: { buffered_edges: 0 } });
    });

    it('lists domains with their sizes and adds them up in statistics', async () => {
      const { body } = await test.get('/v1/domains');
      const domain = body.domains.find((entry: { name: string }) => entry.name === 'reach');
      expect(Object.keys(domain)).toEqual(['name', 'description', 'concept_count', 'edge_count', 'rule_count']);
      expect(domain.concept_count).toBeGreaterThan(3);
      const stats = (await test.get('/v1/stats')).body;
      expect(stats.knowledge.domain_breakdown.reach.passages).toBe(3);
      expect(stats.health.embedding_model).toBe('static');
    });

    it('finds the second passage through the link of the first', async () => {
      const { status, body } = await test.post('/v1/query', {
        context: 'Where was the designer of the Aldra Tower born?',
        domains: ['reach'],
        top_k: 2,
        mode: 'graph',
      });
      expect(status).toBe(200);
      const contents = body.items.map((item: { content: string }) => item.content);
      expect(contents.some((text: string) => text.startsWith('Mira Voss: '))).toBe(true);
      const [item] = body.items;
      expect(item).toMatchObject({ domain: 'reach', node_id: item.id });
      for (const key of ['vec_score', 'text_score', 'ppr_score', 'kg_coverage']) {
        expect(item.metadata[key]).toBeGreaterThanOrEqual(0);
        expect(item.metadata[key]).toBeLessThanOrEqual(1);
      }
    });

    it('answers the same question twice with the same items in every mode', async () => {
      for (const mode of ['auto', 'vec', 'graph']) {
        const ask = () => test.post('/v1/query', { context: 'fishing boats in the harbour', domains: ['reach'], mode });
        const [first, second] = [await ask(), await ask()];
        expect(first.status).toBe(200);
        expect(second.body.items).toEqual(first.body.items);
        expect(first.body.items[0].content).toMatch(/^Skarn Island: /);
      }
    });

    it('surfaces the rules that touch the answer', async () => {
      const { body } = await test.post('/v1/rules', { domains: ['reach'] });
      expect(body).toMatchObject({ projection: 'rules', domain_count: 1 });
      expect(body.rules.some((rule: { text: string }) => /must light the lamp/.test(rule.text))).toBe(true);
    });

    it('explores a node, clamps the depth, and answers 404 for an absent one', async () => {
      const query = await test.post('/v1/query', { context: 'Aldra Tower lighthouse', domains: ['reach'], top_k: 1 });
      const node_id = query.body.items[0].id;
      const { status, body } = await test.post('/v1/explore', { node_id, depth: 9 });
      expect(status).toBe(200);
      expect(body.node.id).toBe(node_id);
      const absent = await test.post('/v1/explore', { node_id: 'reach:nothing' });
      expect(absent).toMatchObject({ status: 404, body: { code: 'node_not_found' } });
    });

    it('compares cosine with the graph', async () => {
      const { body } = await test.post('/v1/compare', {
        context: 'Where was the designer of the tower born?',
        domains: ['reach'],
      });
      expect(body.vec_only.items.length).toBeGreaterThan(0);
      expect(body.graph_enhanced.items.length).toBeGreaterThan(0);
      expect(body.diff).toHaveProperty('rank_changes');
      expect(typeof body.summary).toBe('string');
    });

    it('ingests structured concepts, lets an edge wait for its end, and shows it once both are there', async () => {
      const pump = {
        domain: 'plant',
        concepts: [{ name: 'Pump', description: 'Moves water' }],
        edges: [{ source: 'Pump', target: 'Motor', relation: 'requires' }],
        rules: [{ text: 'Stop the Pump before opening it.', category: 'safety' }],
      };
      const first = await test.post('/v1/ingest/structured', pump);
      expect(first.status).toBe(200);
      expect(first.body.warnings.join(' ')).toContain('Motor');
      const again = await test.post('/v1/ingest/structured', pump);
      expect(again.body).toMatchObject({ unchanged: true, warnings: first.body.warnings });
      await test.post('/v1/ingest/structured', { domain: 'plant', concepts: [{ name: 'Motor' }], edges: [] });
      expect((await test.post('/v1/ingest/structured', pump)).body).toMatchObject({ unchanged: true, warnings: [] });
      const explored = await test.post('/v1/query', { context: 'Pump', domains: ['plant'], top_k: 1 });
      const { body } = await test.post('/v1/explore', { node_id: explored.body.items[0].id });
      expect(body.edges).toMatchObject([{ relation_type: 'REQUIRES', confidence: 1 }]);
      const rules = (await test.post('/v1/rules', { domains: ['plant'] })).body.rules;
      expect(rules.map((rule: { derivation: string }) => rule.derivation).sort()).toEqual(['derived', 'explicit']);
    });

    it('remembers messages with their fields and finds them like anything else', async () => {
      const body = {
        text: 'The spare key lies under the blue flower pot.',
        session_id: 's1',
        role: 'user',
        domain: 'chat',
      };
      const { status, body: added } = await test.post('/v1/ingest/message', {
        ...body,
        speaker: 'Ana',
        message_id: 'm1',
      });
      expect(status).toBe(200);
      expect(added).toMatchObject({ session_id: 's1', chunks: 1 });
      const again = await test.post('/v1/ingest/message', { ...body, speaker: 'Ana', message_id: 'm1' });
      expect(again.body.passages).toBe(1);
      const found = await test.post('/v1/query', { context: 'Where is the spare key?', domains: ['chat'] });
      expect(found.body.items).toHaveLength(1);
      expect(found.body.items[0].content).toContain('blue flower pot');
    });

    it('ingests a file, is a no-op for the same content, and replaces it for another', async () => {
      const path = test.file('note.md', '# Kestrel\n\nThe Kestrel is a small falcon that hovers.');
      const first = await test.post('/v1/ingest', { source_path: path, domain: 'birds' });
      expect(first.status).toBe(200);
      expect(first.body.passages).toBe(1);
      const same = await test.post('/v1/ingest', { source_path: path, domain: 'birds' });
      expect(same.body.unchanged).toBe(true);
      test.file('note.md', '# Merlin\n\nThe Merlin is the smallest falcon of the north.');
      const other = await test.post('/v1/ingest', { source_path: path, domain: 'birds' });
      expect(other.body.source_id).toBe(first.body.source_id);
      const found = await test.post('/v1/query', { context: 'Kestrel hovers', domains: ['birds'] });
      expect(found.body.items.map((item: { content: string }) => item.content).join(' ')).not.toContain('Kestrel');
    });

    it('isolates domains: another domain neither appears nor changes scores', async () => {
      const ask = () => test.post('/v1/query', { context: 'lighthouse on the island', domains: ['reach'] });
      const before = (await ask()).body.items;
      await test.post('/v1/ingest/text', { text: DOCUMENTS.tower, domain: 'copy', format: 'markdown', name: 'tower' });
      expect((await ask()).body.items).toEqual(before);
      expect(before.every((item: { domain: string }) => item.domain === 'reach')).toBe(true);
    });

    it('takes feedback, replaces it, and refuses what it cannot place', async () => {
      const query = await test.post('/v1/query', { context: 'Who designed the Aldra Tower?', domains: ['reach'] });
      const { query_id, items } = query.body;
      const say = (outcomes: Record<string, string>) => test.post('/v1/feedback', { query_id, outcomes });
      expect((await say({ [items[0].id]: 'accepted' })).body).toEqual({
        status: 'recorded',
        query_id,
        outcome_count: 1,
        source: 'unknown',
      });
      expect((await say({ [items[0].id]: 'rejected' })).status).toBe(200);
      expect(await say({ unknown: 'accepted' })).toMatchObject({ status: 400, body: { code: 'invalid_input' } });
      expect(await say({ [items[0].id]: 'loved' })).toMatchObject({ status: 400 });
      const unknown = await test.post('/v1/feedback', { query_id: 'none', outcomes: { a: 'accepted' } });
      expect(unknown).toMatchObject({ status: 404, body: { code: 'query_not_found' } });
    });

    it('lists documents, forgets one exactly, and forgets a domain', async () => {
      const { body } = await test.get('/v1/documents?domain=copy');
      expect(body.documents).toMatchObject([{ domain: 'copy', kind: 'text', label: 'tower', passages: 1 }]);
      const { source_id } = body.documents[0];
      expect((await test.delete(`/v1/documents/${source_id}`)).body).toMatchObject({ status: 'forgotten', sources: 1 });
      expect((await test.delete(`/v1/documents/${source_id}`)).status).toBe(404);
      expect((await test.delete('/v1/domains/birds')).status).toBe(200);
      expect((await test.delete('/v1/domains/birds')).body.code).toBe('domain_not_found');
      const removed = await test.post('/v1/query', { context: 'falcon', domains: ['birds'] });
      expect(removed).toMatchObject({ status: 404, body: { code: 'domain_not_found' } });
    });

    it('publishes its description and a page to browse it offline', async () => {
      const { body } = await test.get('/v1/openapi.json');
      expect(body.openapi).toMatch(/^3\.1/);
      expect(Object.keys(body.paths)).toContain('/v1/query');
      const page = await fetch(`${test.url}/docs`);
      expect(page.status).toBe(200);
      expect(page.headers.get('content-type')).toContain('text/html');
    });
  });
}
