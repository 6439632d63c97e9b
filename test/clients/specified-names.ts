// A program that uses each name of the library that the specification documents, in its spelling. It is compiled and run by
// library.test.ts; the compiler holds the types, `run` what can run without servers.
import {
  type Aliased,
  type ArmOutcome,
  append_signal,
  type Config,
  compose,
  EnrichmentPipeline,
  export_schemas,
  GraphRules,
  generate_seed_filename,
  get_template,
  HttpClient,
  InMemoryBackend,
  InProcessClient,
  interopConfig,
  type Learner,
  type LearnerConfig,
  type Llm,
  LlmEnrichment,
  list_failed_seeds,
  list_pending_seeds,
  list_processed_seeds,
  MemoryVectors,
  Neo4jBackend,
  openBuiltin,
  openLearner,
  Projection,
  RulesetTarget,
  read_signals,
  rule_to_dict,
  SvcError,
  select_template,
  serialize_ruleset,
  shippedTemplates,
  TemplateEnricher,
  templateRegistry,
  validate_event,
  validate_seed,
  write_config,
  write_seed_to_pending,
} from '../../src/index.js';

/** What a run found, for the test to look at. */
export type Findings = Record<string, unknown>;

export async function graphBackend(): Promise<Findings> {
  const graph = new InMemoryBackend({ templates: shippedTemplates() });
  await graph.connect();
  const connected = graph.is_connected();
  await graph.create_domain('kitchen', 'What we cook with');
  const kettle = await graph.add_node({ domain: 'kitchen', name: 'Kettle' });
  const stove = await graph.add_node({ domain: 'kitchen', name: 'Stove' });
  await graph.add_edge({ domain: 'kitchen', source: 'Kettle', target: 'Stove', relation: 'requires' });
  await graph.add_rule({ domain: 'kitchen', text: 'Never leave the kettle alone.' });
  const all = await graph.get_edges();
  const from = await graph.get_edges({ source_id: kettle.id, target_id: stove.id });
  const ranks = await graph.personalized_pagerank([kettle.id]);
  const checkpoint: string = await graph.checkpoint();
  await graph.delete_domain('kitchen');
  const removed = await graph.get_domain('kitchen');
  await graph.restore(checkpoint);
  const findings = {
    connected,
    edges: [all.length, from.length],
    best: [...ranks.scores.keys()][0] === kettle.id,
    removed,
    domains: (await graph.list_domains()).map(({ name }) => name),
    node: (await graph.get_node(kettle.id))?.name,
    found: (await graph.find_nodes({ domain: 'kitchen', pattern: 'ket*' })).length,
    rules: (await graph.get_rules({ domains: ['kitchen'] })).map(({ text }) => text),
  };
  await graph.disconnect();
  return findings;
}

/** The graph in Neo4j, made by address and by options; it connects in the live tests. */
export function neo4jBackends(): Array<Aliased<InstanceType<typeof Neo4jBackend>>> {
  return [
    new Neo4jBackend('127.0.0.1', 7687, 'neo4j', 'password'),
    new Neo4jBackend({ host: '127.0.0.1', port: 7687, username: 'neo4j', password: 'password' }),
  ];
}

export async function neo4jOperations(graph: InstanceType<typeof Neo4jBackend>): Promise<void> {
  await graph.query('RETURN 1 AS one');
  await graph.personalized_pagerank(['d:1', 'd:2']);
  const id: string = await graph.checkpoint();
  await graph.restore(id);
  await graph.ingest_manifest({
    domain: 'd',
    source: { domain: 'd', kind: 'client', key: 'k', label: 'k' },
    content_hash: 'h',
    concepts: [],
    edges: [],
    rules: [],
    passages: [],
    warnings: [],
  });
}

export async function learner(state_dir: string): Promise<Findings> {
  const config: Partial<LearnerConfig> & { name: string } = {
    name: 'prompts',
    baseline_rate: 0,
    seed_boost: 2,
    seed_arms: ['a'],
    state_dir,
    max_arms: 100,
    min_pulls: 0,
  };
  const opened = await openLearner(config, { seed: 1 });
  const one: Learner = opened;
  const selected = await one.select(
    [
      { id: 'a', token_cost: 5 },
      { id: 'b', metadata: {} },
    ],
    { task: 'x' },
    1,
  );
  const outcome: ArmOutcome = { arm_id: 'a', outcome: 'accepted' };
  await one.observe(outcome, { task: 'x' });
  await one.batch_observe(
    [
      { arm_id: 'b', reward: 0.25 },
      { arm_id: 'b', outcome: 'rejected' },
    ],
    { task: 'x' },
  );
  const top = await one.top_arms({ task: 'x' }, 1);
  await one.decay_arm('b', 0.5, { task: 'x' });
  const posteriors = await one.posteriors({ task: 'x' }, ['a']);
  await one.apply_credit_deltas({ a: { alpha: 1, beta: 0 } }, { task: 'x' });
  const metrics = await one.metrics();
  const { session_id } = await one.session_start('morning');
  const summary = await one.session_end(session_id);
  const reset = await one.reset(['a'], { task: 'x' });
  await opened.close();
  return {
    selected: selected.selected_arms.length,
    top: top.length,
    a: Object.keys(posteriors),
    pulls: metrics.total_pulls,
    session: summary.session_id === session_id,
    deleted: reset.deleted,
  };
}

