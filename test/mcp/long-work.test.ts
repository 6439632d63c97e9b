import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import SqliteDatabase from 'better-sqlite3';
import type { EmbeddingModel } from '../../src/backends/embedding/port.js';
import type { Ingest } from '../../src/ingest/ingest.js';
import { startTracing } from '../../src/telemetry/sdk.js';
import { waitFor } from '../support/wait-for.js';
import type { Json } from './calls.js';
import { CONNECTIONS, type ToolClient, WAYS } from './connections.js';
import { startWorld, type World } from './world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.close());

/** Many sections, no two alike: some seconds of work in several batches. */
function longText(tag: string, sections: number): string {
  const words = ['harbour', 'copper', 'lantern', 'river', 'orchard', 'signal', 'meadow', 'kettle', 'timber', 'canvas'];
  const word = (i: number) => words[i % words.length]!;
  return Array.from(
    { length: sections },
    (_, i) => `# Part ${i} ${tag}\n\nThe ${word(i)} of number ${i} needs the ${word(i * 3 + 1)} of ${tag}.`,
  ).join('\n\n');
}

/** A database of three tables that point at each other. */
function makeYard(file: string, rows: number): void {
  const db = new SqliteDatabase(file);
  db.exec(`create table yards (id integer primary key, name text not null);
    create table ships (id integer primary key, name text not null, yard_id integer references yards (id));
    create table trips (id integer primary key, name text not null, ship_id integer references ships (id));`);
  db.transaction(() => {
    for (let i = 1; i <= rows; i += 1) {
      db.prepare('insert into yards values (?, ?)').run(i, `Yard ${i}`);
      db.prepare('insert into ships values (?, ?, ?)').run(i, `Ship ${i}`, i);
      db.prepare('insert into trips values (?, ?, ?)').run(i, `Trip ${i}`, i);
    }
  })();
  db.close();
}

