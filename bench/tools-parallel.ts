import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { call, type Served, WAYS } from './tools-world.js';

const WRITES = 20;

export interface Kept {
  readonly server: string;
  readonly tool: string;
  readonly sent: number;
  readonly kept: number;
}

/** Twenty writes at once through each writing tool, and the same on the protocol's reference memory server. */
export async function parallelWrites(served: Served): Promise<Kept[]> {
  const client = await WAYS.stdio!(served);
  const sent = Array.from({ length: WRITES }, (_, i) => i);
  await Promise.all(
    sent.map((i) => call(client, 'svc_ingest_structured', { domain: 'parallel', concepts: [{ name: `Fact ${i}` }] })),
  );
  const { domains } = await call(client, 'svc_domains', {});
  const concepts = (domains as Array<{ name: string; concept_count: number }>).find((one) => one.name === 'parallel');
  await Promise.all(
    sent.map(() => call(client, 'svc_learning_observe', { learner: 'parallel', arm_id: 'one', outcome: 'accepted' })),
  );
  const { total_pulls } = await call(client, 'svc_learning_metrics', { learner: 'parallel' });
  await Promise.all(
    sent.map((i) => call(client, 'svc_vector_upsert', { index_name: 'parallel', vectors: [[1, i]], ids: [`v${i}`] })),
  );
  const { count } = await call(client, 'svc_vector_describe_index', { index_name: 'parallel' });
  await client.close();
  const ours = (tool: string, kept: unknown): Kept => ({
    server: 'this service',
    tool,
    sent: WRITES,
    kept: Number(kept),
  });
  return [
    ours('svc_ingest_structured', concepts?.concept_count ?? 0),
    ours('svc_learning_observe', total_pulls),
    ours('svc_vector_upsert', count),
    await onReferenceServer(served.directory),
  ];
}

export async function onReferenceServer(directory: string): Promise<Kept> {
  const manifest = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-memory/package.json');
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [join(dirname(manifest), 'dist', 'index.js')],
      env: { PATH: process.env.PATH ?? '', MEMORY_FILE_PATH: join(directory, 'memory.jsonl') },
      stderr: 'ignore',
    }),
  );
  const entity = (i: number) => ({ name: `Fact ${i}`, entityType: 'fact', observations: [`number ${i}`] });
  await Promise.allSettled(
    Array.from({ length: WRITES }, (_, i) =>
      client.callTool({ name: 'create_entities', arguments: { entities: [entity(i)] } }),
    ),
  );
  const answer = (await client.callTool({ name: 'read_graph', arguments: {} })) as { content: Array<{ text: string }> };
  await client.close();
  const { entities } = JSON.parse(answer.content[0]!.text) as { entities: unknown[] };
  return {
    server: '@modelcontextprotocol/server-memory 2026.8.31',
    tool: 'create_entities',
    sent: WRITES,
    kept: entities.length,
  };
}