export async function clients(file: string): Promise<Findings> {
  const parts = {
    vectors: new MemoryVectors(),
    graph: new InMemoryBackend({ templates: shippedTemplates() }),
    embedding: await openBuiltin('static'),
    mode: 'graph' as const,
  };
  const client = new InProcessClient(parts);
  const ids = await client.add_concepts(['A kettle boils water.', 'A stove heats a pan.'], 'kitchen');
  const nodes = await client.get_nodes(ids);
  await client.ingest(file, 'kitchen');
  const result = await client.query('What boils water?', { domains: ['kitchen'], top_k: 2, min_confidence: 0 });
  await client.feedback(result.query_id, { [result.items[0]!.id]: 'accepted' }, 'test');
  const explored = await client.explore(ids[0]!, 1);
  const absent = await client.explore('kitchen:absent');
  const rules = await client.rules({ domains: ['kitchen'], concept_ids: [], categories: [] });
  const status = await client.status();
  const domains = await client.domains();
  await client.close();
  return {
    nodes: nodes.length,
    items: result.items.length,
    node: explored?.node.id === ids[0],
    absent,
    projection: rules.projection,
    status: status.status,
    domains: domains.map(({ name }) => name),
  };
}

/** The client over HTTP, with every setting that is documented. */
export function httpClient(base: string): HttpClient {
  return new HttpClient(base, { api_key: 'key', hmac_secret: 'secret', timeout: 30.0 });
}

export async function projection(llm: Llm): Promise<Findings> {
  const graph = new InMemoryBackend({ templates: shippedTemplates() });
  await graph.connect();
  await graph.add_node({ domain: 'kitchen', name: 'Kettle' });
  await graph.add_node({ domain: 'kitchen', name: 'Stove' });
  await graph.add_edge({ domain: 'kitchen', source: 'Kettle', target: 'Stove', relation: 'requires' });
  const source = new GraphRules(graph);
  const rules = await source.derive(['kitchen'], { include_derived: true });
  const template = new TemplateEnricher('kitchen');
  const enriched = await template.enrich(rules);
  const backend = new LlmEnrichment(llm, { max_tokens: 100 });
  const direct = await backend.enrich_batch(rules, 'kitchen').catch((error: unknown) => error instanceof Error);
  const pipeline = new EnrichmentPipeline(template, { backend });
  const target = new RulesetTarget({ persona_name: 'cook', version: 1, graph_version: '2026-01-01T00:00:00Z' });
  const ruleset = await new Projection({ source, enricher: pipeline, target }).project(['kitchen'], {});
  const serialized = serialize_ruleset(enriched, 'cook', 1, '2026-01-01T00:00:00Z', '1.0.0');
  const dict = rule_to_dict(enriched[0]!);
  const found = templateRegistry.get_template('requires:imperative');
  const [edge] = await graph.get_edges();
  const selected = templateRegistry.select_template(edge!, 'imperative');
  templateRegistry.reset();
  const projected = await new Projection({ source, target }).project(null, null);
  const unfiltered = await source.derive(null, null);
  await graph.disconnect();
  return {
    direct,
    counts: pipeline.stats.succeeded + pipeline.stats.failed,
    persona: [ruleset.persona, serialized.persona],
    rule: dict.rule,
    same: found?.id === selected?.id,
    functions: [get_template('requires:imperative')?.id, select_template(edge!, 'imperative')?.id, selected?.id],
    unfiltered: unfiltered.length,
    projected: projected.rules.length,
    text: selected?.render('Kettle', 'Stove'),
    errors: validate_seed(ruleset),
  };
}

export async function interchange(directory: string): Promise<Findings> {
  const config = interopConfig();
  const paths = export_schemas(directory);
  const seed = serialize_ruleset([], 'cook', 1);
  const path = await write_seed_to_pending(seed, 'cook', 'kitchen', true);
  await append_signal({ event: 'seed_ingested', ts: new Date().toISOString(), source: 'consumer' });
  const signals = await read_signals(null, ['projection_complete']);
  const failed: Array<[string, string]> = list_failed_seeds();
  return {
    schemas: paths.length,
    pending: list_pending_seeds().includes(path),
    processed: list_processed_seeds().length,
    failed: failed.length,
    name: generate_seed_filename('cook', new Date(0)),
    signals: signals.map(({ event }) => event),
    invalid: validate_event({}).length > 0,
    written: typeof write_config(config),
  };
}

/** The exceptions: one class with a code for each that the specification names. */
export function kindOf(error: unknown): 'domain' | 'node' | 'connection' | 'other' {
  if (!(error instanceof SvcError)) return 'other';
  if (error.code === 'domain_not_found') return 'domain';
  if (error.code === 'node_not_found') return 'node';
  return error.code === 'unavailable' ? 'connection' : 'other';
}

/** The service of a configuration, which the in-process client takes too. */
export async function overService(config: Config): Promise<InProcessClient> {
  return new InProcessClient(await compose(config));
}