interface Seen {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

function expectSteps(seen: readonly Seen[], least: number): void {
  expect(seen.length).toBeGreaterThanOrEqual(least);
  for (const [i, one] of seen.entries()) {
    if (i > 0) expect(one.progress).toBeGreaterThan(seen[i - 1]!.progress);
    expect(one.total).toBeGreaterThanOrEqual(one.progress);
  }
}

/** After so many batches the model waits until the cancellation is there, however fast the machine is. */
function waitForCancellation(after: number): () => void {
  const model = world.service.concepts.serving.embedding as { embedSpanned: EmbeddingModel['embedSpanned'] };
  const embed = model.embedSpanned.bind(model);
  let batches = 0;
  model.embedSpanned = async (texts, signal) => {
    const made = await embed(texts, signal);
    batches += 1;
    if (batches > after && signal?.aborted === false) await once(signal, 'abort');
    return made;
  };
  return () => {
    model.embedSpanned = embed;
  };
}

describe.each(WAYS)('long work by the %s', (name, connect) => {
  let client: ToolClient;
  const tag = String(WAYS.findIndex(([other]) => other === name));
  beforeAll(async () => {
    client = await connect(world);
  });
  afterAll(() => client?.close());

  it('reports progress of an ingest', async () => {
    const seen: Seen[] = [];
    const input = { text: longText(`ingest ${tag}`, 1500), domain: `long ${tag}`, format: 'markdown', name: 'long' };
    const answer = await client.call('svc_ingest_text', input, { onprogress: (one) => seen.push(one) });
    expect(answer.structuredContent).toMatchObject({ passages: 1500 });
    expectSteps(seen, 4);
    expect(
      seen.every((one) => /^\d+ of 1500 passages embedded$/.test(one.message ?? '') && one.total === seen[0]!.total),
    ).toBe(true);
  });

  it('reports progress of a sync over all its tables', async () => {
    const file = join(world.directory, `yard-${tag}.sqlite`);
    makeYard(file, 1100);
    const source_id = `yard-${tag}`;
    await client.call('svc_source_connect', { source_id, connection_string: `sqlite:${file}` });
    const seen: Seen[] = [];
    const answer = await client.call('svc_source_sync', { source_id }, { onprogress: (one) => seen.push(one) });
    expect(answer.structuredContent).toMatchObject({ tables_synced: 3, rows_added: 3300, errors: [] });
    // The clients drop a notification that arrives together with the answer, so the last ones may be missing.
    expectSteps(seen, 4);
    expect(new Set(seen.map((one) => one.message)).size).toBeGreaterThan(1);
    expect(seen.at(-1)!.progress).toBeGreaterThan(1100);
    expect(seen.every((one) => one.total === 3300)).toBe(true);
  });

  it('stops an ingest that is cancelled, and writes nothing of it', async () => {
    const ingest = world.service.ingest as { text: Ingest['text'] };
    const original = ingest.text.bind(ingest);
    let outcome: Promise<string> = Promise.resolve('never called');
    ingest.text = (...given: Parameters<Ingest['text']>) => {
      const work = original(...given);
      outcome = work.then(
        () => 'finished',
        () => 'stopped',
      );
      return work;
    };
    const release = waitForCancellation(2);
    const controller = new AbortController();
    const domain = `cancelled ${tag}`;
    const input = { text: longText(`cancel ${tag}`, 6000), domain, format: 'markdown', name: 'long' };
    const call = client.call('svc_ingest_text', input, {
      signal: controller.signal,
      onprogress: () => controller.abort(),
    });
    await expect(call).rejects.toThrow();
    expect(await outcome).toBe('stopped');
    ingest.text = original;
    release();
    expect(await world.service.graph.getDomain(domain)).toBeNull();
    const after = await client.call('svc_status', {});
    expect(after.isError ?? false).toBe(false);
  });

  it('stops a sync that is cancelled; the next one brings the rest', async () => {
    const file = join(world.directory, `cut-${tag}.sqlite`);
    makeYard(file, 1100);
    const source_id = `cut-${tag}`;
    await client.call('svc_source_connect', { source_id, connection_string: `sqlite:${file}` });
    const release = waitForCancellation(2);
    const controller = new AbortController();
    const call = client.call(
      'svc_source_sync',
      { source_id },
      {
        signal: controller.signal,
        onprogress: () => controller.abort(),
      },
    );
    await expect(call).rejects.toThrow();
    release();
    let rest: Record<string, unknown> = {};
    // Until the cancelled one has let go, another is refused.
    await waitFor(
      async () => {
        const answer = await client.call('svc_source_sync', { source_id });
        rest = answer.structuredContent as Record<string, unknown>;
        expect(answer.isError ?? false).toBe(false);
      },
      { timeout: 60_000 },
    );
    expect(rest).toMatchObject({ tables_synced: 3, errors: [] });
    expect(rest.rows_added).toBeLessThan(3300);
    const again = await client.call('svc_source_sync', { source_id });
    expect(again.structuredContent).toMatchObject({ rows_added: 0, errors: [] });
  });
});

describe('the trace of a caller on stdio', () => {
  const traceIds = new Set<string>();
  let collector: Server;
  beforeAll(async () => {
    collector = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        for (const [, id] of text.matchAll(/"traceId":"([0-9a-f]{32})"[^{}]*"name":"operation domains"/g))
          traceIds.add(id!);
        response.setHeader('Content-Type', 'application/json').end('{}');
      });
    });
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => void collector.close());

  it('continues in the service that does the work', async () => {
    const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
    const stop = await startTracing({
      name: 'svc',
      tracing: {
        enabled: true,
        endpoint,
        traces_endpoint: null,
        exporter: 'otlp',
        protocol: 'http/json',
        service_name: null,
        sample: null,
      },
    });
    const [, connect] = CONNECTIONS.find(([name]) => name === 'v1 client, stdio')!;
    const client = await connect(world);
    const trace = '0af7651916cd43dd8448eb211c80319c';
    const meta: Json = { traceparent: `00-${trace}-b7ad6b7169203331-01` };
    expect((await client.call('svc_domains', {}, { meta })).isError ?? false).toBe(false);
    await client.close();
    await stop();
    await waitFor(() => expect(traceIds).toContain(trace), { timeout: 30_000 });
  });
});
