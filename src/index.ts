import { type Aliased, type AliasedClass, addAliases } from './aliases.js';
import { EmbeddedBackend as Embedded } from './backends/graph/embedded.js';
import { InMemoryBackend as InMemory } from './backends/graph/memory.js';
import { Neo4jBackend as Neo4j, type Neo4jBackendOptions } from './backends/graph/neo4j.js';
import { InProcessClient as InProcess } from './clients/in-process.js';
import { type OpenedLearner, type OpenLearnerOptions, openLearner as open } from './compose/open-learner.js';
import { configFile } from './config/files.js';
import { type EdgeTemplate, readTemplates } from './core/derive-rules.js';
import type { GraphEdge } from './core/model.js';
import {
  appendSignal,
  generateSeedFilename,
  listFailedSeeds,
  listPendingSeeds,
  listProcessedSeeds,
  readSignals,
  writeConfig,
  writeSeedToPending,
} from './interchange.js';
import { exportSchemas } from './interop/schemas.js';
import { validateEvent, validateSeed } from './interop/validate.js';
import { Learner as LearnerOfStore } from './learning/learner/learner.js';
import type { LearnerConfig } from './learning/learner/learner-config.js';
import { LlmEnrichment as LlmEnricher } from './projection/enrich-llm.js';
import { ruleToDict, serializeRuleset } from './projection/targets/ruleset.js';
import { type RuleTemplate, TemplateRegistry as Templates } from './projection/templates.js';

// Every method that the specification names in snake_case answers to that name too.
addAliases(Templates, LlmEnricher, InProcess, LearnerOfStore, InMemory, Embedded, Neo4j);

/** Holds the templates of derived rules by id, `<relation>:<variant>`. */
export const TemplateRegistry = Templates as AliasedClass<typeof Templates>;
export type TemplateRegistry = Aliased<Templates>;
/** Enriches rules by a language model: one request per batch. Texts that a rule carries itself win. */
export const LlmEnrichment = LlmEnricher as AliasedClass<typeof LlmEnricher>;
export type LlmEnrichment = Aliased<LlmEnricher>;
/**
 * The service's operations without a network: over a vector index, a graph and an embedding model, whose records it keeps
 * in memory, or over a service of this process, `await compose(loadConfig())`. Close it when done.
 */
export const InProcessClient = InProcess as AliasedClass<typeof InProcess>;
export type InProcessClient = Aliased<InProcess>;
/** One named learner: Thompson sampling over Beta posteriors, partitioned by context; `openLearner` opens one. */
export const Learner = LearnerOfStore as AliasedClass<typeof LearnerOfStore>;
export type Learner = Aliased<LearnerOfStore>;
/** A graph in the memory of this process, for tests and experiments: what is in it is lost with the process. */
export const InMemoryBackend = InMemory as AliasedClass<typeof InMemory>;
export type InMemoryBackend = Aliased<InMemory>;
/** The graph in an SQL store, of `openSqlite` or `openPostgres`, with its topology in the memory of this process. */
export const EmbeddedBackend = Embedded as AliasedClass<typeof Embedded>;
export type EmbeddedBackend = Aliased<Embedded>;
/** The graph in Neo4j, by options or by `(host, port, username, password)`. */
export const Neo4jBackend = Neo4j as unknown as {
  new (options?: Neo4jBackendOptions): Aliased<Neo4j>;
  new (host: string, port: number, username: string, password: string, options?: Neo4jBackendOptions): Aliased<Neo4j>;
  readonly prototype: Aliased<Neo4j>;
};
export type Neo4jBackend = Aliased<Neo4j>;

/** Opens a learner of its own: see `openLearner` of `compose/open-learner`. */
export const openLearner = open as (
  settings: Partial<LearnerConfig> & { readonly name: string },
  options?: OpenLearnerOptions,
) => Promise<Aliased<OpenedLearner>>;

/** Returns the shipped templates of derived rules, for a graph built by hand: `new InMemoryBackend({ templates })`. */
export function shippedTemplates(): EdgeTemplate[] {
  return readTemplates(configFile('edge-templates.yaml'));
}

