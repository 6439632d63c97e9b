import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { type ToolClient, v1 } from './connections.js';
import { SPECIFIED } from './specification.js';

describe('a link to the executable by another name', () => {
  let folder: string;
  let client: ToolClient;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-alias-'));
    const link = join(folder, 'acme.ts');
    symlinkSync(resolve('src/cli/main.ts'), link);
    client = await v1(
      new StdioClientTransport({
        command: process.execPath,
        args: ['--import', 'tsx', link, 'mcp-serve'],
        // The prefix of the environment changes with the name; the old one stays as a fallback.
        env: {
          PATH: process.env.PATH ?? '',
          ACME_DATA_DIR: join(folder, 'data'),
          SVC_DATA_DIR: join(folder, 'other'),
          SVC_EMBEDDING: 'none',
          ACME_TOOLS: 'core,acme_vector_list_indexes',
          ACME_LOG_LEVEL: 'silent',
        },
      }),
    );
  });
  afterAll(async () => {
    await client?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('names its tools so, and reads settings of that name', async () => {
    const core = SPECIFIED.slice(0, 11).map(([name]) => `acme_${name}`);
    expect((await client.list()).map((tool) => tool.name)).toEqual([...core, 'acme_vector_list_indexes']);
  });

  it('works without a service that runs', async () => {
    const text = { text: 'Redis keeps data in memory.', domain: 'd', name: 'n' };
    expect((await client.call('acme_ingest_text', text)).structuredContent).toMatchObject({ source: 'n', passages: 1 });
    expect((await client.call('acme_status', {})).structuredContent).toMatchObject({ embedding_model: 'none' });
    await expect(client.call('svc_status', {})).rejects.toMatchObject({ code: -32602 });
  });
});
