import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EmbeddedBackend, InMemoryBackend, Neo4jBackend, openSqlite, type Store } from '../../src/index.js';

// Records lie in the store with every engine, so the graph in Neo4j reads and writes them without a server.
const GRAPHS = {
  InMemoryBackend: (store: Store) => new InMemoryBackend({ store }),
  EmbeddedBackend: (store: Store) => new EmbeddedBackend(store),
  Neo4jBackend: (store: Store) => new Neo4jBackend({ host: '127.0.0.1', port: 9, store }),
};
type Graph = ReturnType<(typeof GRAPHS)['InMemoryBackend']>;

describe.each(Object.entries(GRAPHS))('the calls of the specification on %s', (_, open) => {
  let store: Store;
  let graph: Graph;
  beforeAll(async () => {
    store = await openSqlite(':memory:');
    graph = open(store) as Graph;
    for (const domain of ['a', 'b']) {
      for (const name of ['X', 'Y', 'Z']) await graph.add_node({ domain, id: name.toLowerCase(), name });
      await graph.add_edge({ domain, source: 'X', target: 'Y', relation: 'uses' });
      await graph.add_edge({ domain, source: 'Y', target: 'Z', relation: 'uses' });
      await graph.add_rule({ domain, text: `Rule of ${domain}.` });
    }
  });
  afterAll(() => store.close());

  const ids = (found: ReadonlyArray<{ readonly id: string }>): string[] => found.map(({ id }) => id);
  const XY = ['a:x|USES|a:y'];

  it('take the domain of rules by position and by name', async () => {
    for (const found of [
      await graph.get_rules('a'),
      await graph.get_rules({ domain: 'a' }),
      await graph.get_rules({ domains: ['a'] }),
    ])
      expect(found.map(({ text }) => text)).toEqual(['Rule of a.']);
    for (const found of [await graph.get_rules(), await graph.get_rules(null), await graph.get_rules({ domain: null })])
      expect(found).toHaveLength(2);
    expect(await graph.get_rules('none')).toEqual([]);
  });

  it('take the domain and the pattern of nodes by position and by name', async () => {
    expect(ids(await graph.find_nodes('a', 'X'))).toEqual(['a:x']);
    expect(ids(await graph.find_nodes({ domain: 'a', pattern: 'X' }))).toEqual(['a:x']);
    expect(ids(await graph.find_nodes('b'))).toEqual(['b:x', 'b:y', 'b:z']);
    expect(ids(await graph.find_nodes(null, 'x'))).toEqual(['a:x', 'b:x']);
    expect(await graph.find_nodes()).toHaveLength(6);
  });

  it('take the endpoints of edges by position and by name', async () => {
    expect(ids(await graph.get_edges('a:x'))).toEqual(XY);
    expect(ids(await graph.get_edges(undefined, 'a:y'))).toEqual(XY);
    expect(ids(await graph.get_edges('a:x', 'a:y'))).toEqual(XY);
    expect(ids(await graph.get_edges({ source_id: 'a:x', target_id: 'a:y' }))).toEqual(XY);
    expect(await graph.get_edges('a:x', 'a:z')).toEqual([]);
    expect(await graph.get_edges(null, null)).toHaveLength(4);
  });

  it('refuse what they do not understand, under both spellings', async () => {
    const calls = graph as unknown as Record<string, (...parameters: unknown[]) => Promise<unknown>>;
    const refused: Array<[string, unknown[], string]> = [
      ['get_rules', [{ domian: 'a' }], 'domian'],
      ['get_rules', [{ domain: 'a', domains: ['a'] }], 'domain'],
      ['get_rules', [{ domain: 5 }], 'domain'],
      ['get_rules', [['a']], 'domain'],
      ['get_rules', ['a', 'b'], 'parameter 2'],
      ['find_nodes', ['a', 5], 'pattern'],
      ['find_nodes', [{ name: 'X' }], 'name'],
      ['find_nodes', [{ domain: 'a' }, 'X'], 'domain'],
      ['get_edges', [{ source: 'a:x' }], 'source'],
      ['get_edges', [5], 'source_id'],
      ['getRules', [{ domain: 'a' }], 'domain'],
      ['getRules', ['a'], 'filter'],
      ['getRules', [{ domains: 'a' }], 'domains'],
      ['findNodes', [['a']], 'filter'],
      ['findNodes', [{ limit: 'all' }], 'limit'],
      ['getEdges', ['a:x'], 'filter'],
      ['getEdges', [{ among: [1] }], 'among'],
    ];
    for (const [name, parameters, member] of refused) {
      const error: unknown = await calls[name]!.apply(graph, parameters).catch((reason: unknown) => reason);
      expect([name, parameters, error]).toEqual([
        name,
        parameters,
        expect.objectContaining({ code: 'invalid_input', details: { member } }),
      ]);
    }
  });

  it('take back the edge that get_edges returns', async () => {
    const [edge] = await graph.get_edges('a:x', 'a:y');
    await graph.add_edge(edge!);
    expect(await graph.get_edges('a:x')).toEqual([edge]);
    await graph.add_edge({ source_id: 'a:z', target_id: 'a:x', relation_type: 'REQUIRES', confidence: 0.5 });
    expect(await graph.get_edges('a:z')).toMatchObject([{ id: 'a:z|REQUIRES|a:x', confidence: 0.5 }]);
    await graph.add_edge({ domain: 'b', source: 'Z', target: 'X', relation_type: 'requires' });
    expect(ids(await graph.get_edges('b:z'))).toEqual(['b:z|REQUIRES|b:x']);
  });

  it('take back the concept and the rule that were returned, under the same ids', async () => {
    const node = (await graph.get_node('a:x'))!;
    expect(await graph.add_node(node)).toEqual(node);
    const [unnamed] = await graph.get_rules('a');
    expect(await graph.add_rule(unnamed!)).toEqual(unnamed);
    expect(await graph.get_rules('a')).toEqual([unnamed]);
    const specified = {
      id: 'rule:valves',
      text: 'Open the valve slowly.',
      domain: 'c',
      category: 'security',
      confidence: 0.5,
      relevance: 0.4,
      source_concepts: [],
      metadata: { chapter: 2 },
    };
    const { relevance: _, ...kept } = specified;
    expect(await graph.add_rule(specified)).toEqual({ ...kept, derivation: 'explicit' });
    await graph.add_node({ domain: 'c', id: 'pump', name: 'Pump' });
    const named = { domain: 'c', text: 'Prime it first.', name: 'prime', source_concepts: ['c:pump'] };
    expect(await graph.add_rule(named)).toMatchObject({ id: 'rule:prime', source_concepts: ['c:pump'] });
  });

  it('take null in the place of an optional member as absent', async () => {
    const node = { id: null, description: null, confidence: null, properties: null };
    expect(await graph.add_node({ domain: 'd', name: 'W', ...node })).toMatchObject({ name: 'W', confidence: 1 });
    const rule = { id: null, name: null, category: null, confidence: null, source_concepts: null, metadata: null };
    const added = await graph.add_rule({ domain: 'd', text: 'Rule of d.', ...rule });
    expect(added).toMatchObject({ id: expect.stringMatching(/^rule:d:[0-9a-f]{20}$/), category: 'general' });
  });

  it('refuse a node or a rule with a member that such records do not have, or that they cannot give', async () => {
    const rule = { domain: 'a', text: 'One.' };
    const calls: Array<[Promise<unknown>, string]> = [
      [graph.add_node({ domain: 'a', name: 'V', text: 'x' } as never), 'text'],
      [graph.add_node({ domain: 'a', name: 'V', kind: 'passage' }), 'kind'],
      [graph.add_rule({ ...rule, rule: 'x' } as never), 'rule'],
      [graph.add_rule({ ...rule, derivation: 'derived' }), 'derivation'],
      [graph.add_rule({ ...rule, id: 'derived:a:x->a:y:uses:imperative' }), 'id'],
      [graph.add_rule({ ...rule, id: 'rule:one', name: 'two' }), 'name'],
      [graph.add_rule({ ...rule, concepts: ['X'], source_concepts: ['a:x'] }), 'concepts'],
    ];
    for (const [call, member] of calls)
      await expect(call).rejects.toMatchObject({ code: 'invalid_input', details: { member } });
  });

  it('refuse an edge that names no domain, two, a member twice, or one that edges do not have', async () => {
    const edges: Array<[object, string]> = [
      [{ source: 'X', target: 'Y', relation: 'uses' }, 'domain'],
      [{ source_id: 'a:x', target_id: 'b:y', relation_type: 'USES' }, 'target_id'],
      [{ domain: 'b', source_id: 'a:x', target_id: 'a:y', relation_type: 'USES' }, 'source_id'],
      [{ source_id: 'a:x', source: 'X', target_id: 'a:y', relation_type: 'USES' }, 'source'],
      [{ source_id: 'a:x', target_id: 'a:y', type: 'USES' }, 'type'],
    ];
    for (const [edge, member] of edges)
      await expect(graph.add_edge(edge as never)).rejects.toMatchObject({
        code: 'invalid_input',
        details: { member },
      });
  });
});

