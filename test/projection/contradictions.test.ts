import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { parse } from 'yaml';
import { markStatements } from '../../src/ledger/contradicting-rules.js';
import { type LlmServer, replyTo, serveLlm } from '../llm/llm-server.js';
import { openService, type TestService } from '../service/harness.js';

interface Rule {
  readonly id: string;
  readonly text: string;
  readonly source_concepts: readonly string[];
  readonly metadata: { readonly contradicts?: readonly string[] };
}

/** Two handbooks that disagree about one thing, and agree about another. */
const HANDBOOKS = {
  north: 'The pump room is in the north wing.\n\nNever restart the Main Pump at night.\n\nAlways wear a Steel Helmet.',
  south: 'The pump room is in the south wing.\n\nRestart the Main Pump at night.\n\nAlways wear a Steel Helmet.',
};

const ruleIn = (text: string, rule: string) => ({
  concepts: [{ name: 'Main Pump', type: 'product', description: 'It pumps.' }],
  relations: [],
  rules: text.includes(rule) ? [{ rule, quote: rule, concepts: ['Main Pump'], category: 'operation' }] : [],
});

describe.each(['without a model', 'with a model'])('rules of two documents that contradict each other, %s', (way) => {
  let llm: LlmServer;
  let test: TestService;

  const rules = async (body: object = {}): Promise<Rule[]> =>
    (await test.post('/v1/rules', { domains: ['works'], ...body })).body.rules;
  const restarting = async () => {
    const found = (await rules()).filter(({ text }) => text.includes('estart'));
    const never = found.find(({ text }) => text.startsWith('Never'))!;
    return { found, never, other: found.find((rule) => rule !== never)! };
  };

  beforeAll(async () => {
    llm = await serveLlm('openai', [
      (response) => {
        const { prompt } = llm.prompts.at(-1)!;
        const rule = prompt.includes('Never')
          ? 'Never restart the Main Pump at night.'
          : 'Restart the Main Pump at night.';
        replyTo(response, 'openai', JSON.stringify(ruleIn(prompt, rule)));
      },
    ]);
    const model = { SVC_LLM: 'openai', SVC_LLM_MODEL: 'm', SVC_LLM_URL: llm.url };
    test = await openService(way === 'with a model' ? model : {});
    for (const [name, text] of Object.entries(HANDBOOKS)) {
      expect((await test.post('/v1/ingest/text', { domain: 'works', name, text })).status).toBe(200);
    }
    const elsewhere = { domain: 'elsewhere', name: 'far', text: HANDBOOKS.south };
    await test.post('/v1/ingest/text', elsewhere);
  }, 60_000);
  afterAll(async () => {
    await test.close();
    await llm.close();
  });

  it('are both kept, and each names the other in the list of rules', async () => {
    const { found, never, other } = await restarting();
    expect(found).toHaveLength(2);
    expect(never.metadata.contradicts).toEqual([other.id]);
    expect(other.metadata.contradicts).toEqual([never.id]);
    const rest = (await rules()).filter(({ id }) => id !== never.id && id !== other.id);
    expect(rest.filter(({ metadata }) => 'contradicts' in metadata)).toEqual([]);
  });

  it('name each other also where the other is not on the page', async () => {
    const { never, other } = await restarting();
    const pages = [await rules({ limit: 1 }), await rules({ limit: 1, offset: 1 })].flat();
    const all = await rules({ limit: 10_000 });
    expect(pages).toEqual(all.slice(0, 2));
    expect(all.find(({ id }) => id === never.id)!.metadata.contradicts).toEqual([other.id]);
  });

  it('are marked when a concept is explored and when a question is answered', async () => {
    const { never, other } = await restarting();
    const { body } = await test.post('/v1/explore', { node_id: never.source_concepts[0] });
    expect(body.rules.find(({ id }: Rule) => id === never.id).metadata.contradicts).toEqual([other.id]);
    const answer = (await test.post('/v1/query', { context: 'restart the Main Pump', domains: ['works'] })).body;
    const shown = answer.rules.filter(({ id }: Rule) => id === never.id || id === other.id);
    expect(shown.map((rule: Rule) => rule.metadata.contradicts).sort()).toEqual([[never.id], [other.id]].sort());
  });

  it('are marked in what is projected', async () => {
    const { never, other } = await restarting();
    const project = async (target: string) =>
      (await test.post('/v1/project', { persona: 'p', domains: ['works'], target })).body;
    const seed = (await project('seed')).ruleset.rules.find((rule: { rule: string }) => rule.rule === never.text);
    expect(seed.provenance.contradicts).toEqual([other.id]);
    const flat = parse((await project('yaml')).content) as Array<{ rule: string; contradicts?: string[] }>;
    expect(flat.find(({ rule }) => rule === never.text)!.contradicts).toEqual([other.text]);
    for (const target of ['agents', 'skill']) {
      expect((await project(target)).content).toContain(`- ${never.text}\n`);
      expect((await project(target)).content).toMatch(/ {2}- Contradicts: Never restart the Main Pump at night\.\n/);
    }
  });

  it('are found too where a release wrote them that did not file rules under what they say', async () => {
    const { store } = test.service;
    const { db } = store;
    const marks = async () => (await sql`select hash, rule from rule_mark order by hash, rule`.execute(db)).rows;
    const before = await marks();
    const { never } = await restarting();
    // By the queue of writes: the log of queries may be on its way.
    await store.write((scope) => sql`delete from rule_mark`.execute(scope.db));
    expect((await restarting()).never.metadata).not.toHaveProperty('contradicts');
    await store.write((scope) => markStatements(scope.db));
    await store.write((scope) => markStatements(scope.db));
    expect((await restarting()).never).toEqual(never);
    // Marks of names come back when their rules are written again; none was made that was not there.
    const known = new Set(before.map((row) => JSON.stringify(row)));
    for (const row of await marks()) expect(known).toContain(JSON.stringify(row));
  });

  it('lose the mark with the document of the other', async () => {
    const { never } = await restarting();
    const { documents } = (await test.get('/v1/documents?domain=works')).body;
    const south = documents.find((document: { label: string }) => document.label === 'south');
    await test.delete(`/v1/documents/${south.source_id}`);
    expect((await rules()).find(({ id }) => id === never.id)!.metadata).not.toHaveProperty('contradicts');
  });
});

it('derived rules of edges that cannot both hold name each other, in every variant', async () => {
  const test = await openService();
  for (const [source_id, relation] of [
    ['one', 'SUPPORTS'],
    ['two', 'CHALLENGES'],
  ]) {
    await test.post('/v1/ingest/structured', {
      domain: 'works',
      source_id,
      concepts: [{ name: 'Caching' }, { name: 'Speed' }],
      edges: [{ source: 'Caching', target: 'Speed', relation }],
    });
  }
  const [challenges, supports] = (await test.post('/v1/rules', {})).body.rules as [Rule, Rule];
  expect(challenges.id).toMatch(/:challenges:imperative$/);
  expect(challenges.metadata.contradicts).toEqual([supports.id]);
  expect(supports.metadata.contradicts).toEqual([challenges.id]);
  const { ruleset } = (await test.post('/v1/project', { persona: 'p', variant: 'declarative' })).body;
  const ids = ruleset.rules.map((rule: { provenance: { id: string } }) => rule.provenance.id);
  expect(ids[0]).toMatch(/:challenges:declarative$/);
  expect(ruleset.rules[0].provenance.contradicts).toEqual([ids[1]]);
  await test.close();
}, 60_000);
