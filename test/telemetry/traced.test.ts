import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { SpanStatusCode, trace } from '@opentelemetry/api';
import { node, tracing } from '@opentelemetry/sdk-node';
import { sql } from 'kysely';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { withSpan } from '../../src/telemetry/span.js';
import { traced } from '../../src/telemetry/traced.js';
import { tracedStore } from '../../src/telemetry/traced-store.js';

const exporter = new tracing.InMemorySpanExporter();

beforeAll(() => {
  new node.NodeTracerProvider({ spanProcessors: [new tracing.SimpleSpanProcessor(exporter)] }).register();
});
afterEach(() => exporter.reset());

const below = <T>(work: () => Promise<T>): Promise<T> => withSpan('operation', {}, work);

/** The finished spans but that of the operation: name, what it failed with, how often. */
const finished = () =>
  exporter
    .getFinishedSpans()
    .filter(({ name }) => name !== 'operation')
    .map(({ name, status, attributes }) => ({
      name,
      failed: status.code === SpanStatusCode.ERROR ? attributes['error.type'] : false,
    }));

describe('a statement of the store', () => {
  it('has a span that ends, as failed, where the statement fails', async () => {
    const store = await openSqlite(':memory:');
    const { db } = tracedStore(store, { spans: true });
    await expect(below(() => sql`select private_value from nowhere`.execute(db))).rejects.toThrow();
    await below(() => db.selectFrom('counter').selectAll().execute());
    const [failed, read, ...more] = finished();
    expect(failed).toMatchObject({ name: 'store Raw', failed: expect.any(String) });
    expect(read).toEqual({ name: 'store SelectQuery', failed: false });
    expect(more).toEqual([]);
    expect(
      JSON.stringify(exporter.getFinishedSpans().map(({ attributes, status }) => [attributes, status])),
    ).not.toContain('private_value');
    await store.close();
  });

  it('has a span that ends where there is no connection for it', async () => {
    const store = await openSqlite(':memory:');
    const { db } = tracedStore(store, { spans: true });
    await sql`select 1`.execute(db);
    await store.close();
    await expect(below(() => sql`select 1`.execute(db))).rejects.toThrow(/destroyed/);
    expect(finished()).toEqual([{ name: 'store Raw', failed: 'Error' }]);
  });

  it('that belongs to a write has none of its own, and the store itself makes none', async () => {
    const store = await openSqlite(':memory:');
    const spanned = tracedStore(store, { spans: true });
    await below(() => spanned.write(({ db }) => sql`select 1`.execute(db)));
    await below(() => sql`select 1`.execute(store.db));
    expect(finished()).toEqual([{ name: 'store write', failed: false }]);
    await store.close();
  });
});

/** A port with every shape of answer. */
class Pages {
  readonly kind = 'test';
  readonly merges = { list: () => Promise.resolve([1]) };
  closed = false;

  async *pages(most: number): AsyncGenerator<string> {
    try {
      for (let i = 0; i < 3; i += 1) {
        if (i === most) throw new TypeError('no more');
        await withSpan(`page ${i}`, {}, () => Promise.resolve());
        yield `page ${i}`;
      }
    } finally {
      this.closed = true;
    }
  }

  size(): number {
    return 3;
  }

  refuse(): number {
    throw new RangeError('not now');
  }
}

describe('a port that yields its answer in pieces', () => {
  const collected = async (port: Pages, most: number): Promise<string[]> => {
    const found: string[] = [];
    for await (const page of port.pages(most)) found.push(page);
    return found;
  };

  it('has one span, which ends after the last piece and is the parent of what each piece took', async () => {
    const port = traced('graph', new Pages());
    await below(async () => {
      expect(await collected(port, 9)).toEqual(['page 0', 'page 1', 'page 2']);
    });
    expect(finished().map(({ name }) => name)).toEqual(['page 0', 'page 1', 'page 2', 'graph pages']);
    const spans = exporter.getFinishedSpans();
    const call = spans.find(({ name }) => name === 'graph pages')!;
    for (const span of spans.filter(({ name }) => name.startsWith('page ')))
      expect(span.parentSpanContext?.spanId).toBe(call.spanContext().spanId);
    expect(call.attributes).toEqual({
      'svc.port': 'graph',
      'svc.port.method': 'pages',
      'svc.port.engine': 'test',
    });
  });

  it('has a span that ends where its consumer stops early, and the port is told', async () => {
    const pages = new Pages();
    await below(async () => {
      for await (const _ of traced('graph', pages).pages(9)) break;
    });
    expect(pages.closed).toBe(true);
    expect(finished().at(-1)).toEqual({ name: 'graph pages', failed: false });
  });

  it('has a failed span where a piece fails', async () => {
    await below(() => expect(collected(traced('graph', new Pages()), 1)).rejects.toThrow('no more'));
    expect(finished().at(-1)).toEqual({ name: 'graph pages', failed: 'TypeError' });
  });
});

describe('a port that answers at once', () => {
  it('answers at once below a span too', async () => {
    const port = traced('graph', new Pages());
    await below(async () => {
      expect(port.size()).toBe(3);
      expect(() => port.refuse()).toThrow('not now');
    });
    expect(finished()).toEqual([
      { name: 'graph size', failed: false },
      { name: 'graph refuse', failed: 'RangeError' },
    ]);
  });
});

it('calls of the parts of a graph have spans, by the name of the part', async () => {
  const port = traced('graph', new Pages());
  expect(port.merges).toBe(port.merges);
  expect(await below(() => port.merges.list())).toEqual([1]);
  expect(finished()).toEqual([{ name: 'graph merges.list', failed: false }]);
});

it('makes no spans of its own in the background', async () => {
  expect(trace.getActiveSpan()).toBeUndefined();
  expect(await traced('graph', new Pages()).merges.list()).toEqual([1]);
  expect(exporter.getFinishedSpans()).toEqual([]);
});
