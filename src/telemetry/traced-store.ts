import { context, type Span, SpanKind, trace } from '@opentelemetry/api';
import type { KyselyPlugin } from 'kysely';
import type { Store } from '../backends/store/scope.js';
import { isWithinPort, traced } from './traced.js';

/**
 * Returns the store with each write, and, where spans are recorded, each statement of an operation itself in a span.
 * Statements of a port (an embedded graph reads this store) and of a write are part of its call, which has one.
 */
export function tracedStore(store: Store, options: { readonly spans: boolean }): Store {
  const measured = traced('store', store);
  if (!options.spans) return measured;
  const db = store.db.withPlugin(statementSpans(store.dialect));
  return new Proxy(measured, {
    get: (object, name) => (name === 'db' ? db : Reflect.get(object, name, object)),
  });
}

/** A span per statement, named after its kind: `store SelectQuery`. The statement and its values stay out of it. */
function statementSpans(dialect: string): KyselyPlugin {
  const open = new WeakMap<object, Span>();
  return {
    transformQuery: ({ node, queryId }) => {
      if (isWithinPort() || trace.getActiveSpan()?.isRecording() !== true) return node;
      const name = `store ${node.kind.replace(/Node$/, '')}`;
      const attributes = { 'svc.port': 'store', 'svc.port.method': 'read', 'svc.port.engine': dialect };
      open.set(
        queryId,
        trace.getTracer('svc').startSpan(name, { attributes, kind: SpanKind.CLIENT }, context.active()),
      );
      return node;
    },
    transformResult: ({ result, queryId }) => {
      open.get(queryId)?.end();
      return Promise.resolve(result);
    },
  };
}
