import type { MemoryLimit } from '../backends/vector/port.js';
import { SvcError } from '../core/errors.js';
import { groupBy } from '../core/group-by.js';
import { counted } from '../core/wording/counted.js';
import type { FollowerStatus } from '../ledger/follower.js';
import type { Service } from '../service.js';

export type PartHealth = Readonly<Record<'graph' | 'vector' | 'text' | 'store', string>>;

/** Milliseconds that each part has to answer. */
const PART_TIMEOUT_MS = 2000;

/** Asks each part: `ok`, or the reason why it does not answer; one that hangs is given up after two seconds. */
async function partHealth(service: Service): Promise<PartHealth> {
  const [graph, vector, text, store] = await Promise.all([
    reason(() => service.graph.health()),
    reason(() => service.vectors.health()),
    reason(() => service.text.health()),
    reason(() => service.store.health()),
  ]);
  return { graph, vector, text, store };
}

/** Returns the problem of the embedding server that serves; empty where it answers or the model runs here. */
async function embeddingProblems(service: Service): Promise<string[]> {
  const { embedding } = service.concepts.serving;
  if (embedding?.remote !== true) return [];
  const state = await reason(() => embedding.health());
  return state === 'ok' ? [] : [`embedding: ${state}`];
}

function reason(check: () => Promise<void>): Promise<string> {
  return answerOf(
    () => check().then(() => 'ok'),
    (failure) => failure,
  );
}

/** Returns what `work` answers within two seconds, else what `instead` makes of the reason. */
async function answerOf<T>(work: () => Promise<T>, instead: (reason: string) => T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(instead('no answer within 2 s')), PART_TIMEOUT_MS);
  });
  const answer = Promise.resolve()
    .then(work)
    .catch((error: unknown) => instead(error instanceof SvcError ? error.message : 'failed'));
  const result = await Promise.race([answer, timeout]);
  clearTimeout(timer);
  return result;
}

/** Returns each reason once, behind the parts that have it: "vector, store: The disk of the store is full". */
function reasonsOf(health: PartHealth): string {
  const failed = Object.entries(health).filter(([, state]) => state !== 'ok');
  const byReason = [...groupBy(failed, ([, state]) => state)];
  return byReason
    .map(([state, parts]) => `${parts.map(([part]) => part).join(', ')}: ${state.replace(/\.$/, '')}`)
    .join('; ');
}

function problemsOf(health: PartHealth): string[] {
  return Object.entries(health)
    .filter(([, state]) => state !== 'ok')
    .map(([part, state]) => `${part}: ${state}`);
}

/**
 * Returns `ready`; `degraded` with the problem where only the embedding model does not answer, since queries are then
 * answered from text and graph. Throws `unavailable` with what is missing otherwise.
 */
export async function ready(service: Service): Promise<{ status: string; problems?: string[] }> {
  const [health, embedding] = await Promise.all([partHealth(service), embeddingProblems(service)]);
  const problems = problemsOf(health);
  if (problems.length > 0) {
    throw new SvcError(
      'unavailable',
      `Not ready: ${reasonsOf(health)}.`,
      { problems },
      { retriable: true, retryAfter: 1 },
    );
  }
  return embedding.length === 0 ? { status: 'ready' } : { status: 'degraded', problems: embedding };
}

const NO_FACTORS = {
  factors: { count: 0, mean: 1, min: 1, max: 1 },
  buffer: { buffered_edges: 0, total_promoted: 0 },
  backend: 'unknown',
};

/** Returns the status object: `degraded` with `problems` where a part does not answer. Never fails, never waits longer than two seconds for a part. */
export async function status(service: Service) {
  const missing: string[] = [];
  const report = <T>(part: string, value: T) => {
    return (why: string): T => {
      missing.push(`${part}: ${why}`);
      return value;
    };
  };
  const [health, embedding, , domain_count, interoception, lacking, engines, limits] = await Promise.all([
    partHealth(service),
    embeddingProblems(service),
    // Another process may have swapped the index since the last request here.
    answerOf(() => service.concepts.current().then(() => undefined), report('index', undefined)),
    answerOf(() => service.graph.listDomains().then((domains) => domains.length), report('domains', 0)),
    answerOf(() => service.interoception.status(), report('interoception', NO_FACTORS)),
    answerOf(() => service.concepts.lacking(), report('index', 0)),
    answerOf<FollowerStatus[]>(() => service.followers.status(), report('engines', [])),
    // A backend that does not answer is named by its health.
    answerOf<readonly MemoryLimit[]>(
      () => service.vectors.limits(),
      () => [],
    ),
  ]);
  const [problems, building] = [[...problemsOf(health), ...embedding, ...missing], service.concepts.building()];
  const mixed = service.concepts.problem();
  if (mixed !== null) problems.push(`embedding: ${mixed}`);
  if (lacking > 0) {
    const [have, are] = lacking === 1 ? ['has', 'it is'] : ['have', 'they are'];
    problems.push(
      `embedding: ${counted(lacking, 'text')} ${have} no vector yet; ${are} tried again by the service itself`,
    );
  }
  for (const { engine, state, behind, error, refused } of engines) {
    if (state === 'degraded') problems.push(`${engine}: ${lagOf(behind)}; ${error}`);
    const last = refused?.records.at(-1);
    if (last !== undefined)
      problems.push(`${engine}: ${counted(refused!.count, 'record')} refused, such as ${last.id}: ${last.error}`);
  }
  return {
    status: problems.length === 0 ? ('ok' as const) : ('degraded' as const),
    backend: service.graph.kind,
    vector_index: service.vectors.kind,
    vector_search: service.concepts.serving.embedding !== null,
    graph_algorithms: true,
    ppr: service.graph.ppr,
    domain_count,
    embedding_model: service.concepts.serving.embedding?.name ?? 'none',
    ...(building === null ? {} : { reindex: { model: building.model.name, embedded: building.embedded } }),
    interoception,
    ...(engines.length === 0 ? {} : { engines }),
    health,
    ...(problems.length === 0 ? {} : { problems }),
    ...(service.leftOut.length === 0 ? {} : { left_out: [...service.leftOut] }),
    ...(limits.length === 0 ? {} : { limits: limits.map(({ message }) => message) }),
  };
}

/** Returns how far an engine is behind the ledger, in words. */
function lagOf(behind: number | null): string {
  if (behind === null) return 'behind by an unknown number of changes';
  return behind === 0 ? 'up to date' : `${counted(behind, 'change')} behind`;
}

/** Returns knowledge, learning, activity and health in numbers. */
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
