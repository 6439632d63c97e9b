import { SvcError } from '../core/errors.js';
import type { Service } from '../service.js';

export type PartHealth = Readonly<Record<'graph' | 'vector' | 'text' | 'store', string>>;

const PATIENCE_MS = 3000;

/** Each part `ok`, or the reason why it does not answer. A part that hangs is given up after three seconds. */
async function partHealth(service: Service): Promise<PartHealth> {
  const [graph, vector, text, store] = await Promise.all([
    reason(service.graph.health()),
    reason(service.vectors.health()),
    reason(service.text.health()),
    reason(service.store.health()),
  ]);
  return { graph, vector, text, store };
}

async function reason(check: Promise<void>): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('no answer within 3 s'), PATIENCE_MS);
  });
  const answer = check.then(
    () => 'ok',
    (error: unknown) => (error instanceof SvcError ? error.message : 'failed'),
  );
  const result = await Promise.race([answer, timeout]);
  clearTimeout(timer);
  return result;
}

function problemsOf(health: PartHealth): string[] {
  return Object.entries(health)
    .filter(([, state]) => state !== 'ok')
    .map(([part, state]) => `${part}: ${state}`);
}

/** 503 with what is missing, else ready. */
export async function ready(service: Service): Promise<{ status: string }> {
  const problems = problemsOf(await partHealth(service));
  if (problems.length > 0) {
    throw new SvcError(
      'unavailable',
      `Not ready: ${problems.join('; ')}.`,
      { problems },
      { retriable: true, retryAfter: 1 },
    );
  }
  return { status: 'ready' };
}

/** The status object; `degraded` with `problems` when a configured part does not answer. */
export async function status(service: Service) {
  const health = await partHealth(service);
  // Another process may have swapped the index since the last request here.
  await service.concepts.current().catch(() => undefined);
  const [problems, building] = [problemsOf(health), service.concepts.building()];
  const mixed = service.concepts.problem();
  if (mixed !== null) problems.push(`embedding: ${mixed}`);
  const [domains, interoception] = await Promise.all([
    service.graph.listDomains().catch(() => []),
    service.interoception.status(),
  ]);
  return {
    status: problems.length === 0 ? 'ok' : 'degraded',
    backend: service.graph.kind,
    vector_index: service.vectors.kind,
    vector_search: service.concepts.serving.embedding !== null,
    graph_algorithms: true,
    ppr: service.graph.ppr,
    domain_count: domains.length,
    embedding_model: service.concepts.serving.embedding?.name ?? 'none',
    ...(building === null ? {} : { reindex: { model: building.model.name, embedded: building.embedded } }),
    interoception,
    health,
    ...(problems.length === 0 ? {} : { problems }),
  };
}

/** Knowledge, learning, activity and health in one answer. */
export async function stats(service: Service) {
  const [domains, totals, learning, activity] = await Promise.all([
    service.graph.listDomains(),
    service.graph.statistics(),
    service.learning.summary(),
    service.feedback.activity(),
  ]);
  return {
    knowledge: {
      domains: totals.domains,
      concepts: totals.concepts,
      edges: totals.edges,
      rules: totals.rules,
      domain_breakdown: Object.fromEntries(
        domains.map(({ name, concept_count, edge_count, rule_count, passages }) => [
          name,
          { concepts: concept_count, edges: edge_count, rules: rule_count, passages },
        ]),
      ),
    },
    learning,
    activity,
    health: {
      backend: service.graph.kind,
      vector_index: service.vectors.kind,
      embedding_model: service.concepts.serving.embedding?.name ?? 'none',
      persistence: service.store.dialect,
    },
  };
}
