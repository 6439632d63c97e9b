import { type Static, type TSchema, Type } from '@sinclair/typebox';

const MAX_PORT = 65_535;

function oneOf<const T extends readonly string[]>(...values: T) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values] });
}

/** Makes a schema accept null, which stands for "not set". */
function orNull<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()]);
}

const Text = Type.String({ minLength: 1 });
const Name = orNull(Text);
const Url = orNull(
  Type.String({ pattern: '^[a-z][a-z0-9+.-]*://\\S+$', description: 'an address such as http://host:port' }),
);
/** The address of a server that is asked over HTTP. */
const HttpUrl = orNull(
  Type.String({ pattern: '^https?://\\S+$', description: 'an http or https address such as http://host:port' }),
);
const Port = Type.Integer({ minimum: 0, maximum: MAX_PORT });
const Share = Type.Number({ minimum: 0, maximum: 1 });
const closed = { additionalProperties: false };

const MatchScores = Type.Object(
  {
    exact: Share,
    alias: Share,
    acronym_stated: Share,
    acronym_together: Share,
    acronym_long: Share,
    acronym_context: Share,
    acronym_bare: Share,
    person_together: Share,
    person_context: Share,
    person_bare: Share,
    spelling: Share,
  },
  closed,
);

const Learner = Type.Object(
  {
    baseline_rate: Type.Optional(Share),
    seed_boost: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
    seed_arms: Type.Optional(Type.Array(Text)),
    state_dir: Type.Optional(Type.String()),
    max_arms: Type.Optional(Type.Integer({ minimum: 1 })),
    min_pulls: Type.Optional(Type.Integer({ minimum: 0 })),
  },
  closed,
);

const Amount = Type.Optional(Type.Number({ minimum: 0 }));

/** Members of a factor of the emissions module; names are those of its API. */
const FactorOverride = Type.Object(
  {
    inputCo2PerMillionTokens: Amount,
    outputCo2PerMillionTokens: Amount,
    cacheReadCo2PerMillionTokens: Amount,
    waterMlPerMillionTokens: Amount,
    confidence: Type.Optional(Share),
    source: Type.Optional(oneOf('measured', 'research', 'estimated', 'fallback')),
  },
  closed,
);