describe('a graph that was not connected', () => {
  it.each([
    ['InMemoryBackend', () => new InMemoryBackend()],
    ['Neo4jBackend', () => new Neo4jBackend({ host: '127.0.0.1', port: 9 })],
  ])('says so: %s', async (_, open) => {
    const graph = open();
    const error = { code: 'unavailable', message: expect.stringContaining('call connect() first') };
    await expect(graph.get_domain('a')).rejects.toMatchObject(error);
    await expect(graph.get_edges('a:x')).rejects.toMatchObject(error);
    await expect(graph.create_domain('a')).rejects.toMatchObject(error);
    await graph.store.close();
  });
});

describe('a manifest that is not whole', () => {
  const whole = {
    domain: 'a',
    source: { domain: 'a', kind: 'client', key: 'k', label: 'k' },
    content_hash: 'h',
    concepts: [{ name: 'X' }],
    edges: [],
    rules: [],
    passages: [],
    warnings: [],
  };
  it.each([
    ['source', { ...whole, source: undefined }],
    ['source.key', { ...whole, source: { ...whole.source, key: undefined } }],
    ['content_hash', { ...whole, content_hash: undefined }],
    ['concepts', { ...whole, concepts: undefined }],
    ['rules[0]', { ...whole, rules: [null] }],
    ['rules[0].name', { ...whole, rules: [{ text: 'x', name: null }] }],
    ['passages[0].id', { ...whole, passages: [{}] }],
    ['manifest', null],
  ])('is refused by the name of %s', async (member, manifest) => {
    const graph = new InMemoryBackend();
    await graph.connect();
    const details = { member };
    await expect(graph.ingest_manifest(manifest as never)).rejects.toMatchObject({ code: 'invalid_input', details });
    expect(await graph.list_domains()).toEqual([]);
    await graph.store.close();
  });
});