export { ALIASES, type Aliased } from './aliases.js';
export { openBuiltin } from './backends/embedding/builtin.js';
export { openCached, openCachedHttp } from './backends/embedding/cached.js';
export type { EmbeddingModel } from './backends/embedding/port.js';
export type { GraphBackend } from './backends/graph/port.js';
export { type LlmOptions, openLlm } from './backends/llm/open.js';
export type { Llm } from './backends/llm/port.js';
export { openPostgres } from './backends/store/engine/postgres.js';
export { openSqlite } from './backends/store/engine/sqlite.js';
export type { Store } from './backends/store/scope.js';
export { HnswVectors } from './backends/vector/hnsw.js';
export { MemoryVectors } from './backends/vector/memory.js';
export { PgVectors } from './backends/vector/pgvector.js';
export type { VectorBackend } from './backends/vector/port.js';
export { QdrantVectors } from './backends/vector/qdrant.js';
export { HttpClient, type HttpClientOptions } from './clients/http.js';
export type { ClientMode, InProcessParts } from './clients/in-process.js';
export type {
  CallOptions,
  ClientDomain,
  ClientEdge,
  ClientNode,
  ClientQueryResult,
  ClientRule,
  ExploreResult,
  KnowledgeClient,
  QueryOptions,
  RulesOptions,
  RulesResult,
} from './clients/protocol.js';
export { openDirectory as compose } from './compose/open-directory.js';
export { type ComposedService, type ServiceParts, serviceFromParts } from './compose.js';
export { type Config, type LoadOptions, loadConfig } from './config.js';
export type { EdgeTemplate } from './core/derive-rules.js';
export { type ErrorCode, isErrorCode, SvcError, statusOf } from './core/errors.js';
export { type SignedParts, signRequest } from './core/hmac.js';
export type { GraphEdge, GraphNode, GraphRule, Manifest } from './core/model.js';
export type { Random } from './core/random.js';
export { VERSION } from './core/version.js';
export type { GatewayLearningSettings } from './gateway/learning/learning-settings.js';
export {
  type ArmChoice,
  type ArmStates,
  type PromptArm,
  type PromptSelection,
  selectPromptArms,
} from './gateway/learning/select-arms.js';
export { interopConfig } from './interchange.js';
export type { InteropConfig } from './interop/config.js';
export type { SignalEvent } from './interop/signals.js';
export type { LearnerConfig } from './learning/learner/learner-config.js';
export type { ArmOutcome, ArmState } from './learning/learner/learner-types.js';
export { Learning } from './learning/learning.js';
export { operations } from './operations/index.js';
export { invoke } from './operations/invoke.js';
export type { CallContext, Operation } from './operations/operation.js';
export { TemplateEnricher } from './projection/enrich-template.js';
export { type EnrichmentBackend, EnrichmentPipeline } from './projection/enrichment.js';
export { Projection } from './projection/projection.js';
export { GraphRules } from './projection/rule-source.js';
export { FlatYamlTarget } from './projection/targets/flat-yaml.js';
export { AgentsTarget, SkillTarget } from './projection/targets/markdown.js';
export { type Ruleset, RulesetTarget } from './projection/targets/ruleset.js';
export type { RuleTemplate } from './projection/templates.js';
export type { EnrichedRule, Enricher, RuleFilters, RuleSource, Target } from './projection/types.js';
export { documentOf, VARIANTS, type VariantName } from './server/variants.js';
export type { Service } from './service.js';

/** A registry of the shipped templates of derived rules: `getTemplate`, `selectTemplate`, `reset`. */
export const templateRegistry = new TemplateRegistry(shippedTemplates());

/** Returns the template of this id, `<relation>:<variant>`, from `templateRegistry`; undefined when there is none. */
export function getTemplate(id: string): RuleTemplate | undefined {
  return templateRegistry.getTemplate(id);
}

/** Returns the template of `templateRegistry` for an edge: the requested variant, else the first of its relation. */
export function selectTemplate(edge: Pick<GraphEdge, 'relation_type'>, variant?: string): RuleTemplate | undefined {
  return templateRegistry.selectTemplate(edge, variant);
}

// The specification's functions, each under both of its names.
export {
  appendSignal,
  appendSignal as append_signal,
  exportSchemas,
  exportSchemas as export_schemas,
  generateSeedFilename,
  generateSeedFilename as generate_seed_filename,
  getTemplate as get_template,
  listFailedSeeds,
  listFailedSeeds as list_failed_seeds,
  listPendingSeeds,
  listPendingSeeds as list_pending_seeds,
  listProcessedSeeds,
  listProcessedSeeds as list_processed_seeds,
  readSignals,
  readSignals as read_signals,
  ruleToDict,
  ruleToDict as rule_to_dict,
  selectTemplate as select_template,
  serializeRuleset,
  serializeRuleset as serialize_ruleset,
  validateEvent,
  validateEvent as validate_event,
  validateSeed,
  validateSeed as validate_seed,
  writeConfig,
  writeConfig as write_config,
  writeSeedToPending,
  writeSeedToPending as write_seed_to_pending,
};