/** All settings, as they stand in the YAML files. The environment's names are in `variables.ts`. */
export const Settings = Type.Object(
  {
    http: Type.Object(
      {
        host: Text,
        port: Port,
        port_b: Port,
        cors_origins: Type.Array(Text, { minItems: 1 }),
        gateway_cors_origin: Text,
        allowed_hosts: Type.Array(Text),
        max_body_bytes: Type.Integer({ minimum: 1024 }),
        max_upload_bytes: Type.Integer({ minimum: 1024 }),
        rate_limit: orNull(
          Type.String({
            pattern: '^[1-9]\\d{0,5}(:[1-9]\\d{0,6})?$',
            description: 'requests a second, or requests:burst, such as 10 or 10:50',
          }),
        ),
        max_running: Type.Integer({ minimum: 1, maximum: 10_000 }),
        max_waiting: Type.Integer({ minimum: 0, maximum: 100_000 }),
        max_arriving: Type.Integer({ minimum: 1, maximum: 100_000 }),
        max_bodies_bytes: Type.Integer({ minimum: 1024 }),
        drain_seconds: Type.Number({ minimum: 0, maximum: 3600 }),
      },
      closed,
    ),
    auth: Type.Object(
      {
        api_keys: Type.Array(Text),
        keys_file: Name,
        failures_per_minute: Type.Integer({ minimum: 1 }),
        hmac_secret: Name,
        hmac_max_age: Type.Integer({ minimum: 1, maximum: 86_400 }),
        hmac_require_nonce: Type.Boolean(),
        hmac_compat: Type.Array(oneOf('path-only', 'timestamp-body')),
      },
      closed,
    ),
    data: Type.Object({ dir: Text, lock_wait_seconds: Type.Number({ minimum: 0, maximum: 3600 }) }, closed),
    store: Type.Object({ kind: oneOf('sqlite', 'postgres'), database_url: Url }, closed),
    vectors: Type.Object(
      {
        kind: orNull(oneOf('hnsw', 'pgvector', 'qdrant', 'memory')),
        graph_mb: orNull(Type.Integer({ minimum: 0, maximum: 10_000_000 })),
        qdrant_url: HttpUrl,
        qdrant_api_key: Name,
        qdrant_prefix: Type.String({ pattern: '^(?!owner-)[A-Za-z0-9][A-Za-z0-9_-]{0,59}$' }),
      },
      closed,
    ),
    text: Type.Object({ kind: orNull(oneOf('postings', 'neo4j', 'memory')) }, closed),
    graph: Type.Object(
      {
        kind: oneOf('embedded', 'neo4j', 'memory'),
        neo4j_uri: Url,
        neo4j_host: Name,
        neo4j_port: Type.Integer({ minimum: 1, maximum: MAX_PORT }),
        neo4j_user: Text,
        neo4j_password: Name,
        neo4j_database: Text,
        neo4j_timeout: Type.Integer({ minimum: 1, maximum: 3600 }),
        neo4j_connections: Type.Integer({ minimum: 1, maximum: 1000 }),
        follow_timeout_ms: Type.Integer({ minimum: 0, maximum: 600_000 }),
        ppr: oneOf('auto', 'gds', 'local'),
        edge_templates: Name,
      },
      closed,
    ),
    embedding: Type.Object(
      { kind: oneOf('minilm', 'static', 'openai', 'ollama', 'none'), url: HttpUrl, model: Name, key: Name },
      closed,
    ),
    llm: Type.Object(
      {
        kind: oneOf('none', 'openai', 'anthropic', 'ollama'),
        url: HttpUrl,
        model: Name,
        key: Name,
        timeout_seconds: Type.Number({ exclusiveMinimum: 0, maximum: 3600 }),
        attempts: Type.Integer({ minimum: 1, maximum: 20 }),
        concurrency: Type.Integer({ minimum: 1, maximum: 100 }),
        send_temperature: Type.Boolean(),
        token_limit: oneOf('max_tokens', 'max_completion_tokens', 'none'),
        input_price: orNull(Type.Number({ minimum: 0 })),
        output_price: orNull(Type.Number({ minimum: 0 })),
        extraction: Type.Object(
          {
            enabled: Type.Boolean(),
            min_confidence: Share,
            chunk_chars: Type.Integer({ minimum: 500, maximum: 100_000 }),
            max_tokens: Type.Integer({ minimum: 100, maximum: 100_000 }),
          },
          closed,
        ),
      },
      closed,
    ),
    entities: Type.Object(
      {
        threshold: Share,
        context: Share,
        homonym: Share,
        neighbours: Type.Integer({ minimum: 0, maximum: 100 }),
        largest_block: Type.Integer({ minimum: 2, maximum: 10_000 }),
        spelling: Share,
        scores: MatchScores,
      },
      closed,
    ),
    interop: Type.Object({ file: Name }, closed),
    ingest: Type.Object({ roots: Type.Array(Text) }, closed),
    query: Type.Object({ timeout_ms: Type.Integer({ minimum: 0, maximum: 3_600_000 }) }, closed),
    jobs: Type.Object(
      {
        workers: Type.Integer({ minimum: 1, maximum: 64 }),
        retention_days: Type.Number({ exclusiveMinimum: 0 }),
        retention_rows: Type.Integer({ minimum: 1 }),
      },
      closed,
    ),
    sources: Type.Object(
      { secret_key: orNull(Type.String({ minLength: 16 })), hosts: Type.Array(Text), conventions: Name },
      closed,
    ),
    learning: Type.Object(
      {
        outcomes: Type.Record(Type.String(), Share),
        retention_days: Type.Number({ exclusiveMinimum: 0 }),
        retention_rows: Type.Integer({ minimum: 1 }),
      },
      closed,
    ),
    learners: Type.Record(Type.String(), Learner),
    interoception: Type.Object(
      {
        enabled: Type.Boolean(),
        eta: Share,
        targets: Type.Object(
          {
            accepted: Type.Number({ exclusiveMinimum: 0 }),
            partial: Type.Number({ exclusiveMinimum: 0 }),
            rejected: Type.Number({ exclusiveMinimum: 0 }),
          },
          closed,
        ),
        half_life_days: Type.Number({ exclusiveMinimum: 0 }),
        promote_cosine: Share,
        promote_sightings: Type.Integer({ minimum: 1 }),
        promote_mean: Share,
        buffer_pairs: Type.Integer({ minimum: 1 }),
      },
      closed,
    ),
    credit: Type.Object({ enabled: Type.Boolean(), weight: Share }, closed),
    green: Type.Object(
      {
        enabled: Type.Boolean(),
        mode: oneOf('disabled', 'passive', 'active'),
        factor_overrides: Type.Record(Type.String(), FactorOverride),
        default_grid_carbon: Type.Number({ minimum: 0, maximum: 2000 }),
        daily_alert_threshold: orNull(Type.Number({ minimum: 0 })),
        show_in_status: Type.Boolean(),
        equivalents: oneOf('classic', 'epa-2026', 'eu'),
        organization: Type.Object(
          {
            boundary: Text,
            approach: oneOf('operational_control', 'financial_control', 'equity_share'),
            entities: Type.Array(Text),
          },
          closed,
        ),
      },
      closed,
    ),
    gateway_learning: Type.Object(
      {
        enabled: Type.Boolean(),
        phase: oneOf('passive', 'active'),
        strategy: oneOf('thompson'),
        token_budget: Type.Integer({ minimum: 1 }),
        baseline_rate: Share,
        min_pulls: Type.Integer({ minimum: 0 }),
        seed_arm_ids: Type.Array(Text),
        url: HttpUrl,
        key: Name,
      },
      closed,
    ),
    tools: Type.Object({ profile: Type.Array(Text, { minItems: 1 }) }, closed),
    tracing: Type.Object(
      {
        enabled: Type.Boolean(),
        exporter: Text,
        endpoint: Url,
        traces_endpoint: Url,
        protocol: oneOf('http/json', 'http/protobuf', 'grpc'),
        service_name: Name,
        sample: orNull(Share),
      },
      closed,
    ),
    log: Type.Object({ level: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent') }, closed),
  },
  closed,
);

export type Settings = Static<typeof Settings>;
