/** Path of a setting in the YAML, such as `http.port`. */
export type SettingPath = string;

/** Where a variable's value goes and how its text is read; what is allowed stands in the schema. */
export interface Variable {
  readonly path: SettingPath;
  readonly read: 'text' | 'number' | 'switch' | 'list';
  /** Read under its own name, without the service's prefix. */
  readonly unprefixed?: true;
  /** Other words for a value. */
  readonly synonyms?: Readonly<Record<string, string>>;
}

const VEC = { sqlite: 'hnsw', embedded: 'hnsw', postgres: 'pgvector', postgresql: 'pgvector' };

/** Every environment variable, without its prefix. */
export const VARIABLES: Readonly<Record<string, Variable>> = {
  HOST: { path: 'http.host', read: 'text' },
  PORT: { path: 'http.port', read: 'number' },
  PORT_B: { path: 'http.port_b', read: 'number' },
  CORS_ORIGINS: { path: 'http.cors_origins', read: 'list' },
  GATEWAY_CORS_ORIGIN: { path: 'http.gateway_cors_origin', read: 'text', unprefixed: true },
  MAX_BODY_BYTES: { path: 'http.max_body_bytes', read: 'number' },
  MAX_UPLOAD_BYTES: { path: 'http.max_upload_bytes', read: 'number' },
  ALLOWED_HOSTS: { path: 'http.allowed_hosts', read: 'list' },
  RATE_LIMIT: { path: 'http.rate_limit', read: 'text' },
  MAX_RUNNING: { path: 'http.max_running', read: 'number' },
  MAX_WAITING: { path: 'http.max_waiting', read: 'number' },
  MAX_ARRIVING: { path: 'http.max_arriving', read: 'number' },
  MAX_BODIES_BYTES: { path: 'http.max_bodies_bytes', read: 'number' },
  QUERY_TIMEOUT_MS: { path: 'query.timeout_ms', read: 'number' },
  DRAIN_SECONDS: { path: 'http.drain_seconds', read: 'number' },
  API_KEYS: { path: 'auth.api_keys', read: 'list' },
  KEYS_FILE: { path: 'auth.keys_file', read: 'text' },
  AUTH_FAILURES: { path: 'auth.failures_per_minute', read: 'number' },
  HMAC_SECRET: { path: 'auth.hmac_secret', read: 'text' },
  HMAC_MAX_AGE: { path: 'auth.hmac_max_age', read: 'number' },
  HMAC_REQUIRE_NONCE: { path: 'auth.hmac_require_nonce', read: 'switch' },
  HMAC_COMPAT: { path: 'auth.hmac_compat', read: 'list' },
  DATA_DIR: { path: 'data.dir', read: 'text' },
  LOCK_WAIT_SECONDS: { path: 'data.lock_wait_seconds', read: 'number' },
  STORE: { path: 'store.kind', read: 'text', synonyms: { postgresql: 'postgres' } },
  DATABASE_URL: { path: 'store.database_url', read: 'text', unprefixed: true },
  VEC: { path: 'vectors.kind', read: 'text', synonyms: VEC },
  VECTOR_GRAPH_MB: { path: 'vectors.graph_mb', read: 'number' },
  QDRANT_URL: { path: 'vectors.qdrant_url', read: 'text' },
  QDRANT_API_KEY: { path: 'vectors.qdrant_api_key', read: 'text' },
  QDRANT_PREFIX: { path: 'vectors.qdrant_prefix', read: 'text' },
  TEXT: { path: 'text.kind', read: 'text' },
  GRAPH: { path: 'graph.kind', read: 'text' },
  NEO4J_URI: { path: 'graph.neo4j_uri', read: 'text' },
  NEO4J_HOST: { path: 'graph.neo4j_host', read: 'text' },
  NEO4J_PORT: { path: 'graph.neo4j_port', read: 'number' },
  NEO4J_USER: { path: 'graph.neo4j_user', read: 'text' },
  NEO4J_PASSWORD: { path: 'graph.neo4j_password', read: 'text' },
  PPR: { path: 'graph.ppr', read: 'text' },
  EDGE_TEMPLATES: { path: 'graph.edge_templates', read: 'text' },
  NEO4J_DATABASE: { path: 'graph.neo4j_database', read: 'text' },
  NEO4J_TIMEOUT: { path: 'graph.neo4j_timeout', read: 'number' },
  NEO4J_CONNECTIONS: { path: 'graph.neo4j_connections', read: 'number' },
  FOLLOW_TIMEOUT_MS: { path: 'graph.follow_timeout_ms', read: 'number' },
  EMBEDDING: { path: 'embedding.kind', read: 'text' },
  EMBEDDING_URL: { path: 'embedding.url', read: 'text' },
  EMBEDDING_MODEL: { path: 'embedding.model', read: 'text' },
  EMBEDDING_KEY: { path: 'embedding.key', read: 'text' },
  LLM: { path: 'llm.kind', read: 'text' },
  LLM_URL: { path: 'llm.url', read: 'text' },
  LLM_MODEL: { path: 'llm.model', read: 'text' },
  LLM_KEY: { path: 'llm.key', read: 'text' },
  LLM_SEND_TEMPERATURE: { path: 'llm.send_temperature', read: 'switch' },
  LLM_TOKEN_LIMIT: { path: 'llm.token_limit', read: 'text' },
  LLM_TIMEOUT: { path: 'llm.timeout_seconds', read: 'number' },
  INTEROP_CONFIG: { path: 'interop.file', read: 'text' },
  INGEST_ROOTS: { path: 'ingest.roots', read: 'list' },
  JOB_WORKERS: { path: 'jobs.workers', read: 'number' },
  JOB_RETENTION_DAYS: { path: 'jobs.retention_days', read: 'number' },
  JOB_RETENTION_ROWS: { path: 'jobs.retention_rows', read: 'number' },
  SOURCE_HOSTS: { path: 'sources.hosts', read: 'list' },
  SOURCES_CONFIG: { path: 'sources.conventions', read: 'text' },
  SECRET_KEY: { path: 'sources.secret_key', read: 'text' },
  INTEROCEPTION: { path: 'interoception.enabled', read: 'switch' },
  RETENTION_DAYS: { path: 'learning.retention_days', read: 'number' },
  RETENTION_ROWS: { path: 'learning.retention_rows', read: 'number' },
  CREDIT: { path: 'credit.enabled', read: 'switch' },
  CREDIT_WEIGHT: { path: 'credit.weight', read: 'number' },
  GREEN_ENABLED: { path: 'green.enabled', read: 'switch' },
  GREEN_MODE: { path: 'green.mode', read: 'text' },
  GREEN_GRID_CARBON: { path: 'green.default_grid_carbon', read: 'number' },
  LEARNING_PHASE: { path: 'gateway_learning.phase', read: 'text' },
  LEARNING_URL: { path: 'gateway_learning.url', read: 'text' },
  LEARNING_KEY: { path: 'gateway_learning.key', read: 'text' },
  TOOLS: { path: 'tools.profile', read: 'list' },
  TRACING: { path: 'tracing.enabled', read: 'switch' },
  TRACING_SAMPLE: { path: 'tracing.sample', read: 'number' },
  OTEL_TRACES_EXPORTER: { path: 'tracing.exporter', read: 'text', unprefixed: true },
  OTEL_EXPORTER_OTLP_ENDPOINT: { path: 'tracing.endpoint', read: 'text', unprefixed: true },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: { path: 'tracing.traces_endpoint', read: 'text', unprefixed: true },
  OTEL_EXPORTER_OTLP_PROTOCOL: { path: 'tracing.protocol', read: 'text', unprefixed: true },
  OTEL_SERVICE_NAME: { path: 'tracing.service_name', read: 'text', unprefixed: true },
  LOG_LEVEL: { path: 'log.level', read: 'text' },
};

