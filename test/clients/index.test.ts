import { describe, expect, it } from '@jest/globals';
import * as library from '../../src/index.js';

/** The graph backend protocol, with what the graph-database implementation adds. */
const GRAPH = [
  'connect',
  'disconnect',
  'is_connected',
  'create_domain',
  'get_domain',
  'list_domains',
  'delete_domain',
  'add_node',
  'get_node',
  'find_nodes',
  'add_edge',
  'get_edges',
  'add_rule',
  'get_rules',
  'ingest_manifest',
  'personalized_pagerank',
  'checkpoint',
  'restore',
  'query',
] as const;

/** The operations as the specification spells them. */
const SPECIFIED = {
  InProcessClient: [
    'query',
    'explore',
    'rules',
    'feedback',
    'status',
    'domains',
    'ingest',
    'add_concepts',
    'get_nodes',
  ],
  HttpClient: ['query', 'explore', 'rules', 'feedback', 'status', 'domains', 'ingest'],
  Learner: [
    'select',
    'observe',
    'batch_observe',
    'top_arms',
    'decay_arm',
    'posteriors',
    'metrics',
    'apply_credit_deltas',
    'reset',
    'session_start',
    'session_end',
  ],
  EmbeddedBackend: GRAPH,
  InMemoryBackend: GRAPH,
} as const;

describe('the library', () => {
  it.each(Object.entries(SPECIFIED))(
    'has the operations of %s under the names of the specification',
    (name, methods) => {
      // biome-ignore lint/performance/noDynamicNamespaceImportAccess: the exports by name are what is tested
      const { prototype } = library[name as keyof typeof SPECIFIED];
      expect(
        methods.filter((method) => typeof (prototype as unknown as Record<string, unknown>)[method] !== 'function'),
      ).toEqual([]);
    },
  );

  it('calls by an alias what the method does', async () => {
    const graph = new library.InMemoryBackend({
      templates: library.shippedTemplates(),
    }) as library.Aliased<library.InMemoryBackend>;
    await graph.connect();
    const node = await graph.add_node({ domain: 'd', name: 'Redis' });
    expect(await graph.get_node(node.id)).toEqual(node);
    expect(await graph.find_nodes({ pattern: 'red*' })).toHaveLength(1);
    expect(graph.is_connected()).toBe(true);
  });

  it('has no alias for what no class has', () => {
    const classes = [
      library.InProcessClient,
      library.Learner,
      library.InMemoryBackend,
      library.TemplateRegistry,
      library.LlmEnrichment,
    ].map((one) => one.prototype as object);
    const unused = Object.keys(library.ALIASES).filter((name) => !classes.some((prototype) => name in prototype));
    expect(unused).toEqual([]);
  });
});
