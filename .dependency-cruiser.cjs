/**
 * Who may import whom (docs: the table of the architecture page). Imports point one way:
 * surfaces → operations → capabilities → ports and store → core. `npm run check` fails on the first step back.
 */
const capabilities = 'retrieval|learning|ingest|sources|projection|interop|gateway';
const surfaces = 'server|mcp|clients|cli';
/** Pure functions and types beside a port that belong to its interface. */
const ports = '^src/backends/[^/]+/port\\.ts$|^src/backends/(embedding/int8|llm/structured-output|relational/address|vector/filter)\\.ts$|^src/backends/store/';

/** Sideways imports between capabilities: the only ones. */
const sideways = {
  sources: 'ingest',
  retrieval: 'learning',
  learning: 'ingest',
  interop: 'ingest',
  gateway: 'learning',
};

module.exports = {
  forbidden: [
    {
      name: 'no-circle',
      comment: 'A circle of files, also one of types alone, has no first file to read.',
      severity: 'error',
      from: { path: '^src/' },
      to: { circular: true },
    },
    {
      name: 'core-imports-nothing-of-ours',
      severity: 'error',
      from: { path: '^src/core/' },
      to: { path: '^src/', pathNot: '^src/core/' },
    },
    {
      name: 'backends-import-core-only',
      severity: 'error',
      from: { path: '^src/backends/' },
      to: { path: '^src/', pathNot: '^src/(core|backends|ledger)/' },
    },
    {
      name: 'the-ledger-stands-on-the-store',
      comment: 'Graph engines and other followers import the ledger, never the other way round.',
      severity: 'error',
      from: { path: '^src/ledger/' },
      to: { path: '^src/', pathNot: '^src/(core|ledger|backends/store)/' },
    },
    {
      name: 'a-port-keeps-to-itself',
      comment: 'Adapters share the store, the Neo4j connection and HTTP requests, nothing else across ports.',
      severity: 'error',
      from: { path: '^src/backends/([^/]+)/' },
      to: { path: '^src/backends/', pathNot: '^src/backends/($1|store|neo4j-connection|http-request)(/|\\.ts$)' },
    },
    {
      name: 'capabilities-see-ports-not-adapters',
      severity: 'error',
      from: { path: `^src/(${capabilities})/` },
      to: { path: '^src/backends/', pathNot: ports },
    },
    {
      name: 'capabilities-import-downwards',
      severity: 'error',
      from: { path: `^src/(${capabilities})/` },
      to: { path: '^src/', pathNot: `^src/(core|backends|ledger|${capabilities})/` },
    },
    ...capabilities.split('|').map((name) => ({
      name: `${name}-sideways`,
      comment: 'Capabilities are composed in operations; the few sideways imports are listed above.',
      severity: 'error',
      from: { path: `^src/${name}/` },
      to: {
        path: `^src/(${capabilities})/`,
        pathNot: `^src/(${[name, sideways[name]].filter((one) => one !== undefined).join('|')})/`,
      },
    })),
    {
      name: 'operations-call-the-service',
      comment: 'At run time through the Service value; types of capabilities may be named.',
      severity: 'error',
      from: { path: '^src/operations/' },
      to: {
        path: '^src/',
        pathNot: '^src/(core/|operations/|service\\.ts$|telemetry/span\\.ts$|learning/learner/learner-config\\.ts$)',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'operations-know-no-surface',
      severity: 'error',
      from: { path: '^src/operations/' },
      to: { path: `^src/(${surfaces}|compose\\.ts|config)` },
    },
    {
      name: 'surfaces-point-at-operations',
      severity: 'error',
      from: { path: '^src/(server|mcp)/' },
      to: { path: '^src/', pathNot: '^src/(server|mcp|operations|core|telemetry|config)/|^src/(service|config)\\.ts$' },
    },
    {
      name: 'clients-know-rows-not-the-server',
      severity: 'error',
      from: { path: '^src/clients/' },
      to: {
        path: '^src/',
        pathNot: '^src/(clients|operations|core)/|^src/server/(route|routes/variant-b)\\.ts$|^src/(compose|service)\\.ts$',
      },
    },
    {
      name: 'compose-knows-no-surface',
      severity: 'error',
      from: { path: '^src/compose(\\.ts$|/)' },
      to: { path: `^src/(${surfaces}|operations)/` },
    },
    {
      name: 'only-compose-names-adapters',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(backends/|compose\\.ts$|index\\.ts$|compose/)' },
      to: { path: '^src/backends/', pathNot: `${ports}|^src/backends/vector/(named-indexes|migrate)\\.ts$` },
    },
    {
      name: 'the-outermost-ring',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/cli/' },
      to: { path: '^src/cli/' },
    },
    {
      name: 'http-words-stay-on-the-surface',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(server|mcp|clients)/' },
      to: { path: '(^|/)(@types/)?(koa|@koa|koa-body|swagger-ui-dist)(/|$)' },
    },
    {
      name: 'everything-resolves',
      severity: 'error',
      from: { path: '^src/' },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'], extensions: ['.ts', '.js', '.json'] },
  },
};