/** Read before the table, since they say how to read it. */
export const LEADING = ['NAME', 'CONFIG'] as const;

/** Settings whose value never leaves the process. */
export const SECRETS: readonly SettingPath[] = [
  'auth.api_keys',
  'auth.hmac_secret',
  'vectors.qdrant_api_key',
  'graph.neo4j_password',
  'embedding.key',
  'llm.key',
  'sources.secret_key',
  'gateway_learning.key',
];

/** Settings that are addresses and may carry a user and a password. */
export const ADDRESSES: readonly SettingPath[] = [
  'store.database_url',
  'vectors.qdrant_url',
  'graph.neo4j_uri',
  'embedding.url',
  'llm.url',
  'tracing.endpoint',
  'tracing.traces_endpoint',
  'gateway_learning.url',
];

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

const SWITCH: Readonly<Record<string, boolean>> = {
  on: true,
  true: true,
  yes: true,
  '1': true,
  off: false,
  false: false,
  no: false,
  '0': false,
};

/**
 * Reads the text of a variable as a value of its setting; what cannot be read stays text and fails validation with its
 * name.
 */
export function readVariable(variable: Variable, text: string): unknown {
  const trimmed = text.trim();
  switch (variable.read) {
    case 'number':
      return NUMBER.test(trimmed) && Number.isFinite(Number(trimmed)) ? Number(trimmed) : trimmed;
    case 'switch':
      return Object.hasOwn(SWITCH, trimmed.toLowerCase()) ? SWITCH[trimmed.toLowerCase()] : trimmed;
    case 'list':
      return trimmed
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '');
    default:
      return variable.synonyms !== undefined && Object.hasOwn(variable.synonyms, trimmed)
        ? variable.synonyms[trimmed]
        : trimmed;
  }
}
