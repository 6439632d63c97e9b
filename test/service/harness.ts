import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ComposedService, compose } from '../../src/compose.js';
import { loadConfig } from '../../src/config.js';
import { startServer } from '../../src/server/start.js';
import { createLogger } from '../../src/telemetry/logger.js';

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every route pass through here
  readonly body: any;
  readonly headers: Headers;
}

/** A service as `svc serve` runs it, on a free port and a directory of its own. */
export interface TestService {
  readonly url: string;
  readonly directory: string;
  /** A directory that the service may read files of. */
  readonly files: string;
  readonly service: ComposedService;
  get(path: string): Promise<Answer>;
  post(path: string, body: unknown): Promise<Answer>;
  delete(path: string): Promise<Answer>;
  /** Raw request, for what `post` would not send. */
  send(path: string, init: RequestInit): Promise<Answer>;
  /** Writes a file below `files`; returns its path. */
  file(name: string, content: string | Uint8Array): string;
  close(): Promise<void>;
}

export type Environment = Readonly<Record<string, string>>;
/** Where each service of a suite needs something of its own, such as an empty database. */
export type EachEnvironment = Environment | (() => Promise<Environment>);

/** The small model, so that a test starts in a moment; engines by environment variables. */
export async function openService(given: EachEnvironment = {}): Promise<TestService> {
  const environment = typeof given === 'function' ? await given() : given;
  const root = mkdtempSync(join(tmpdir(), 'service-'));
  const files = join(root, 'files');
  const config = loadConfig({
    environment: {
      SVC_DATA_DIR: join(root, 'data'),
      SVC_INGEST_ROOTS: files,
      SVC_EMBEDDING: 'static',
      SVC_PORT: '0',
      SVC_LOG_LEVEL: 'silent',
      ...environment,
    },
    executable: undefined,
  });
  const { mkdirSync } = await import('node:fs');
  mkdirSync(files);
  const service = await compose(config);
  const running = await startServer({ config, service, log: createLogger('silent'), variants: ['a'] });
  const url = running.urls.a ?? '';
  const send = async (path: string, init: RequestInit): Promise<Answer> => {
    const response = await fetch(url + path, init);
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : JSON.parse(text), headers: response.headers };
  };
  return {
    url,
    directory: config.data.dir,
    files,
    service,
    send,
    get: (path) => send(path, {}),
    post: (path, body) =>
      send(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    delete: (path) => send(path, { method: 'DELETE' }),
    file: (name, content) => {
      const path = join(files, name);
      writeFileSync(path, content);
      return path;
    },
    close: async () => {
      await running.close();
      await service.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** Three linked documents about one small world. */
export const DOCUMENTS = {
  tower:
    '# Aldra Tower\n\nThe Aldra Tower is a lighthouse on Skarn Island. It was designed by Mira Voss in 1911. The keepers must light the lamp before sunset.',
  island:
    '# Skarn Island\n\nSkarn Island is an island in the Northern Reach. Its harbour is home to forty fishing boats.',
  voss: '# Mira Voss\n\nMira Voss was an engineer born in Port Helm. She studied at the Reach Academy and built bridges before lighthouses.',
} as const;

/** One of them in the domain `reach`, as `/v1/ingest/text` takes it. */
export const reachText = (key: keyof typeof DOCUMENTS) => ({
  text: DOCUMENTS[key],
  domain: 'reach',
  format: 'markdown',
  name: key,
});

/** Works with a service that is closed afterwards, whatever comes of it. */
export async function withService<T>(given: EachEnvironment, work: (test: TestService) => Promise<T>): Promise<T> {
  const test = await openService(given);
  try {
    return await work(test);
  } finally {
    await test.close();
  }
}

/** What the whole graph of a domain says, independent of the order in which it was written. */
export async function snapshot(test: TestService, domain: string) {
  const { graph, text, vectors } = test.service;
  const nodes = await graph.findNodes({ domain, limit: 100_000 });
  const passages = await graph.passageRecords(nodes.filter((node) => node.kind === 'passage').map((node) => node.id));
  const edges = await graph.getEdges({ domain, limit: 100_000 });
  const rules = await graph.getRules({ domains: [domain], limit: 100_000 });
  const info = await graph.getDomain(domain);
  const { indexName, embedding } = await test.service.concepts.current();
  const ids = nodes.map((node) => node.id);
  const stored = embedding === null ? new Map() : await vectors.fetch(indexName, ids);
  return {
    nodes: nodes.map(({ passage: _, ...node }) => node).sort(byId),
    mentions: passages.map(({ id, mentions }) => ({ id, mentions })).sort(byId),
    edges: [...edges].sort(byId),
    rules: [...rules].sort(byId),
    info,
    texts: await text.count(domain),
    vectors: [...stored.keys()].sort(),
  };
}

function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id < b.id ? -1 : 1;
}
